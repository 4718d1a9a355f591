import { finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { compareText, quote, quoteWhole } from "../core/text.ts";
import { listed } from "../core/words.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { isFilledIn } from "../requests/credentials-request.ts";
import {
  noSubscription,
  ownerOf,
  type RequestOwner,
  type Subscriptions,
  subscriptionAnnotation,
  subscriptionFor,
} from "../requests/operators.ts";
import { isOfRelease } from "../requests/release-filter.ts";
import type { SelectedRequest, SkippedRequest } from "../requests/select.ts";
import type { Cloud, Cluster, GivenIdentity } from "./cloud.ts";

/** Who each request of a cluster belongs to, and what remains for the administrator to decide. */
export interface Ownership {
  readonly owners: ReadonlyMap<SelectedRequest, RequestOwner>;
  /** Requests with an identity that is not the package's: no function generates anything for them. */
  readonly withOwnIdentity: readonly SkippedRequest[];
  /** Findings about requests of which it is unknown whether they belong to an OLM operator. */
  readonly findings: ReturnType<typeof finding>[];
}

/**
 * Determines to whom each request belongs.
 *
 * @param cluster undefined if it could not be read; then it is unknown whether the identity that a request names is the
 *   package's, and nothing is generated anyway.
 */
export function ownershipOf(
  requests: readonly SelectedRequest[],
  subscriptions: Subscriptions,
  { overrides }: Identity,
  cloud: Cloud,
  cluster: Cluster | undefined,
): Ownership {
  const owners = new Map<SelectedRequest, RequestOwner>();
  const withOwnIdentity: SkippedRequest[] = [];
  const unknown: SelectedRequest[] = [];
  const claimed = new Set<Resource>();
  for (const request of requests) {
    const owner = ownerOf(request, subscriptions);
    const isSkipped = overrides[request.secretKey ?? ""]?.skip === true;
    const given =
      owner.kind === "operator" || isSkipped || isOfRelease(request.resource.annotations)
        ? undefined
        : cluster?.givenIdentity(request);
    owners.set(request, given === undefined ? owner : { kind: "none", reason: ownIdentity(given, cloud) });
    if (owner.kind === "operator") {
      const subscription = subscriptionFor(request, subscriptions);
      if (!("severity" in subscription)) claimed.add(subscription);
    }
    if (given !== undefined) withOwnIdentity.push(ownIdentityOf(request, given, cloud));
    // A Secret without a name, or with a placeholder, is an error of its own.
    else if (owner.kind === "unknown" && !isSkipped && isFilledIn(request.secretKey ?? "")) unknown.push(request);
  }
  // No request can name a Subscription that is a template.
  const free = [...subscriptions.values()]
    .flat()
    .filter((one) => !claimed.has(one) && isFilledIn(`${one.namespace}/${one.name}`));
  // Where no request is from a release, as in a package of hand-written requests, the annotation of a release says nothing.
  const isMixed = requests.some(({ resource }) => isOfRelease(resource.annotations));
  const findings = free.length > 0 || isMixed ? unknown.map((request) => undecided(request, free, cloud)) : [];
  return { owners, withOwnIdentity, findings };
}

function ownIdentity({ field, value }: GivenIdentity, { identityNoun }: Cloud): string {
  return `its "${field}" names the ${identityNoun} ${quoteWhole(value)}`;
}

function ownIdentityOf({ resource }: SelectedRequest, given: GivenIdentity, cloud: Cloud): SkippedRequest {
  const why = ownIdentity(given, cloud);
  const keep = given.keep === undefined ? "" : `, or ${given.keep}`;
  const message = `excluded: ${why}, with which the cloud-credential-operator creates its Secret, so the package contains neither. If the package should contain the ${cloud.identityNoun}, remove the value${keep}.`;
  return { resource, reason: finding("info", "request-own-identity", message, { resource, field: given.field }), why };
}

/** How many Subscriptions a message names. */
const maxNames = 5;

// Asked before the first render: afterwards, a different answer would move or remove what was rendered.
function undecided({ resource, secretKey = "" }: SelectedRequest, free: readonly Resource[], cloud: Cloud) {
  const field = `metadata.annotations.${subscriptionAnnotation}`;
  const [namespace = ""] = secretKey.split("/");
  const none = `"${subscriptionAnnotation}: ${noSubscription}"`;
  const what = `is not from a release, and no Subscription is in the namespace ${quote(namespace)} of its Secret`;
  if (free.length === 0) {
    const message = `${what}. Its ${cloud.identityNoun} and its Secret are generated as for the platform. If no OLM operator needs them, set the annotation ${none} to confirm this; otherwise, add the Subscription of its operator to the package.`;
    return finding("warning", "request-owner-unknown", message, { resource, field });
  }
  const names = free.map((one) => `${one.namespace}/${one.name}`).sort(compareText);
  const choices = listed(
    names.map((name) => quoteWhole(`${subscriptionAnnotation}: ${name}`)),
    maxNames,
  );
  const message = `${what}, but no request belongs to ${names.length === 1 ? "a Subscription" : `${names.length} Subscriptions`} in another namespace. If an operator needs this request, set the annotation ${choices}. If none does, set ${none}.`;
  return finding("error", "request-owner-unknown", message, { resource, field });
}

/**
 * The finding about an OLM operator's request that names another identity than the one that is generated for it: an error,
 * unless the package was rendered before and the value can be an earlier one of its own.
 *
 * @param nameBefore the name of the identity that was rendered before for the request.
 */
export function identityDiffers(
  { resource }: SelectedRequest,
  { field, value, name, wanted, keep }: GivenIdentity,
  nameBefore: string | undefined,
  { identityNoun, accountNoun }: Cloud,
) {
  const given = `"${field}" is ${quoteWhole(value)}`;
  const ours = wanted === undefined ? `another ${identityNoun}` : quoteWhole(wanted);
  if (nameBefore !== undefined && (name === undefined || name === nameBefore)) {
    const message = `${given}, and is replaced with ${ours}, the ${identityNoun} that is now generated for this request.`;
    return finding("warning", "operator-role-differs", message, { resource, field });
  }
  const cure = keep === undefined ? "" : `To use it, ${keep}. Otherwise, `;
  const remove = `${cure === "" ? "R" : "r"}emove the value: the render writes the ${identityNoun} of the package there`;
  const other = `If the ${identityNoun} in the request must stay and is not in the ${accountNoun} of this package, set "skip" to true in its override`;
  const message = `${given}, but the package generates ${ours} for this request, and only one of them can be in its Secret. ${cure}${remove}. ${other}.`;
  return finding("error", "operator-role-differs", message, { resource, field });
}
