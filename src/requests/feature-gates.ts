import { groupOf, isMap, listAt, type Resource, valueAt } from "../core/resource.ts";
import { featureSetKey, gateName, isForProfile, type ReleaseRules } from "./release-filter.ts";

/*
 * Which feature gates are on is known to the release and to the cluster. Both say it in an object of one form: the release's
 * manifests `0000_50_cluster-config-api_featureGate-*.yaml`, one for each feature set and profile, and
 * `FeatureGate/cluster` (OpenShift API, config/v1, FeatureGate).
 */

/** Says whether an object states feature gates. */
export function isFeatureGate({ apiVersion, kind }: Resource): boolean {
  return kind === "FeatureGate" && groupOf(apiVersion) === "config.openshift.io";
}

/** Says whether an object is a release's statement of a feature set, which is never applied to a cluster by hand. */
export function isReleaseFeatureGate(item: Resource): boolean {
  return isFeatureGate(item) && item.annotations.has(featureSetKey);
}

/**
 * The rules of a cluster with the gates that objects among the items state for its feature set, profile and version. What the
 * rules say themselves counts first. A gate of which objects or versions say different things is not stated, and neither is
 * one that is stated for another version: a cluster knows nothing of the release that it is upgraded to.
 *
 * @param isComparison the items may be of another release than the cluster's: then what a cluster has off says nothing.
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

/** The feature set that an object states: that of its annotation, or the cluster's own. */
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
  // A release's manifest names no version: it is the release's that it comes with.
  const isOfRelease = (text: unknown) => text === undefined || text === "";
  const isOfVersion = (text: unknown) =>
    version === undefined || isOfRelease(text) || `${String(text)}.`.startsWith(`${version}.`);
  for (const map of listAt(value, ["status", "featureGates"]).filter(isMap)) {
    if (!isOfVersion(map["version"])) continue;
    for (const gate of listAt(map, ["enabled"])) if (isMap(gate)) on.add(String(gate["name"]));
    if (isComparison && !isOfRelease(map["version"])) continue;
    for (const gate of listAt(map, ["disabled"])) if (isMap(gate)) off.add(String(gate["name"]));
  }
  const custom = valueAt(value, ["spec", "customNoUpgrade"]) ?? null;
  for (const gate of listAt(custom, ["enabled"])) on.add(String(gate));
  for (const gate of listAt(custom, ["disabled"])) off.add(String(gate));
}
