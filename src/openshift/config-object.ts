import { groupOf, isMap, type Resource, type Value } from "../core/resource.ts";

/** A cluster-wide configuration object of OpenShift: config.openshift.io, always named `cluster`. */
export function configObject(items: readonly Resource[], kind: string): Resource | undefined {
  return items.find((item) => isConfigObject(item, kind));
}

/** Says whether an object is the cluster's configuration of a kind. */
export function isConfigObject(item: Resource, kind: string): boolean {
  return item.kind === kind && item.name === "cluster" && groupOf(item.apiVersion) === "config.openshift.io";
}

/** The text at a path of a value, or undefined where there is none. */
export function textAt(value: Value, path: readonly string[]): string | undefined {
  let at: Value | undefined = value;
  for (const step of path) at = isMap(at) ? at[step] : undefined;
  return typeof at === "string" ? at : undefined;
}
