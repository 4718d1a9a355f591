import { groupOf, type Resource, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/**
 * What a cluster-wide configuration object of OpenShift (config.openshift.io, always named `cluster`) says at a path:
 * each text once, sorted. More than one where a list holds the object several times.
 */
export function configTexts(items: readonly Resource[], kind: string, path: readonly string[]): readonly string[] {
  const values = items.filter((item) => isConfigObject(item, kind)).map((item) => valueAt(item.value(), path));
  return [...new Set(values.filter((value) => typeof value === "string"))]
    .filter((text) => text !== "")
    .sort(compareText);
}

/** Says whether an object is the cluster's configuration of a kind. */
export function isConfigObject(item: Resource, kind: string): boolean {
  return item.kind === kind && item.name === "cluster" && groupOf(item.apiVersion) === "config.openshift.io";
}
