import { groupOf, isMap, type Resource, type Value } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/**
 * What a cluster-wide configuration object of OpenShift (config.openshift.io, always named `cluster`) says at a path:
 * each text once, sorted. More than one where a list holds the object several times.
 */
export function configTexts(items: readonly Resource[], kind: string, path: readonly string[]): readonly string[] {
  const texts = items.filter((item) => isConfigObject(item, kind)).map((item) => textAt(item.value(), path) ?? "");
  return [...new Set(texts)].filter((text) => text !== "").sort(compareText);
}

/** Says whether an object is the cluster's configuration of a kind. */
export function isConfigObject(item: Resource, kind: string): boolean {
  return item.kind === kind && item.name === "cluster" && groupOf(item.apiVersion) === "config.openshift.io";
}

function textAt(value: Value, path: readonly string[]): string | undefined {
  let at: Value | undefined = value;
  for (const step of path) at = isMap(at) ? at[step] : undefined;
  return typeof at === "string" ? at : undefined;
}
