import { generatedBy, isMap, type Resource, textAt, valueAt } from "../../../core/resource.ts";

/** The name of the ConfigMap with the client IDs, unless the ClusterIdentity names another one. */
const defaultName = "azure-identities";

/**
 * The client IDs that Azure assigned, by `<secret namespace>/<secret name>`: those in the ConfigMap of a package, and those in
 * overrides. An export contains none.
 */
export function assignedClientIds(items: readonly Resource[]): ReadonlyMap<string, string> {
  const config = items.find(({ kind }) => kind === "ClusterIdentity")?.value() ?? null;
  const platform = valueAt(config, ["spec", "platform", "azure"]) ?? null;
  const name = textAt(platform, ["identities"]) || defaultName;
  const map = items.find(
    (item) => item.kind === "ConfigMap" && item.name === name && !item.annotations.has(generatedBy),
  );
  const data = map === undefined ? undefined : valueAt(map.value(), ["data"]);
  const overrides = valueAt(platform, ["overrides"]);
  return new Map([
    ...Object.entries(isMap(data) ? data : {}).flatMap(([key, id]): [string, string][] =>
      typeof id === "string" ? [[key.replace("_", "/"), id]] : [],
    ),
    ...Object.entries(isMap(overrides) ? overrides : {}).flatMap(([key, override]): [string, string][] => {
      const id = isMap(override) ? textAt(override, ["clientID"]) : "";
      return id === "" ? [] : [[key, id]];
    }),
  ]);
}
