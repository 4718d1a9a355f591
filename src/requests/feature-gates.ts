import { asText } from "../core/json.ts";
import { groupOf, isMap, listAt, type Resource, type Value, valueAt } from "../core/resource.ts";
import { featureSetKey, gateName, isForProfile, type ReleaseRules } from "./release-filter.ts";

/*
 * Which feature gates are enabled is stated by the release and by the cluster, in objects of the same form: the
 * release's manifests `0000_50_cluster-config-api_featureGate-*.yaml`, one per feature set and profile, and
 * `FeatureGate/cluster` (OpenShift API, config/v1, FeatureGate).
 */

/** Whether an object states feature gates. */
export function isFeatureGate({ apiVersion, kind }: Resource): boolean {
  return kind === "FeatureGate" && groupOf(apiVersion) === "config.openshift.io";
}

/** Whether an object is a release's manifest for a feature set, which administrators never apply by hand. */
export function isReleaseFeatureGate(item: Resource): boolean {
  return isFeatureGate(item) && item.annotations.has(featureSetKey);
}

/**
 * The rules of a cluster, with the gates that objects among the items state for its feature set, profile and version.
 * Gates in the rules themselves take precedence. A gate is ignored if objects or versions contradict each other, or if
 * it is stated for another version: a cluster does not know the gates of the release that it is upgraded to.
 *
 * @param isComparison the items may belong to another release than the cluster's, so a gate that the cluster has
 *   disabled proves nothing.
 */
export function withStatedGates(
  rules: ReleaseRules,
  items: readonly Resource[],
  { isComparison = false }: { readonly isComparison?: boolean } = {},
): ReleaseRules {
  const stating = items.filter((item) => isFeatureGate(item) && isForCluster(item, rules));
  if (stating.length === 0) return rules;
  const known = new Set(rules.featureGates.map(gateName));
  const [on, off] = [new Set<string>(), new Set<string>()];
  const version = isComparison ? undefined : rules.version;
  for (const item of stating) collect(item, { version, isComparison }, on, off);
  const stated = [
    ...[...on].filter((gate) => !off.has(gate)),
    ...[...off].filter((gate) => !on.has(gate)).map((gate) => `-${gate}`),
  ];
  const more = stated.filter((gate) => !known.has(gateName(gate)));
  return { ...rules, featureGates: [...rules.featureGates, ...more.sort()] };
}

/** The feature sets that an object is about: those of its annotation, or the one that the cluster uses. */
export function statedFeatureSets(item: Resource): readonly string[] {
  const sets = item.annotations.get(featureSetKey);
  if (sets !== undefined) return sets.split(",").map((set) => set.trim());
  const set = valueAt(item.value(), ["spec", "featureSet"]);
  // OpenShift API, FeatureGateSelection: the default set has the empty name.
  return [typeof set === "string" && set !== "" ? set : "Default"];
}

function isForCluster(item: Resource, rules: ReleaseRules): boolean {
  return statedFeatureSets(item).includes(rules.featureSet) && isForProfile(item.annotations, rules.profile);
}

interface Reading {
  readonly version: string | undefined;
  readonly isComparison: boolean;
}

function collect(item: Resource, { version, isComparison }: Reading, on: Set<string>, off: Set<string>): void {
  const value = item.value();
  // A release's manifest does not name a version: it applies to the release that contains it.
  const isOfRelease = (text: Value | undefined) => text === undefined || text === "";
  const isOfVersion = (text: Value | undefined) =>
    version === undefined || isOfRelease(text) || `${asText(text)}.`.startsWith(`${version}.`);
  for (const map of listAt(value, ["status", "featureGates"]).filter(isMap)) {
    if (!isOfVersion(map["version"])) continue;
    for (const gate of listAt(map, ["enabled"])) if (isMap(gate)) on.add(asText(gate["name"]));
    if (isComparison && !isOfRelease(map["version"])) continue;
    for (const gate of listAt(map, ["disabled"])) if (isMap(gate)) off.add(asText(gate["name"]));
  }
  const custom = valueAt(value, ["spec", "customNoUpgrade"]) ?? null;
  for (const gate of listAt(custom, ["enabled"])) on.add(asText(gate));
  for (const gate of listAt(custom, ["disabled"])) off.add(asText(gate));
}
