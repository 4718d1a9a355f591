import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import { canonicalJson } from "../core/json.ts";
import {
  compareLocations,
  isMap,
  isToolAnnotation,
  type Resource,
  type Value,
  type ValueMap,
} from "../core/resource.ts";
import { compareText, printable, quote } from "../core/text.ts";
import { repeatedNames, sharedSecrets } from "./conflicts.ts";
import {
  isCredentialsRequest,
  keysInAnnotations,
  providerSpecOf,
  requestNamespace,
  secretKeyOf,
} from "./credentials-request.ts";
import { withStatedGates } from "./feature-gates.ts";
import { encryptedRequest, misplacedRequests } from "./misplaced.ts";
import {
  exclusionOf,
  exclusionOfPrevious,
  gateName,
  hasMajorVersion,
  type ReleaseFilter,
  unknownTermsOf,
} from "./release-filter.ts";
import {
  aloneFinding,
  conflictFinding,
  invalidTransition,
  isOfPreviousRelease,
  type Merging,
  mergedFinding,
  mergedRequest,
} from "./transition.ts";
import { type SettledRequest, settle, type UndecidedRequest, undecidedFinding } from "./undecided.ts";

/** A request that is included in the cluster. */
export interface SelectedRequest {
  readonly resource: Resource;
  readonly value: Value;
  /** The key of its Secret, `<namespace>/<name>`, or undefined if it has no valid `spec.secretRef`. */
  readonly secretKey: string | undefined;
  /** Identical requests, which are excluded; changes to this request are made to them too. */
  readonly copies: readonly Resource[];
  /** The request of the previous release that {@link value} also contains. */
  readonly older?: Resource;
  /** Set if it was made of a WorkloadIdentity, which is then its {@link resource}. */
  readonly workload?: WorkloadTerms;
}

/** What a WorkloadIdentity says that no request can say. */
export interface WorkloadTerms {
  /** How pods get the identity. */
  readonly delivery: "ServiceAccount" | "Patch" | "Secret";
  /** Its section for the cloud of the cluster. */
  readonly section: ValueMap;
}

/** A request that is excluded, and the finding that says why. */
export interface SkippedRequest {
  readonly resource: Resource;
  readonly reason: Finding;
  /** The reason, without a period. */
  readonly why: string;
}

/** The result of {@link selectRequests}. */
export interface RequestSelection {
  readonly requests: readonly SelectedRequest[];
  readonly skipped: readonly SkippedRequest[];
  /** Requests that depend on gates of unknown state, included or not. */
  readonly undecided: readonly SettledRequest[];
  /** The filter with what FeatureGate objects among the items state. */
  readonly release: ReleaseFilter;
  /** The reasons of `skipped`, and what is wrong with requests. */
  readonly findings: readonly Finding[];
}

/** The kinds of `spec.providerSpec` of all clouds of OpenShift. */
export const knownProviders: ReadonlySet<string> = new Set(
  [
    "AWS",
    "GCP",
    "Azure",
    "OpenStack",
    "VSphere",
    "Nutanix",
    "IBMCloud",
    "IBMCloudPowerVS",
    "PowerVS",
    "Ovirt",
    "OVirt",
    "Kubevirt",
    "AlibabaCloud",
    "Alibaba",
    "Metal3",
  ].map((cloud) => `${cloud}ProviderSpec`),
);

/**
 * The CredentialsRequests that are included in a cluster, sorted by Secret and name: those for its cloud that its
 * release includes, without duplicates. Each excluded request has a finding that says why.
 *
 * A request that needs a gate of unknown state to be enabled is not included. One that only needs such gates to be disabled is
 * included, unless another request of its Secret needs them enabled: then neither is.
 *
 * @param providerKind the kind of `spec.providerSpec` of the cluster's cloud.
 * @param countUndecided also include requests of which a gate is unknown, one for each Secret, because a comparison must not
 *   report them as removed.
 * @param merging merges the requests of two releases for one Secret. Without it, they are an error.
 */
