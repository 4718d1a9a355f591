import { asText } from "../core/json.ts";
import {
  groupOf,
  isMap,
  listAt,
  localConfig,
  type Resource,
  textAt,
  type Value,
  type ValueMap,
  valueAt,
} from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import {
  featureSetKey,
  featureSetsOf,
  isForMajorVersion,
  isOfRelease,
  profilesOf,
  type ReleaseFilter,
  type StatedGates,
} from "./release-filter.ts";

/*
 * Which feature gates are enabled is stated by the release and by the cluster, in objects of the same form (OpenShift API,
 * config/v1, FeatureGate): the release's manifests, one for each feature set and profile, and `FeatureGate/cluster` of a
 * cluster. The forms of the manifests are those of the payloads of 4.15 to 4.22 (openshift/api, payload-manifests).
 */

/** Whether an object is a FeatureGate. */
export function isFeatureGate({ apiVersion, kind }: Resource): boolean {
  return kind === "FeatureGate" && groupOf(apiVersion) === "config.openshift.io";
}

/**
 * Whether an object is a FeatureGate manifest of a release, which administrators never apply by hand: applied to a cluster, it
 * could change its feature set for good. Also the manifest with which a release creates an empty `FeatureGate/cluster`.
 */
export function isReleaseFeatureGate(item: Resource): boolean {
  if (!isFeatureGate(item)) return false;
  const versions = listAt(item.value(), ["status", "featureGates"]);
  if (item.annotations.has(featureSetKey) || isForConfigOperator(item)) return true;
  if (versions.length === 0) return item.annotations.get(createOnly) === "true";
  // A cluster's own object names the version of each list.
  return versions.every((list) => asText(valueAt(list, ["version"]) ?? "") === "");
}

/** Whether a manifest of a release states gates. The one that creates an empty `FeatureGate/cluster` does not. */
export function statesGates(item: Resource): boolean {
  return isReleaseFeatureGate(item) && listAt(item.value(), ["status", "featureGates"]).length > 0;
}

const createOnly = "release.openshift.io/create-only";

// The cluster-version-operator ignores a manifest with this value, and the cluster-config-operator reads it.
const forConfigOperator = "false-except-for-the-config-operator";

function isForConfigOperator({ annotations }: Resource): boolean {
  for (const [key, value] of annotations)
    if (key.startsWith("include.release.openshift.io/") && value === forConfigOperator) return true;
  return false;
}

/** The feature sets that a FeatureGate is about: those of its annotation, or the one that it sets. */
export function statedFeatureSets(item: Resource): readonly string[] {
  const sets = featureSetsOf(item.annotations);
  if (sets.length > 0) return sets;
  // OpenShift API, FeatureGateSelection: the default set has the empty name.
  return [textAt(item.value(), ["spec", "featureSet"]) || "Default"];
}

/**
 * The release manifests among objects that state the gates of a cluster: those for its feature set, profile, and major version.
 * There is usually one. A cluster with custom gates has those of the default set, except for the custom ones.
 */
function manifestsFor(items: readonly Resource[], filter: ReleaseFilter): Resource[] {
  const set = setOfManifests(filter);
  return items.filter(
    (item) =>
      statesGates(item) &&
      statedFeatureSets(item).includes(set) &&
      isForProfile(item, filter.profile) &&
      isForMajorVersion(item.annotations, filter.version),
  );
}

// No release has manifests for the set of custom gates.
function setOfManifests({ featureSet }: ReleaseFilter): string {
  return featureSet === "CustomNoUpgrade" ? "Default" : featureSet;
}

// Manifests of 4.15 have no annotations, and only the file name tells the profile.
function isForProfile(item: Resource, profile: string): boolean {
  if (isOfRelease(item.annotations)) return profilesOf(item.annotations).includes(profile);
  const [, name] = /featureGate-(?:[0-9]+-)*(Hypershift|SelfManagedHA)-[^/]*$/.exec(item.path ?? "") ?? [];
  return name === undefined || (name === "SelfManagedHA") === (profile === "self-managed-high-availability");
}

