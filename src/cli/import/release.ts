import { type Finding, finding } from "../../core/finding.ts";
import { listAt, type Resource, textAt, type Value, type ValueMap } from "../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { alternatives } from "../../core/words.ts";
import { secretKeyOf } from "../../requests/credentials-request.ts";
import { statedFeatureSets, withStatedGates } from "../../requests/feature-gates.ts";
import {
  defaultRelease,
  exclusionOf,
  featureSetsOf,
  gatesOf,
  isOfRelease,
  profilesOf,
  type ReleaseFilter,
  requiredGatesOf,
} from "../../requests/release-filter.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { FoundCluster } from "./found-cluster.ts";

/** What the flags say of the cluster's feature gates. */
export interface GivenRelease {
  /** `--feature-set` */
  readonly featureSet: string | undefined;
  /** `--feature-gate` */
  readonly featureGates: readonly string[];
}

/** The objects that state which requests a cluster includes. */
type Stating = Pick<FoundCluster, "clusterVersion" | "featureGate">;

/**
 * Refuses flags that the cluster's FeatureGate contradicts, and a feature set that a Secret of the cluster contradicts: if the
 * input has no FeatureGate, a request that is excluded must have no Secret. Its component identity would be missing in the
 * package, and a later apply with `--prune` would delete it.
 *
 * @param secrets the Secrets in the input, by `<namespace>/<name>`.
 * @param release the objects of the release: its FeatureGate manifests state gates.
 * @throws FindingsError `import-contradiction`
 */
export function refuseRelease(
  { clusterVersion, featureGate, secrets }: Stating & Pick<FoundCluster, "secrets">,
  requests: readonly Resource[],
  given: GivenRelease,
  release: readonly Resource[] = [],
): void {
  const findings =
    featureGate === undefined
      ? contradictingSecrets(
          requests,
          secrets,
          withStatedGates(filterOf({ clusterVersion, featureGate }, requests, given), release),
        )
      : contradictingFlags(featureGate, given);
  if (findings.length > 0) throw new FindingsError(findings);
}

/** What a live cluster includes of its release. */
export function filterOf(cluster: Stating, requests: readonly Resource[], given: GivenRelease): ReleaseFilter {
  return { ...defaultRelease, ...(releaseOf(cluster, requests, given) as Partial<ReleaseFilter>) };
}

function contradictingFlags(featureGate: Resource, { featureSet, featureGates }: GivenRelease): Finding[] {
  const [stated = defaultRelease.featureSet] = statedFeatureSets(featureGate);
  const messages = [
    ...(featureSet === undefined || featureSet === stated
      ? []
      : [
          `--feature-set is ${quote(featureSet)}, but the FeatureGate of the cluster says ${quoteWhole(stated)}. Remove the option, or pass the objects of the right cluster.`,
        ]),
    ...(featureGates.length === 0
      ? []
      : [
          "--feature-gate cannot be combined with the FeatureGate of the cluster, which lists the gates. Remove the option.",
        ]),
  ];
  return messages.map((message) => finding("error", "import-contradiction", message));
}

function contradictingSecrets(
  requests: readonly Resource[],
  secrets: FoundCluster["secrets"],
  filter: ReleaseFilter,
): Finding[] {
  return requests.flatMap((resource) => {
    const key = secretKeyOf(resource.value());
    const exclusion = exclusionOf(resource.annotations, filter);
    if (exclusion === undefined || key === undefined || !secrets.has(key)) return [];
    const cure = cureOf(exclusion.code, resource);
    if (cure === undefined || cure === "") return [];
    const message = `the input contains its Secret ${quoteWhole(key)}, so the cluster includes the request, but with the feature set ${quote(filter.featureSet)} it is excluded: ${exclusion.reason}. Pass ${cure}, or the FeatureGate of the cluster with "--from".`;
    return [finding("error", "import-contradiction", message, { resource })];
  });
}

// ccoctl also creates identities for requests of other profiles and capabilities, so their Secrets prove nothing.
function cureOf(code: string, { annotations }: Resource): string | undefined {
  if (code === "skipped-feature-set")
    return alternatives(featureSetsOf(annotations).map((set) => quoteWhole(`--feature-set=${set}`)));
  if (code !== "skipped-feature-gate" && code !== "feature-gate-unknown") return undefined;
  // Such a request also has a feature set, so no cluster includes it.
  if (featureSetsOf(annotations).length > 0) return undefined;
  return requiredGatesOf(annotations)
    .map((gate) => quoteWhole(`--feature-gate=${gate}`))
    .join(" and ");
}

/** The capabilities and gates are assumed if the input does not contain the objects that tell them. */
export function assumedRelease({ clusterVersion, featureGate }: Stating, given: GivenRelease): string[] {
  return [
    ...(clusterVersion === undefined
      ? ['All capabilities are assumed to be enabled. If some are not, set "spec.release.capabilities".']
      : []),
    ...(featureGate === undefined && given.featureSet === undefined
      ? ['The feature set is assumed to be "Default". If it is another one, set "spec.release.featureSet".']
      : []),
  ];
}

/**
 * `spec.release` of a live cluster: what differs from the defaults. Only those feature gates are listed that a request
 * requires: the others are the release's, and change with it.
 *
 * @param requests those of the package.
 * @param given what replaces a FeatureGate that the input lacks.
 */
export function releaseOf(
  { clusterVersion, featureGate }: Stating,
  requests: readonly Resource[],
  given: GivenRelease,
): ValueMap {
  const version = clusterVersion === undefined ? undefined : versionOf(clusterVersion.value());
  const [featureSet = defaultRelease.featureSet] =
    featureGate === undefined ? [given.featureSet] : statedFeatureSets(featureGate);
  const profile = profileOf(requests);
  const gates =
    featureGate === undefined
      ? [...given.featureGates].sort(compareText)
      : gatesFor(featureGate, { featureSet, version, profile }, requests);
  const capabilities = clusterVersion === undefined ? undefined : capabilitiesOf(clusterVersion.value());
  return {
    ...(version === undefined ? {} : { version }),
    ...(profile === defaultRelease.profile ? {} : { profile }),
    ...(featureSet === defaultRelease.featureSet ? {} : { featureSet }),
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
  const { stated: found } = withStatedGates({ ...defaultRelease, ...stated }, [featureGate]);
  return [...(found?.states ?? [])]
    .flatMap(([name, isOn]) => (named.has(name) && isOn !== undefined ? [isOn ? name : `-${name}`] : []))
    .sort(compareText);
}
