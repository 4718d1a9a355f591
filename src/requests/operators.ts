import { type Finding, finding } from "../core/finding.ts";
import { allByKey, compareLocations, describe, groupOf, type Resource, refOf } from "../core/resource.ts";
import { compareText, printable, quote } from "../core/text.ts";
import { didYouMean, listed } from "../core/words.ts";
import { isCredentialsRequest } from "./credentials-request.ts";
import { isOfRelease } from "./release-filter.ts";
import type { SelectedRequest } from "./select.ts";

/** The annotation that names the Subscription of a request: `[<namespace>/]<name>`. */
export const subscriptionAnnotation = "fn.cloudcredential.dev/subscription";

/** The value of the annotation for a request that belongs to no Subscription. A Subscription of this name needs its namespace. */
export const noSubscription = "none";

/** Whether an object is a Subscription of the Operator Lifecycle Manager, of any version. */
function isSubscription(resource: Resource): boolean {
  return resource.kind === "Subscription" && groupOf(resource.apiVersion) === "operators.coreos.com";
}

/** Whether an object can assign a request to an OLM operator. Decided without building the object's value. */
export function concernsOperators(resource: Resource): boolean {
  return (
    isSubscription(resource) ||
    (isCredentialsRequest(resource) &&
      (resource.annotations.get(subscriptionAnnotation) ?? noSubscription) !== noSubscription)
  );
}

/** The Subscriptions of a list, by namespace. */
export type Subscriptions = ReadonlyMap<string, readonly Resource[]>;

/** The Subscriptions of a list, in an order that does not depend on the list. */
export function subscriptionsOf(items: readonly Resource[]): Subscriptions {
  const sorted = items.filter(isSubscription).sort((a, b) => compareText(a.name, b.name) || compareLocations(a, b));
  return allByKey(sorted, ({ namespace }) => namespace);
}

/** The owner of a request, and the reason. */
export interface RequestOwner {
  /**
   * An OLM operator, the platform, or neither, because the request has its own identity. Unknown if nothing says it: the
   * request is then handled as one of the platform's.
   */
  readonly kind: "operator" | "platform" | "none" | "unknown";
  readonly reason: string;
}

/**
 * Whether a request belongs to an OLM operator or to the platform. It belongs to an operator if its annotation names a
 * Subscription, or if a Subscription is in the namespace of its Secret. Requests of a release payload belong to the
 * platform despite a Subscription: in openshift-cluster-csi-drivers, drivers of the platform share the namespace with
 * drivers of operators. A request that is not from a release is of unknown origin otherwise.
 */
export function ownerOf({ resource, secretKey }: SelectedRequest, subscriptions: Subscriptions): RequestOwner {
  const annotation = resource.annotations.get(subscriptionAnnotation);
  if (annotation === noSubscription)
    return { kind: "platform", reason: `its annotation "${subscriptionAnnotation}" is "${noSubscription}"` };
  if (annotation !== undefined)
    return { kind: "operator", reason: `it has the annotation "${subscriptionAnnotation}"` };
  const [first] = subscriptions.get(namespaceOf(secretKey)) ?? [];
  if (first === undefined)
    return {
      kind: isOfRelease(resource.annotations) ? "platform" : "unknown",
      reason: `no Subscription is in the namespace of its Secret, and it has no annotation "${subscriptionAnnotation}"`,
    };
  const subscription = `${describe(refOf(first))} is in the namespace of its Secret`;
  return isOfRelease(resource.annotations)
    ? {
        kind: "platform",
        reason: `it names cluster profiles, as a release's requests do, although ${subscription}; to assign it to the operator, set the annotation "${subscriptionAnnotation}"`,
      }
    : { kind: "operator", reason: subscription };
}

/** A note that another function handles a request. */
export function delegatedTo(
  code: "skipped-operator" | "skipped-platform",
  fn: string,
  resource: Resource,
  reason: string,
): Finding {
  return finding("info", code, `is delegated to ${fn}: ${printable(reason)}.`, { resource });
}

/** How many Subscriptions or files a message names. */
const maxNames = 5;

const annotationField = `metadata.annotations.${subscriptionAnnotation}`;
const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const reference = new RegExp(`^(?:(${label})/)?(${label}(?:\\.${label})*)$`);

/** The Subscription of an operator's request, or the finding that there is not exactly one. */
export function subscriptionFor(
  { resource, secretKey }: SelectedRequest,
  subscriptions: Subscriptions,
): Resource | Finding {
  const given = resource.annotations.get(subscriptionAnnotation);
  if (given === undefined) {
    const known = subscriptions.get(namespaceOf(secretKey)) ?? [];
    if (known[0] !== undefined && known.length === 1) return known[0];
    const names = known.map(({ name }) => quote(name));
    const message = `has its Secret in the namespace ${quote(namespaceOf(secretKey))}, which contains ${known.length} Subscriptions. Set its annotation "${subscriptionAnnotation}" to the Subscription of its operator: ${listed(names, maxNames)}.`;
    return finding("error", "subscription-ambiguous", message, { resource, field: annotationField });
  }
  const [, namespace = namespaceOf(secretKey), name] = reference.exec(given) ?? [];
  if (name === undefined) {
    const message = `"${annotationField}" is ${quote(given)}, but must be the name of a Subscription, or "<namespace>/<name>".`;
    return finding("error", "subscription-unknown", message, { resource, field: annotationField });
  }
  const [first, ...others] = (subscriptions.get(namespace) ?? []).filter((resource) => resource.name === name);
  if (first === undefined) {
    const message = `"${annotationField}" names the Subscription ${quote(`${namespace}/${name}`)}, which is not in the package${nearOne(`${namespace}/${name}`, subscriptions)}. Correct the annotation, or add the Subscription to the package.`;
    return finding("error", "subscription-unknown", message, { resource, field: annotationField });
  }
  if (others.length === 0) return first;
  const files = [...new Set([first, ...others].flatMap(({ path }) => (path === undefined ? [] : quote(path))))];
  const where = files.length === 0 ? "" : ` (${listed(files, maxNames)})`;
  const message = `belongs to ${describe(refOf(first))}, which appears ${others.length + 1} times in the package${where}. Remove all but one.`;
  return finding("error", "subscription-ambiguous", message, { resource, field: annotationField });
}

function nearOne(wanted: string, subscriptions: Subscriptions): string {
  const known = [...subscriptions.values()].flat().map(({ namespace, name }) => `${namespace}/${name}`);
  return didYouMean(wanted, known.sort(compareText));
}

/** Subscriptions with an invalid name or namespace, usually a placeholder. No request can belong to them. */
export function namelessSubscriptions(subscriptions: Subscriptions): Finding[] {
  return [...subscriptions.values()].flat().flatMap((resource) => {
    const { namespace, name } = resource;
    if (reference.test(`${namespace}/${name}`)) return [];
    const isName = reference.test(`x/${name}`);
    const field = `metadata.${isName ? "namespace" : "name"}`;
    const message = `"${field}" is ${quote(isName ? namespace : name)}, not a valid name, so no request can belong to this Subscription. Fill it in.`;
    return [finding("warning", "subscription-name-invalid", message, { resource, field })];
  });
}

function namespaceOf(secretKey: string | undefined): string {
  return (secretKey ?? "").split("/")[0] as string;
}
