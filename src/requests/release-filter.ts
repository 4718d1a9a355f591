import { quote } from "../core/text.ts";
import { defaults, featureSets } from "../generated/schema-facts.ts";

/** What FeatureGate objects state about feature gates. */
export interface StatedGates {
  /** Whether a gate is enabled; undefined if objects contradict each other. */
  readonly states: ReadonlyMap<string, boolean | undefined>;
  /** Whether a gate that is not in {@link states} is disabled: each manifest of a release lists all gates of the release. */
  readonly isComplete: boolean;
}

/** What a cluster includes of a release. */
export interface ReleaseFilter {
  readonly profile: string;
  readonly excludeIdentifier: string;
  readonly featureSet: string;
  /** Enabled gates; with `-` before the name, disabled gates. */
  readonly featureGates: readonly string[];
  /** What FeatureGate objects state about other gates. */
  readonly stated?: StatedGates;
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

/** `spec.release.version` of a release: major and minor version. */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/** The filter of a cluster for a release that it may not run yet: nothing but the configuration says what the cluster enables. */
export function filterFor(
  { version: _, ...filter }: ReleaseFilter,
  { version }: { readonly version: string | undefined },
): ReleaseFilter {
  return version === undefined ? filter : { ...filter, version: minorOf(version) };
}

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
 * rules are those of the cluster-version-operator (openshift/library-go, pkg/manifest) and of `oc adm release extract
 * --included`.
 *
 * An object without a profile annotation is included, as in `oc`. The cluster-version-operator would not apply it.
 *
 * An object that requires a gate of unknown state is excluded with `feature-gate-unknown`: nothing is granted because of
 * a guess. An object that only requires gates of unknown state to be disabled is included; see {@link unknownTermsOf}.
 */
export function exclusionOf(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): Exclusion | undefined {
  return (
    byFeatureSet(annotations, filter) ??
    byGate(annotations, filter) ??
    byVersion(annotations, filter) ??
    byCapability(annotations, filter) ??
    byProfile(annotations, filter) ??
    byUnknownGate(annotations, filter)
  );
}

/**
 * Why the annotations of a request that a package keeps of the previous release exclude it. The previous release decided
 * about gates, versions, and capabilities, and its component runs until the upgrade is finished.
 */
export function exclusionOfPrevious(
  annotations: ReadonlyMap<string, string>,
  filter: ReleaseFilter,
): Exclusion | undefined {
  return byFeatureSet(annotations, filter) ?? byProfile(annotations, filter);
}

/** The annotation with the feature sets that an object of a release is for. */
export const featureSetKey = "release.openshift.io/feature-set";
const featureGateKey = "release.openshift.io/feature-gate";
const capabilityKey = "capability.openshift.io/name";

function byFeatureSet(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): Exclusion | undefined {
  const sets = annotations.get(featureSetKey);
  if (sets === undefined) return undefined;
  if (annotations.has(featureGateKey)) {
    return {
      code: "skipped-feature-gate",
      reason: "it has both a feature-set and a feature-gate annotation, so no cluster includes it",
    };
  }
  const names = sets.split(",");
  const unknown = names.find((name) => !featureSets.some((set) => set === name));
  if (unknown !== undefined)
    return {
      code: "skipped-feature-set",
      reason: `it names the unknown feature set ${quote(unknown)}, so no cluster includes it`,
    };
  if (names.includes(filter.featureSet)) return undefined;
  return {
    code: "skipped-feature-set",
    reason: `it requires the feature set ${names.join(" or ")}; this cluster uses ${filter.featureSet}`,
  };
}

function byGate(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): Exclusion | undefined {
  const failed = requiredGatesOf(annotations).find((gate) => isSatisfied(gate, filter) === false);
  if (failed === undefined) return undefined;
  const needed = failed.startsWith("-") ? `${failed.slice(1)} to be disabled` : `${failed}, which is not enabled`;
  return { code: "skipped-feature-gate", reason: `it requires the feature gate ${needed}` };
}

function byUnknownGate(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): Exclusion | undefined {
  const unknown = unknownTermsOf(annotations, filter);
  if (unknown.every((gate) => gate.startsWith("-"))) return undefined;
  const names = unknown.map(gateName);
  const gates = `the feature ${names.length === 1 ? "gate" : "gates"} ${names.join(", ")}`;
  return {
    code: "feature-gate-unknown",
    reason: `it is unknown whether the feature set ${filter.featureSet} enables ${gates}`,
  };
}

/**
 * What an object requires of gates of unknown state, with `-` before the name of one that must be disabled. Unless something else
 * excludes the object, these gates decide whether it is included.
 */
export function unknownTermsOf(annotations: ReadonlyMap<string, string>, filter: ReleaseFilter): string[] {
  return requiredGatesOf(annotations).filter((gate) => isSatisfied(gate, filter) === undefined);
}

/** The name of a gate, without the `-` that marks it as disabled. */
export function gateName(gate: string): string {
  return gate.replace(/^-/, "");
}

/** The annotation with the major versions that an object is for. */
export const majorVersionKey = "release.openshift.io/major-version";

/**
 * Whether a FeatureGate or a CustomResourceDefinition is for the major version of a release, such as that of `4.22`: its annotation
 * lists major versions, with `-` before those that it is not for. With a malformed or contradictory list, it is for none
 * (openshift/library-go, pkg/manifest, checkMajorVersion).
 *
 * @param version undefined if unknown: then the annotation has no effect.
 */
export function isForMajorVersion(annotations: ReadonlyMap<string, string>, version: string | undefined): boolean {
  const list = annotations.get(majorVersionKey);
  if (list === undefined || version === undefined) return true;
  const majors = words(list, ",");
  if (!majors.every((major) => /^-?\d+$/.test(major))) return false;
  const included = majors.filter((major) => !major.startsWith("-")).map(Number);
  const excluded = majors.filter((major) => major.startsWith("-")).map((major) => Number(major.slice(1)));
  if (included.some((major) => excluded.includes(major))) return false;
  const own = Number(version.split(".")[0]);
  return included.length === 0 ? !excluded.includes(own) : included.includes(own);
}

/** Whether an object names major versions. */
export function hasMajorVersion(annotations: ReadonlyMap<string, string>): boolean {
  return annotations.has(majorVersionKey);
}

// The cluster-version-operator evaluates the annotation since 4.22, and only in FeatureGates and
// CustomResourceDefinitions: it applies no other object that has it.
function byVersion(annotations: ReadonlyMap<string, string>, { version }: ReleaseFilter): Exclusion | undefined {
  if (!hasMajorVersion(annotations) || version === undefined || isBefore(version, 4, 22)) return undefined;
  const reason =
    "it has a major-version annotation, which only FeatureGates and CustomResourceDefinitions can have, so no cluster of 4.22 or later includes it";
  return { code: "skipped-major-version", reason };
}

/** Whether a version, such as `4.21`, is before another one. */
export function isBefore(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
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

/**
 * Whether a gate is enabled in a cluster; undefined if neither the configuration nor a FeatureGate object states it, or if
 * objects contradict each other. That is so in the default feature set, too: a release may enable a gate in it.
 */
export function gateState(name: string, { featureGates, featureSet, stated }: ReleaseFilter): boolean | undefined {
  if (featureGates.includes(name)) return true;
  if (featureGates.includes(`-${name}`)) return false;
  // Up to 4.11, a feature set could be named in place of a gate.
  if (name === "TechPreviewNoUpgrade") return featureSet === name;
  if (stated?.states.has(name)) return stated.states.get(name);
  return stated?.isComplete ? false : undefined;
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