/**
 * The filter of a cluster, with what FeatureGate objects among the items state for its feature set, profile and version.
 * Objects of a cluster that name another version state nothing: a cluster does not know the gates of the release that it is
 * upgraded to. If objects contradict each other, the gate is unknown.
 */
export function withStatedGates(filter: ReleaseFilter, items: readonly Resource[]): ReleaseFilter {
  const gates = items.filter(isFeatureGate);
  const manifests = manifestsFor(gates, filter);
  const ofClusters = gates.filter((item) => !isReleaseFeatureGate(item) && isOfSet(item, filter));
  if (manifests.length + ofClusters.length === 0) return filter;
  const [on, off] = [new Set<string>(), new Set<string>()];
  for (const item of manifests) collect(item, undefined, on, off);
  for (const item of ofClusters) collect(item, filter.version, on, off);
  const states = new Map<string, boolean | undefined>();
  for (const name of off) states.set(name, false);
  for (const name of on) states.set(name, off.has(name) ? undefined : true);
  for (const item of ofClusters) setCustom(item, states);
  const stated: StatedGates = { states, isComplete: manifests.length > 0 };
  return { ...filter, stated };
}

function isOfSet(item: Resource, { featureSet }: ReleaseFilter): boolean {
  return statedFeatureSets(item).includes(featureSet);
}

function collect(item: Resource, version: string | undefined, on: Set<string>, off: Set<string>): void {
  for (const list of listAt(item.value(), ["status", "featureGates"]).filter(isMap)) {
    const own = asText(list["version"] ?? "");
    if (version !== undefined && own !== "" && !`${own}.`.startsWith(`${version}.`)) continue;
    for (const name of namesIn(list, "enabled")) on.add(name);
    for (const name of namesIn(list, "disabled")) off.add(name);
  }
}

function namesIn(list: Value, field: string): string[] {
  return listAt(list, [field]).flatMap((gate) => (isMap(gate) ? [asText(gate["name"])] : []));
}

function setCustom(item: Resource, states: Map<string, boolean | undefined>): void {
  const custom = (field: string) => listAt(item.value(), ["spec", "customNoUpgrade", field]).map(asText);
  for (const name of custom("disabled")) states.set(name, false);
  for (const name of custom("enabled")) states.set(name, true);
}

/** The names of all gates in FeatureGate objects, whatever they are about. */
export function statedGates(items: readonly Resource[]): string[] {
  const lists = items.filter(isFeatureGate).flatMap((item) => listAt(item.value(), ["status", "featureGates"]));
  return lists.flatMap((list) => [...namesIn(list, "enabled"), ...namesIn(list, "disabled")]);
}

/** The name of the object that a package has: not that of a cluster's own, so that the two never meet. */
const packageObjectName = "release-feature-gates";

/**
 * The object with which a package has the gates of its release; undefined if the items contain no manifest for its feature set,
 * profile, and major version. It is local configuration, so that no tool applies it.
 */
export function packageFeatureGate(items: readonly Resource[], filter: ReleaseFilter): ValueMap | undefined {
  const manifests = manifestsFor(items, filter);
  const [first] = manifests;
  if (first === undefined) return undefined;
  const [on, off] = [new Set<string>(), new Set<string>()];
  for (const item of manifests) collect(item, undefined, on, off);
  const named = (names: ReadonlySet<string>) => [...names].sort(compareText).map((name) => ({ name }));
  const set = setOfManifests(filter);
  return {
    apiVersion: first.apiVersion,
    kind: first.kind,
    metadata: {
      name: packageObjectName,
      annotations: {
        [localConfig]: "true",
        [`include.release.openshift.io/${filter.profile}`]: forConfigOperator,
        [featureSetKey]: set,
      },
    },
    spec: set === "Default" ? {} : { featureSet: set },
    // Contradicting manifests stay visible: a gate is then in both lists.
    status: { featureGates: [{ version: "", enabled: named(on), disabled: named(off) }] },
  };
}
