import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import { canonicalJson } from "../core/json.ts";
import { compareLocations, isMap, isToolAnnotation, type Resource, type Value } from "../core/resource.ts";
import { compareText, printable, quote } from "../core/text.ts";
import { repeatedNames, sharedSecrets } from "./conflicts.ts";
import { isCredentialsRequest, providerSpecOf, requestNamespace, secretKeyOf } from "./credentials-request.ts";
import { withStatedGates } from "./feature-gates.ts";
import { keysInAnnotations } from "./placeholders.ts";
import { exclusionOf, hasMajorVersion, type ReleaseRules } from "./release-filter.ts";

/** A request that counts for the cluster. */
export interface SelectedRequest {
  readonly resource: Resource;
  readonly value: Value;
  /** What names its Secret, `<namespace>/<name>`, or undefined where that is not written. */
  readonly secretKey: string | undefined;
  /** Requests of equal value, which do not count again; what is written into the one is written into them. */
  readonly copies: readonly Resource[];
}

/** A request that does not count, and the note or warning that says why. */
export interface SkippedRequest {
  readonly resource: Resource;
  readonly reason: Finding;
  /** Why, without a full stop. */
  readonly why: string;
}

/** What {@link selectRequests} found. */
export interface Selection {
  readonly requests: readonly SelectedRequest[];
  readonly skipped: readonly SkippedRequest[];
  /** What `skipped` says, and what is wrong. */
  readonly findings: readonly Finding[];
}

const otherProviders = new Set(
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
 * The CredentialsRequests that count for a cluster, sorted by Secret and name: those of its cloud, which its release
 * includes, each once. Every one that is left out is a note that says why.
 *
 * @param providerKind the kind of `spec.providerSpec` of the cluster's cloud.
 * @param countUndecided a request also counts where nobody says whether its feature gate is on: a comparison must not take
 *   it for gone.
 */
export function selectRequests(
  items: readonly Resource[],
  rules: ReleaseRules,
  providerKind: string,
  { countUndecided = false }: { readonly countUndecided?: boolean } = {},
): Selection {
  const findings: Finding[] = [];
  const stated = withStatedGates(rules, items, { isComparison: countUndecided });
  const skipped: SkippedRequest[] = [];
  const reasons: Finding[] = [];
  const taken: SelectedRequest[] = [];
  for (const resource of items) {
    if (!isCredentialsRequest(resource)) continue;
    const value = resource.value();
    const verdict = judge(resource, value, stated, providerKind);
    if (verdict !== undefined) reasons.push(verdict.reason);
    if (verdict === undefined || (countUndecided && verdict.reason.code === "feature-gate-unknown"))
      taken.push(new Selected(resource, secretKeyOf(value)));
    else skipped.push(verdict);
  }
  findings.push(...reasons, ...ignoredVersions(taken, rules));
  taken.sort(compareRequests);
  const requests = withoutRepeats(taken, findings);
  findings.push(...sharedSecrets(requests), ...repeatedNames(requests), ...requests.flatMap(namespaceFinding));
  return { requests, skipped, findings };
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

  // Built anew each time it is asked for: thousands of values need not be kept until the last request is judged.
  get value(): Value {
    return this.resource.value();
  }
}

const noCopies: readonly Resource[] = [];

function judge(
  resource: Resource,
  value: Value,
  rules: ReleaseRules,
  providerKind: string,
): SkippedRequest | undefined {
  if (resource.annotations.get("release.openshift.io/delete") === "true") {
    return skip("skipped-deletion", resource, "it is annotated for deletion");
  }
  const provider = providerSpecOf(value);
  if (provider === undefined) {
    const message = `has no "spec.providerSpec", so it asks for nothing; complete it or remove it.`;
    const reason = finding("error", "request-missing-field", message, { resource, field: "spec.providerSpec" });
    return { resource, reason, why: "it has no providerSpec" };
  }
  const kind = provider["kind"];
  if (kind !== providerKind) {
    if (typeof kind === "string" && otherProviders.has(kind)) {
      return skip("skipped-other-cloud", resource, `it is for another cloud (${kind})`);
    }
    const message = `is for a cloud that is not known here: "spec.providerSpec.kind" is ${quote(kind ?? "")}. It was left out; correct the kind if it is meant for this cluster.`;
    const reason = finding("warning", "provider-unknown", message, { resource, field: "spec.providerSpec.kind" });
    return { resource, reason, why: "its cloud is not known" };
  }
  const [key] = keysInAnnotations(resource);
  if (key !== undefined) return { resource, reason: key, why: "it holds a private key" };
  const out = exclusionOf(resource.annotations, rules);
  if (out === undefined) return undefined;
  return out.code === "feature-gate-unknown" ? undecided(resource, out.reason) : skip(out.code, resource, out.reason);
}

function undecided(resource: Resource, why: string): SkippedRequest {
  const message = `cannot be decided: ${printable(why)}. Name the gate in "spec.release.featureGates" of the ClusterIdentity ("-" before the name: it is off; "--feature-gates" of a comparison), or put the release's FeatureGate manifests (0000_50_cluster-config-api_featureGate-*.yaml) beside the requests.`;
  return { resource, reason: finding("warning", "feature-gate-unknown", message, { resource }), why };
}

// Newer releases name their major versions; a cluster whose version is not known takes all of them.
function ignoredVersions(taken: readonly SelectedRequest[], { version }: ReleaseRules): Finding[] {
  const count =
    version === undefined ? taken.filter(({ resource }) => hasMajorVersion(resource.annotations)).length : 0;
  if (count === 0) return [];
  const message = `${count} of the requests that count are for certain major versions of OpenShift ("release.openshift.io/major-version"); set "spec.release.version" to leave out those of others.`;
  return [finding("info", "major-version-ignored", message)];
}

function skip(code: FindingCode, resource: Resource, why: string): SkippedRequest {
  return { resource, reason: finding("info", code, `was left out: ${printable(why)}.`, { resource }), why };
}

// Values are compared only where the names are equal, and paths last: they decide nothing but which of two equal
// requests is the one that counts.
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
    const where = path === undefined ? "" : ` in ${quote(path)}`;
    findings.push(skip("skipped-duplicate", request.resource, `the same request stands${where} too`).reason);
  }
  return kept;
}

const canonicalForms = new WeakMap<Resource, string>();

// A request's value, without the annotations in which tools say where they found it.
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
  const is = resource.namespace === "" ? "has no namespace" : `is in the namespace ${quote(resource.namespace)}`;
  const message = `${is}; the cloud-credential-operator reads requests in "${requestNamespace}" alone. Set "metadata.namespace" to that.`;
  return [finding("warning", "request-namespace", message, { resource, field: "metadata.namespace" })];
}
