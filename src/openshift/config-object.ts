import { groupOf, type Resource, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/**
 * The texts at a path of a cluster-wide configuration object of OpenShift (config.openshift.io, always named
 * `cluster`), sorted and without duplicates. There can be more than one if a list contains the object more than once.
 */
export function configTexts(items: readonly Resource[], kind: string, path: readonly string[]): readonly string[] {
  const values = items.filter((item) => isConfigObject(item, kind)).map((item) => valueAt(item.value(), path));
  return [...new Set(values.filter((value) => typeof value === "string"))]
    .filter((text) => text !== "")
    .sort(compareText);
}

/** Whether an object is the cluster-wide configuration object of a kind. */
export function isConfigObject(item: Resource, kind: string): boolean {
  return item.kind === kind && item.name === "cluster" && groupOf(item.apiVersion) === "config.openshift.io";
}
