import { asText } from "../core/json.ts";
import { groupOf, isMap, listAt, type Resource, type Value, valueAt } from "../core/resource.ts";
import { defaults } from "../generated/schema-facts.ts";

/** What a cluster includes of a release. */
export interface ReleaseFilter {
  readonly profile: string;
  readonly excludeIdentifier: string;
  readonly featureSet: string;
  /** Enabled gates; with `-` before the name, disabled gates. */
  readonly featureGates: readonly string[];
  /** Major and minor version, such as `4.22`; undefined if unknown. */
  readonly version?: string | undefined;
  /** Undefined: all capabilities. */
  readonly capabilities?: readonly string[];
}

/** What a cluster includes with default settings. */
export const defaultRelease = {
  profile: defaults["spec.release.profile"],
  excludeIdentifier: defaults["spec.release.excludeIdentifier"],
  featureSet: defaults["spec.release.featureSet"],
  featureGates: [],
} as const satisfies ReleaseFilter;

/** Why an object can be excluded from a cluster: the codes, and the fields of a ClusterIdentity that decide it. */
export const exclusionFields = {
  "skipped-feature-set": "spec.release.featureSet",
  "skipped-feature-gate": "spec.release.featureGates",
  "feature-gate-unknown": "spec.release.featureGates",
  "skipped-major-version": "spec.release.version",
  "skipped-capability": "spec.release.capabilities",
  "skipped-profile": "spec.release.profile",
  "skipped-excluded": "spec.release.excludeIdentifier",
} as const;

/** Why an object is excluded from a cluster. */
export interface Exclusion {
  readonly code: keyof typeof exclusionFields;
  readonly reason: string;
}

/**
 * Why the annotations of an object of a release payload exclude it from a cluster; undefined if it is included. The
 * rules are those of the cluster-version-operator and of `oc adm release extract --included`.
 *
 * An object without a profile annotation is included, as in `oc`. The cluster-version-operator would not apply it.
 */
export function exclusionOf(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): Exclusion | undefined {
  return (
    byFeature(annotations, filter) ??
    byVersion(annotations, filter) ??
    byCapability(annotations, filter) ??
    byProfile(annotations, filter)
  );
}

/** The feature sets that an object of a release is for. */
const featureSetKey = "release.openshift.io/feature-set";
const featureGateKey = "release.openshift.io/feature-gate";
const capabilityKey = "capability.openshift.io/name";

function byFeature(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): Exclusion | undefined {
  const sets = annotations.get(featureSetKey);
  const gates = annotations.get(featureGateKey);
  if (sets !== undefined && gates !== undefined) {
    return {
      code: "skipped-feature-gate",
      reason: "it has both a feature-set and a feature-gate annotation, so no cluster includes it",
    };
  }
  if (sets !== undefined && !featureSetsOf(annotations).includes(filter.featureSet)) {
    return {
      code: "skipped-feature-set",
      reason: `it requires the feature set ${featureSetsOf(annotations).join(" or ") || "(none)"}; this cluster uses ${filter.featureSet}`,
    };
  }
  const unmet = gates === undefined ? [] : words(gates, ",").filter((gate) => isSatisfied(gate, filter) !== true);
  const failed = unmet.find((gate) => isSatisfied(gate, filter) === false);
  if (unmet.length === 0) return undefined;
  if (failed === undefined) return unknownGates(unmet, filter);
  const needed = failed.startsWith("-") ? `${failed.slice(1)} to be disabled` : `${failed}, which is not enabled`;
  return { code: "skipped-feature-gate", reason: `it requires the feature gate ${needed}` };
}

function unknownGates(unmet: readonly string[], { featureSet }: ReleaseFilter): Exclusion {
  const names = unmet.map(gateName);
  return {
    code: "feature-gate-unknown",
    reason: `it is unknown whether the feature set ${featureSet} enables the feature ${names.length === 1 ? "gate" : "gates"} ${names.join(", ")}`,
  };
}

/** The name of a gate, without the `-` that marks it as disabled. */
export function gateName(gate: string): string {
  return gate.replace(/^-/, "");
}

const majorVersionKey = "release.openshift.io/major-version";

/** Whether an object is only for certain major versions of OpenShift. */
export function hasMajorVersion(annotations: ReadonlyMap<string, string>): boolean {
  return annotations.has(majorVersionKey);
}

function byVersion(annotations: ReadonlyMap<string, string>, { version }: ReleaseFilter): Exclusion | undefined {
  const majors = annotations.get(majorVersionKey);
  const major = version?.split(".")[0];
  if (majors === undefined || major === undefined || words(majors, ",").includes(major)) return undefined;
  return {
    code: "skipped-major-version",
    reason: `it is for the major version ${words(majors, ",").join(" or ") || "(none)"}; this cluster has ${major}`,
  };
}

/** The feature sets that an object's annotation lists; empty if it has none. */
export function featureSetsOf(annotations: ReadonlyMap<string, string>): string[] {
  return words(annotations.get(featureSetKey) ?? "", ",");
}