export function selectRequests(
  items: readonly Resource[],
  filter: ReleaseFilter,
  providerKind: string,
  { countUndecided = false, merging }: { readonly countUndecided?: boolean; readonly merging?: Merging } = {},
): RequestSelection {
  const findings: Finding[] = [];
  const release = withStatedGates(filter, items);
  const skipped: SkippedRequest[] = [];
  const taken: SelectedRequest[] = [];
  const open: UndecidedRequest[] = [];
  for (const resource of items) {
    if (!isCredentialsRequest(resource)) {
      findings.push(...misplacedRequests(resource));
      continue;
    }
    const value = resource.value();
    const exclusion = judge(resource, value, release, providerKind);
    const terms = exclusion === undefined || exclusion === "undecided" ? termsFor(resource, release) : [];
    if (terms.length > 0) {
      const requires = exclusion === undefined ? "disabled" : "enabled";
      const gates = [...new Set(terms.map(gateName))].sort(compareText);
      open.push({ resource, secretKey: secretKeyOf(value), gates, terms, requires });
    } else if (exclusion === undefined) taken.push(new Selected(resource, secretKeyOf(value)));
    else if (exclusion !== "undecided") skipped.push(exclusion);
  }
  const undecided = settle(open);
  const counted = undecided.filter(({ isIncluded }) => isIncluded);
  if (countUndecided) counted.push(...onePerSecret(undecided, [...taken, ...counted]));
  taken.push(...counted.map(({ resource, secretKey }) => new Selected(resource, secretKey)));
  findings.push(
    ...skipped.map(({ reason }) => reason),
    ...undecided.map((one) => undecidedFinding(one, release)),
    ...ignoredVersions(taken, filter),
  );
  taken.sort(compareRequests);
  const single = withoutRepeats(taken, findings);
  const { requests, unmerged } = withTransitions(single, merging, findings);
  const ofThisRelease = single.filter(({ resource }) => !isOfPreviousRelease(resource));
  findings.push(
    ...sharedSecrets(requests.filter((request) => !unmerged.has(request))),
    ...repeatedNames(ofThisRelease),
    ...single.flatMap(namespaceFinding),
  );
  return { requests, skipped, undecided, release, findings };
}

// A request of the previous release counts until the upgrade is finished, whatever the new release enables.
function termsFor(resource: Resource, release: ReleaseFilter): string[] {
  return isOfPreviousRelease(resource) ? [] : unknownTermsOf(resource.annotations, release);
}

/** The undecided requests that are not included, one for each Secret that no other request names. */
function onePerSecret(undecided: readonly SettledRequest[], included: readonly Pick<SelectedRequest, "secretKey">[]) {
  const known = new Set(included.map(({ secretKey }) => secretKey));
  return undecided.filter(({ isIncluded, secretKey }) => {
    if (isIncluded || (secretKey !== undefined && known.has(secretKey))) return false;
    known.add(secretKey);
    return true;
  });
}

class Selected implements SelectedRequest {
  readonly resource: Resource;
  readonly secretKey: string | undefined;
  readonly copies: readonly Resource[];

  constructor(resource: Resource, secretKey: string | undefined, copies: readonly Resource[] = noCopies) {
    this.resource = resource;
    this.secretKey = secretKey;
    this.copies = copies;
  }

  // Built on each access, so that thousands of values are not kept until the last request is processed.
  get value(): Value {
    return this.resource.value();
  }
}

const noCopies: readonly Resource[] = [];

/**
 * Merges the two requests of a Secret of which one belongs to the previous release.
 *
 * @param sorted by Secret.
 * @returns the requests, and those of them that could not be merged because one has errors of its own.
 */
function withTransitions(
  sorted: readonly SelectedRequest[],
  merging: Merging | undefined,
  findings: Finding[],
): { readonly requests: readonly SelectedRequest[]; readonly unmerged: ReadonlySet<SelectedRequest> } {
  const unmerged = new Set<SelectedRequest>();
  findings.push(...sorted.flatMap(({ resource }) => invalidTransition(resource)));
  if (merging === undefined || !sorted.some(({ resource }) => isOfPreviousRelease(resource)))
    return { requests: sorted, unmerged };
  const bySecret = new Map<string, SelectedRequest[]>();
  for (const request of sorted) {
    // Without a Secret, a request has an error, and no other belongs to it.
    const key = request.secretKey ?? `${bySecret.size}`;
    bySecret.set(key, [...(bySecret.get(key) ?? []), request]);
  }
  const requests = [...bySecret.values()].flatMap((same): readonly SelectedRequest[] => {
    const [older, ...moreOlder] = same.filter(({ resource }) => isOfPreviousRelease(resource));
    const [newer, ...moreNewer] = same.filter(({ resource }) => !isOfPreviousRelease(resource));
    if (older === undefined || moreOlder.length + moreNewer.length > 0) return same;
    if (newer === undefined) {
      findings.push(aloneFinding(older.resource));
      return same;
    }
    const merged = mergedRequest(newer.value, older.value, merging);
    if (merged === undefined) {
      for (const request of same) unmerged.add(request);
      return same;
    }
    if ("conflict" in merged) {
      findings.push(conflictFinding(newer.resource, older.resource, merged));
      return [newer];
    }
    findings.push(mergedFinding(newer.resource, older.resource));
    return [{ ...sameAs(newer), value: merged.value, older: older.resource }];
  });
  return { requests, unmerged };
}

// Without its value, which is built on each access.
function sameAs({ resource, secretKey, copies }: SelectedRequest): Omit<SelectedRequest, "value"> {
  return { resource, secretKey, copies };
}

