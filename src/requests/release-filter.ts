/** What of a release is on in a cluster. */
export interface ReleaseRules {
  readonly profile: string;
  readonly excludeIdentifier: string;
  readonly featureSet: string;
  /** Gates that are on; with `-` before the name, off. */
  readonly featureGates: readonly string[];
  /** Major and minor, such as `4.22`; undefined where nobody says it. */
  readonly version?: string | undefined;
  /** Left out: all capabilities. */
  readonly capabilities?: readonly string[];
}

/** The rules for a cluster of which nothing else is said. */
export const defaultRelease = {
  profile: "self-managed-high-availability",
  excludeIdentifier: "",
  featureSet: "Default",
  featureGates: [],
} as const satisfies ReleaseRules;

/** Why an object is left out of a cluster. */
export interface Exclusion {
  readonly code:
    | "skipped-feature-set"
    | "skipped-feature-gate"
    | "feature-gate-unknown"
    | "skipped-capability"
    | "skipped-profile"
    | "skipped-excluded"
    | "skipped-major-version";
  readonly reason: string;
}

/**
 * Whether an object of a release payload is included in a cluster, by its annotations: the rules of the
 * cluster-version-operator and of `oc adm release extract --included`.
 *
 * An object without any profile annotation is included, as `oc` does; the cluster-version-operator would not apply it.
 */
export function exclusionOf(annotations: ReadonlyMap<string, string>, rules: ReleaseRules): Exclusion | undefined {
  return (
    byFeature(annotations, rules) ??
    byVersion(annotations, rules) ??
    byCapability(annotations, rules) ??
    byProfile(annotations, rules)
  );
}

/** The feature sets that an object of a release is for. */
export const featureSetKey = "release.openshift.io/feature-set";
const featureGateKey = "release.openshift.io/feature-gate";
const capabilityKey = "capability.openshift.io/name";

function byFeature(annotations: ReadonlyMap<string, string>, rules: ReleaseRules): Exclusion | undefined {
  const sets = annotations.get(featureSetKey);
  const gates = annotations.get(featureGateKey);
  if (sets !== undefined && gates !== undefined) {
    return {
      code: "skipped-feature-gate",
      reason: "it has both a feature-set and a feature-gate annotation, which no cluster includes",
    };
  }
  if (sets !== undefined && !words(sets, ",").includes(rules.featureSet)) {
    return {
      code: "skipped-feature-set",
      reason: `it is for the feature set ${words(sets, ",").join(" or ") || "(none)"}, and this cluster's is ${rules.featureSet}`,
    };
  }
  const unmet = gates === undefined ? [] : words(gates, ",").filter((gate) => gateHolds(gate, rules) !== true);
  const failed = unmet.find((gate) => gateHolds(gate, rules) === false);
  if (unmet.length === 0) return undefined;
  if (failed === undefined) return unknownGates(unmet, rules);
  const wanted = failed.startsWith("-") ? `${failed.slice(1)} off` : `${failed} on`;
  return { code: "skipped-feature-gate", reason: `it needs the feature gate ${wanted}` };
}

function unknownGates(unmet: readonly string[], { featureSet }: ReleaseRules): Exclusion {
  const names = unmet.map(gateName);
  return {
    code: "feature-gate-unknown",
    reason: `nothing says whether the feature gate ${names.join(", ")} is on in the feature set ${featureSet}`,
  };
}

/** The name of a gate that is written with a `-` where it is off. */
export function gateName(gate: string): string {
  return gate.replace(/^-/, "");
}

const majorVersionKey = "release.openshift.io/major-version";

/** Says whether an object is for some major versions of OpenShift alone. */
export function hasMajorVersion(annotations: ReadonlyMap<string, string>): boolean {
  return annotations.has(majorVersionKey);
}

function byVersion(annotations: ReadonlyMap<string, string>, { version }: ReleaseRules): Exclusion | undefined {
  const majors = annotations.get(majorVersionKey);
  const major = version?.split(".")[0];
  if (majors === undefined || major === undefined || words(majors, ",").includes(major)) return undefined;
  return {
    code: "skipped-major-version",
    reason: `it is for the major version ${words(majors, ",").join(" or ") || "(none)"}, and this cluster's is ${major}`,
  };
}

/** The feature gates that an object's inclusion depends on, whether it wants them on or off. */
export function gatesOf(annotations: ReadonlyMap<string, string>): string[] {
  return words(annotations.get(featureGateKey) ?? "", ",").map(gateName);
}

/** The capabilities that an object needs. */
export function capabilitiesOf(annotations: ReadonlyMap<string, string>): string[] {
  return words(annotations.get(capabilityKey) ?? "", "+");
}

// Undefined where nobody says whether the gate is on.
function gateHolds(gate: string, rules: ReleaseRules): boolean | undefined {
  const isOn = gateState(gateName(gate), rules);
  return isOn === undefined ? undefined : isOn !== gate.startsWith("-");
}

// Up to 4.11 a feature set could be named in the place of a gate. In the default set a gate that nobody names is taken to
// be off.
function gateState(name: string, { featureGates, featureSet }: ReleaseRules): boolean | undefined {
  if (featureGates.includes(name)) return true;
  if (name === "TechPreviewNoUpgrade") return featureSet === name;
  return featureSet === "Default" || featureGates.includes(`-${name}`) ? false : undefined;
}

function byCapability(annotations: ReadonlyMap<string, string>, { capabilities }: ReleaseRules): Exclusion | undefined {
  const needed = annotations.get(capabilityKey);
  if (needed === undefined || capabilities === undefined) return undefined;
  const missing = words(needed, "+").find((word) => !capabilities.includes(word));
  return missing === undefined
    ? undefined
    : { code: "skipped-capability", reason: `it needs the capability ${missing}` };
}

const includePrefix = "include.release.openshift.io/";
const excludePrefix = "exclude.release.openshift.io/";

function byProfile(annotations: ReadonlyMap<string, string>, rules: ReleaseRules): Exclusion | undefined {
  if (rules.excludeIdentifier !== "" && annotations.get(excludePrefix + rules.excludeIdentifier) === "true") {
    return { code: "skipped-excluded", reason: `it is excluded for ${rules.excludeIdentifier}` };
  }
  if (annotations.get(includePrefix + rules.profile) === "true" || !isOfRelease(annotations)) return undefined;
  return { code: "skipped-profile", reason: `it is not for the cluster profile ${rules.profile}` };
}

/** Says whether an object names a profile, whatever it says of it, or none at all. */
export function isForProfile(annotations: ReadonlyMap<string, string>, profile: string): boolean {
  return annotations.has(includePrefix + profile) || !isOfRelease(annotations);
}

/** The cluster profiles that an object is for. */
export function profilesOf(annotations: ReadonlyMap<string, string>): string[] {
  const keys = [...annotations.keys()].filter((key) => key.startsWith(includePrefix));
  return keys.map((key) => key.slice(includePrefix.length));
}

/** Says whether an object names the cluster profiles that it is for, as every manifest of a release payload does. */
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
