import { isLabel, localConfig, type Resource, textAt, type ValueMap } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/*
 * The namespaces that a release creates. A package has their names in an object of its own, because they decide which Secrets
 * an installation can create.
 */

const objectName = "release-namespaces";

/** The object with which a package has the names. It is local configuration, so that no tool applies it. */
export function namespacesObject(names: readonly string[]): ValueMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: objectName, annotations: { [localConfig]: "true" } },
    data: { namespaces: [...names].sort(compareText).join("\n") },
  };
}

/** Whether an object is the one of a package with the names. */
export function isNamespacesObject({ apiVersion, kind, name, annotations }: Resource): boolean {
  return apiVersion === "v1" && kind === "ConfigMap" && name === objectName && annotations.get(localConfig) === "true";
}

/** The namespaces that the release of a package creates; undefined if the package does not say it. */
export function releaseNamespaces(items: readonly Resource[]): ReadonlySet<string> | undefined {
  const objects = items.filter(isNamespacesObject);
  if (objects.length === 0) return undefined;
  const names = objects.flatMap((item) => textAt(item.value(), ["data", "namespaces"]).split("\n"));
  return new Set(names.filter(isLabel));
}
