import { isLabel, localConfig, type Resource, textAt, type ValueMap, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/*
 * What a package knows about its release beside the requests and the feature gates: the namespaces that the release creates, which
 * decide which Secrets an installation can create, and the names of its capabilities.
 */

const objectName = "release";

/** What the manifests of a release name. */
export interface ReleaseNames {
  /** The namespaces that the release creates. */
  readonly namespaces: readonly string[];
  /** The capabilities of the release, enabled or not. */
  readonly capabilities: readonly string[];
}

/** The object with which a package has the names. It is local configuration, so that no tool applies it. */
export function releaseObject({ namespaces, capabilities }: ReleaseNames): ValueMap {
  const lines = (names: readonly string[]) => [...names].sort(compareText).join("\n");
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: objectName, annotations: { [localConfig]: "true" } },
    data: { capabilities: lines(capabilities), namespaces: lines(namespaces) },
  };
}

/** Whether an object is the one of a package with the names. */
export function isReleaseObject({ apiVersion, kind, name, annotations }: Resource): boolean {
  return apiVersion === "v1" && kind === "ConfigMap" && name === objectName && annotations.get(localConfig) === "true";
}

/** The names that a package knows of its release; undefined if it knows none. */
export function releaseNames(items: readonly Resource[]): ReleaseNames | undefined {
  const objects = items.filter(isReleaseObject);
  const isKnown = objects.some((item) => typeof valueAt(item.value(), ["data", "namespaces"]) === "string");
  if (!isKnown) return undefined;
  const names = (field: string) => objects.flatMap((item) => textAt(item.value(), ["data", field]).split("\n"));
  return {
    namespaces: names("namespaces").filter(isLabel),
    capabilities: names("capabilities").filter((name) => name !== ""),
  };
}