/** The feature gates that an object's inclusion depends on, whether it requires them enabled or disabled. */
export function gatesOf(annotations: ReadonlyMap<string, string>): string[] {
  return requiredGatesOf(annotations).map(gateName);
}

/** The feature gates that an object requires: enabled or, with `-` before the name, disabled. */
export function requiredGatesOf(annotations: ReadonlyMap<string, string>): string[] {
  return words(annotations.get(featureGateKey) ?? "", ",");
}

/** The capabilities that an object needs. */
export function capabilitiesOf(annotations: ReadonlyMap<string, string>): string[] {
  return words(annotations.get(capabilityKey) ?? "", "+");
}

// Undefined if the state of the gate is unknown.
function isSatisfied(gate: string, filter: ReleaseFilter): boolean | undefined {
  const isOn = gateState(gateName(gate), filter);
  return isOn === undefined ? undefined : isOn !== gate.startsWith("-");
}

// Up to 4.11, a feature set could be named in place of a gate. In the default set, a gate without a statement is
// disabled.
function gateState(name: string, { featureGates, featureSet }: ReleaseFilter): boolean | undefined {
  if (featureGates.includes(name)) return true;
  if (name === "TechPreviewNoUpgrade") return featureSet === name;
  return featureSet === "Default" || featureGates.includes(`-${name}`) ? false : undefined;
}

function byCapability(
  annotations: ReadonlyMap<string, string>,
  { capabilities }: ReleaseFilter,
): Exclusion | undefined {
  const needed = annotations.get(capabilityKey);
  if (needed === undefined || capabilities === undefined) return undefined;
  const missing = words(needed, "+").find((word) => !capabilities.includes(word));
  return missing === undefined
    ? undefined
    : { code: "skipped-capability", reason: `it requires the capability ${missing}, which is not enabled` };
}

const includePrefix = "include.release.openshift.io/";
const excludePrefix = "exclude.release.openshift.io/";

function byProfile(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): Exclusion | undefined {
  if (filter.excludeIdentifier !== "" && annotations.get(excludePrefix + filter.excludeIdentifier) === "true") {
    return { code: "skipped-excluded", reason: `it is excluded for ${filter.excludeIdentifier}` };
  }
  if (annotations.get(includePrefix + filter.profile) === "true" || !isOfRelease(annotations)) return undefined;
  return { code: "skipped-profile", reason: `it is not for the cluster profile ${filter.profile}` };
}

/** Whether an object names a profile, with any value, or no profile at all. */
function isForProfile(annotations: ReadonlyMap<string, string>, profile: string): boolean {
  return annotations.has(includePrefix + profile) || !isOfRelease(annotations);
}

/** The cluster profiles that an object is for. */
export function profilesOf(annotations: ReadonlyMap<string, string>): string[] {
  const keys = [...annotations.keys()].filter((key) => key.startsWith(includePrefix));
  return keys.map((key) => key.slice(includePrefix.length));
}

/** Whether an object names the cluster profiles that it is for, as every manifest of a release payload does. */
export function isOfRelease(annotations: ReadonlyMap<string, string>): boolean {
  for (const key of annotations.keys()) if (key.startsWith(includePrefix)) return true;
  return false;
}

function words(list: string, separator: string): string[] {
  return list
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

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
 * The filter of a cluster, with the gates that objects among the items state for its feature set, profile and version.
 * Gates in the filter itself take precedence. A gate is ignored if objects or versions contradict each other, or if
 * it is stated for another version: a cluster does not know the gates of the release that it is upgraded to.
 *
 * @param isComparison the items may belong to another release than the cluster's, so a gate that the cluster has
 *   disabled proves nothing.
 */
export function withStatedGates(
  filter: ReleaseFilter,
  items: readonly Resource[],
  { isComparison = false }: { readonly isComparison?: boolean } = {},
): ReleaseFilter {
  const stating = items.filter((item) => isFeatureGate(item) && isForCluster(item, filter));
  if (stating.length === 0) return filter;
  const known = new Set(filter.featureGates.map(gateName));
  const [on, off] = [new Set<string>(), new Set<string>()];
  const version = isComparison ? undefined : filter.version;
  for (const item of stating) collect(item, { version, isComparison }, on, off);
  const stated = [
    ...[...on].filter((gate) => !off.has(gate)),
    ...[...off].filter((gate) => !on.has(gate)).map((gate) => `-${gate}`),
  ];
  const more = stated.filter((gate) => !known.has(gateName(gate)));
  return { ...filter, featureGates: [...filter.featureGates, ...more.sort()] };
}

/** The feature sets that an object is about: those of its annotation, or the one that the cluster uses. */
export function statedFeatureSets(item: Resource): readonly string[] {
  const sets = item.annotations.get(featureSetKey);
  if (sets !== undefined) return sets.split(",").map((set) => set.trim());
  const set = valueAt(item.value(), ["spec", "featureSet"]);
  // OpenShift API, FeatureGateSelection: the default set has the empty name.
  return [typeof set === "string" && set !== "" ? set : "Default"];
}

function isForCluster(item: Resource, filter: ReleaseFilter): boolean {
  return statedFeatureSets(item).includes(filter.featureSet) && isForProfile(item.annotations, filter.profile);
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
