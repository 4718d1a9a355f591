import { generatedBy, type Resource, type Value, valueAt } from "../core/resource.ts";

/*
 * Reads the files of bundle ConfigMaps that a package was rendered with. A file that no longer has the form in which it
 * was written is ignored.
 */

/** The bundle ConfigMap at a path; undefined if the package does not contain it. */
export function bundleAt(items: readonly Resource[], path: string | RegExp): Resource | undefined {
  const isAt = typeof path === "string" ? (text: string) => text === path : (text: string) => path.test(text);
  return items.find((item) => item.kind === "ConfigMap" && item.annotations.has(generatedBy) && isAt(item.path ?? ""));
}

/** The bundle ConfigMaps of one kind, by the pattern of their paths. */
export function bundlesAt(items: readonly Resource[], path: RegExp): Resource[] {
  return items.filter(
    (item) => item.kind === "ConfigMap" && item.annotations.has(generatedBy) && path.test(item.path ?? ""),
  );
}

/** Reads the JSON files of a bundle by name; null if a file is missing or is not JSON. */
export function jsonOf(bundle: Resource | undefined): (file: string) => Value {
  const value = bundle?.value() ?? null;
  return (file) => {
    const json = valueAt(value, ["data", file]);
    try {
      return typeof json === "string" ? (JSON.parse(json) as Value) : null;
    } catch {
      return null;
    }
  };
}

/** The name that the ClusterIdentity had when a bundle was rendered. */
export function identityNameOf(bundle: Resource | undefined): string | undefined {
  const owner = bundle?.annotations.get(generatedBy);
  return owner?.slice(owner.indexOf("/") + 1);
}