function judge(
  resource: Resource,
  value: Value,
  filter: ReleaseFilter,
  providerKind: string,
): SkippedRequest | "undecided" | undefined {
  if (resource.annotations.get("release.openshift.io/delete") === "true") {
    return skip("skipped-deletion", resource, "it is annotated for deletion");
  }
  const encrypted = encryptedRequest(resource, value);
  if (encrypted !== undefined) return { resource, reason: encrypted, why: "it is encrypted" };
  const provider = providerSpecOf(value);
  if (provider === undefined) {
    const message = `lacks "spec.providerSpec", so it requests no permissions. Complete the request, or remove it.`;
    const reason = finding("error", "request-missing-field", message, { resource, field: "spec.providerSpec" });
    return { resource, reason, why: "it lacks a providerSpec" };
  }
  const kind = provider["kind"];
  if (kind !== providerKind) {
    if (typeof kind === "string" && knownProviders.has(kind)) {
      return skip("skipped-other-cloud", resource, `it is for another cloud (${kind})`);
    }
    const message = `excluded: its "spec.providerSpec.kind" is ${quote(kind ?? "")}, which belongs to no known cloud. If the request is for this cluster, correct the kind.`;
    const reason = finding("warning", "provider-unknown", message, { resource, field: "spec.providerSpec.kind" });
    return { resource, reason, why: "its cloud is unknown" };
  }
  const [key] = keysInAnnotations(resource);
  if (key !== undefined) return { resource, reason: key, why: "it contains a private key" };
  const out = isOfPreviousRelease(resource)
    ? exclusionOfPrevious(resource.annotations, filter)
    : exclusionOf(resource.annotations, filter);
  if (out === undefined) return undefined;
  return out.code === "feature-gate-unknown" ? "undecided" : skip(out.code, resource, out.reason);
}

// Whether such a request is included depends on the version. If it is unknown, nothing is taken away.
function ignoredVersions(taken: readonly SelectedRequest[], { version }: ReleaseFilter): Finding[] {
  const count =
    version === undefined ? taken.filter(({ resource }) => hasMajorVersion(resource.annotations)).length : 0;
  if (count === 0) return [];
  const message = `${count} of the included requests have the annotation "release.openshift.io/major-version", with which no cluster of 4.22 or later includes a request. Set "spec.release.version".`;
  return [finding("info", "major-version-ignored", message)];
}

function skip(code: FindingCode, resource: Resource, why: string): SkippedRequest {
  return { resource, reason: finding("info", code, `excluded: ${printable(why)}.`, { resource }), why };
}

// Values are compared only if the names are equal. Locations come last: they only decide which of two identical
// requests is included.
function compareRequests(a: SelectedRequest, b: SelectedRequest): number {
  return (
    compareText(a.secretKey ?? "", b.secretKey ?? "") ||
    compareText(a.resource.name, b.resource.name) ||
    compareText(canonicalForm(a.resource), canonicalForm(b.resource)) ||
    compareLocations(a.resource, b.resource)
  );
}

function withoutRepeats(sorted: readonly SelectedRequest[], findings: Finding[]): SelectedRequest[] {
  const kept: SelectedRequest[] = [];
  for (const request of sorted) {
    const before = kept.at(-1);
    if (
      before === undefined ||
      before.resource.name !== request.resource.name ||
      canonicalForm(before.resource) !== canonicalForm(request.resource)
    ) {
      kept.push(request);
      continue;
    }
    kept[kept.length - 1] = new Selected(before.resource, before.secretKey, [...before.copies, request.resource]);
    const { path } = before.resource;
    const where = path === undefined ? "the package" : quote(path);
    findings.push(skip("skipped-duplicate", request.resource, `an identical request is in ${where}`).reason);
  }
  return kept;
}

const canonicalForms = new WeakMap<Resource, string>();

// A request's value without the annotations that record where it came from.
function canonicalForm(resource: Resource): string {
  const known = canonicalForms.get(resource);
  if (known !== undefined) return known;
  const text = canonicalJson(withoutToolAnnotations(resource.value()));
  canonicalForms.set(resource, text);
  return text;
}

function withoutToolAnnotations(value: Value): Value {
  if (!isMap(value)) return value;
  const { metadata } = value;
  if (!isMap(metadata) || !isMap(metadata["annotations"])) return value;
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(metadata["annotations"]).filter(([key]) => !isToolAnnotation(key));
  return { ...value, metadata: kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) } };
}

function namespaceFinding({ resource }: SelectedRequest): Finding[] {
  if (resource.namespace === requestNamespace) return [];
  const field = "metadata.namespace";
  if (resource.namespace === "") {
    const message = `has no namespace, so "oc apply" would create it in the current one. Set ${quote(field)}, usually to "${requestNamespace}".`;
    return [finding("warning", "request-namespace", message, { resource, field })];
  }
  const message = `is in the namespace ${quote(resource.namespace)}. The cloud-credential-operator processes it, but reports its problems only in its own status: the ClusterOperator shows only requests in "${requestNamespace}".`;
  return [finding("info", "request-namespace", message, { resource, field })];
}
