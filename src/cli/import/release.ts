import { listAt, type Resource, textAt, type Value, type ValueMap } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import { statedFeatureSets, withStatedGates } from "../../requests/feature-gates.ts";
import { defaultRelease, gateName, gatesOf, isOfRelease, profilesOf } from "../../requests/release-filter.ts";
import type { FoundCluster } from "./found-cluster.ts";

/**
 * `spec.release` of a live cluster: what differs from the defaults. Only those feature gates are listed that a request
 * requires: the others are the release's, and change with it.
 *
 * @param requests those of the package.
 */
export function releaseOf(
  { clusterVersion, featureGate }: Pick<FoundCluster, "clusterVersion" | "featureGate">,
  requests: readonly Resource[],
): ValueMap {
  const version = clusterVersion === undefined ? undefined : versionOf(clusterVersion.value());
  const [featureSet = "Default"] = featureGate === undefined ? [] : statedFeatureSets(featureGate);
  const profile = profileOf(requests);
  const gates = featureGate === undefined ? [] : gatesFor(featureGate, { featureSet, version, profile }, requests);
  const capabilities = clusterVersion === undefined ? undefined : capabilitiesOf(clusterVersion.value());
  return {
    ...(version === undefined ? {} : { version }),
    ...(profile === defaultRelease.profile ? {} : { profile }),
    ...(featureSet === "Default" ? {} : { featureSet }),
    ...(gates.length === 0 ? {} : { featureGates: gates }),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

// OpenShift API, config/v1, ClusterVersionStatus.
function versionOf(value: Value): string | undefined {
  return /^(\d+\.\d+)\./.exec(textAt(value, ["status", "desired", "version"]))?.[1];
}

// OpenShift API, config/v1, ClusterVersionCapabilitiesStatus. If all known capabilities are enabled, so are those of later
// releases.
function capabilitiesOf(value: Value): readonly string[] | undefined {
  const names = (field: string) =>
    listAt(value, ["status", "capabilities", field]).filter((name) => typeof name === "string");
  const [enabled, known] = [names("enabledCapabilities"), names("knownCapabilities")];
  if (known.every((name) => enabled.includes(name))) return undefined;
  return [...new Set(enabled)].sort(compareText);
}

// The cluster-version-operator applies the manifests of its profile only.
function profileOf(requests: readonly Resource[]): string {
  const all = requests
    .filter(({ annotations }) => isOfRelease(annotations))
    .map(({ annotations }) => profilesOf(annotations));
  const [first = []] = all;
  const common = first.filter((profile) => all.every((profiles) => profiles.includes(profile)));
  const [other = defaultRelease.profile] = common.sort(compareText);
  return common.includes(defaultRelease.profile) ? defaultRelease.profile : other;
}

interface Stated {
  readonly featureSet: string;
  readonly version: string | undefined;
  readonly profile: string;
}

function gatesFor(featureGate: Resource, stated: Stated, requests: readonly Resource[]): string[] {
  const custom = listAt(featureGate.value(), ["spec", "customNoUpgrade", "enabled"]).filter(
    (name) => typeof name === "string",
  );
  const named = new Set([...requests.flatMap(({ annotations }) => gatesOf(annotations)), ...custom]);
  const { featureGates } = withStatedGates({ ...defaultRelease, ...stated }, [featureGate]);
  return featureGates.filter((gate) => named.has(gateName(gate))).sort(compareText);
}

/** The capabilities and gates are assumed if the input does not contain the objects that tell them. */
export function assumedRelease({
  clusterVersion,
  featureGate,
}: Pick<FoundCluster, "clusterVersion" | "featureGate">): string[] {
  return [
    ...(clusterVersion === undefined
      ? ['All capabilities are assumed to be enabled. If some are not, set "spec.release.capabilities".']
      : []),
    ...(featureGate === undefined
      ? ['The feature set is assumed to be "Default". If it is another one, set "spec.release.featureSet".']
      : []),
  ];
}
