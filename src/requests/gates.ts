/** What of a release is on in a cluster. */
export interface ReleaseRules {
  readonly profile: string;
  readonly excludeIdentifier: string;
  readonly featureSet: string;
  readonly featureGates: readonly string[];
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
export interface LeftOut {
  readonly code:
    | "skipped-feature-set"
    | "skipped-feature-gate"
    | "skipped-capability"
    | "skipped-profile"
    | "skipped-excluded";
  readonly reason: string;
}

/**
 * Whether an object of a release payload is included in a cluster, by its annotations: the rules of the
 * cluster-version-operator and of `oc adm release extract --included`.
 *
 * An object without any profile annotation is included, as `oc` does; the cluster-version-operator would not apply it.
 */
export function leftOut(annotations: ReadonlyMap<string, string>, rules: ReleaseRules): LeftOut | undefined {
  return byFeature(annotations, rules) ?? byCapability(annotations, rules) ?? byProfile(annotations, rules);
}

const featureSetKey = "release.openshift.io/feature-set";
const featureGateKey = "release.openshift.io/feature-gate";
const capabilityKey = "capability.openshift.io/name";

function byFeature(annotations: ReadonlyMap<string, string>, rules: ReleaseRules): LeftOut | undefined {
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
  const failed = gates === undefined ? undefined : words(gates, ",").find((gate) => !gateHolds(gate, rules));
  if (failed === undefined) return undefined;
  const wanted = failed.startsWith("-") ? `${failed.slice(1)} off` : `${failed} on`;
  return { code: "skipped-feature-gate", reason: `it needs the feature gate ${wanted}` };
}

/** The feature gates that an object's inclusion depends on, whether it wants them on or off. */
export function gatesOf(annotations: ReadonlyMap<string, string>): string[] {
  return words(annotations.get(featureGateKey) ?? "", ",").map((gate) => gate.replace(/^-/, ""));
}

/** The capabilities that an object needs. */
export function capabilitiesOf(annotations: ReadonlyMap<string, string>): string[] {
  return words(annotations.get(capabilityKey) ?? "", "+");
}

// Up to 4.11 a feature set could stand in the place of a gate.
function gateHolds(gate: string, { featureGates, featureSet }: ReleaseRules): boolean {
  const name = gate.replace(/^-/, "");
  const on = featureGates.includes(name) || (name === "TechPreviewNoUpgrade" && featureSet === name);
  return gate.startsWith("-") ? !on : on;
}

function byCapability(annotations: ReadonlyMap<string, string>, { capabilities }: ReleaseRules): LeftOut | undefined {
  const needed = annotations.get(capabilityKey);
  if (needed === undefined || capabilities === undefined) return undefined;
  const missing = words(needed, "+").find((one) => !capabilities.includes(one));
  return missing === undefined
    ? undefined
    : { code: "skipped-capability", reason: `it needs the capability ${missing}` };
}

const includePrefix = "include.release.openshift.io/";
const excludePrefix = "exclude.release.openshift.io/";

function byProfile(annotations: ReadonlyMap<string, string>, rules: ReleaseRules): LeftOut | undefined {
  if (rules.excludeIdentifier !== "" && annotations.get(excludePrefix + rules.excludeIdentifier) === "true") {
    return { code: "skipped-excluded", reason: `it is excluded for ${rules.excludeIdentifier}` };
  }
  if (annotations.get(includePrefix + rules.profile) === "true" || !isOfRelease(annotations)) return undefined;
  return { code: "skipped-profile", reason: `it is not for the cluster profile ${rules.profile}` };
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
