import { allowanceCure, removalOf } from "../../core/allowances.ts";
import { ruleCode } from "../../core/finding.ts";
import { allByKey, firstByKey, generatedBy, type Resource, type Value } from "../../core/resource.ts";
import { compareText, printable, quote } from "../../core/text.ts";
import { plural } from "../../core/words.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../../requests/credentials-request.ts";
import { exclusionOf } from "../../requests/release-filter.ts";
import type { KnownCloud } from "../cloud.ts";
import { quotedList } from "../granted.ts";
import type { Facts, Rule, Violation } from "../rule.ts";
import { minForSummary } from "./edited.ts";

/** What was rendered for a request or a WorkloadIdentity that no longer needs it: a Secret, a role, or both. */
interface NotRequested {
  /** The key of the Secret of the request, or of the WorkloadIdentity. */
  readonly key: string;
  /** The Secret, or the role's bundle ConfigMap if there is no Secret. */
  readonly resource: Resource;
  readonly secrets: number;
  readonly roles: number;
  /** What would need it. */
  readonly by: "request" | "WorkloadIdentity";
  /** Why, as the end of a sentence. */
  readonly reason: string;
  /** Whether an override or the release removes it. */
  readonly isMeant: boolean;
}

/**
 * The rendered Secrets and roles that no request needs; a Secret and its role count once. Empty without a valid
 * ClusterIdentity, because then it is unknown which requests are included.
 */
function notRequested(facts: Facts): NotRequested[] {
  const asked = askedKeys(facts);
  const groups = allByKey(renderedFor(facts), ({ key }) => (asked.has(key) ? undefined : key));
  if (groups.size === 0) return [];
  const reasonFor = reasons(facts);
  return [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, all]) => {
      const items = all.map(({ item }) => item);
      const secrets = items.filter(isSecret);
      const resource = (secrets[0] ?? items[0]) as Resource;
      const found = { key, resource, secrets: secrets.length, roles: items.length - secrets.length };
      return isOfWorkload(resource) ? { ...found, ...workloadGone } : { ...found, by: "request", ...reasonFor(key) };
    });
}

/** The subject of a sentence about what was rendered for one request: `this Secret and its role`. */
function subjectOf({ secrets, roles }: NotRequested, { identityNoun }: KnownCloud): string {
  if (secrets === 0) return `this ${identityNoun}`;
  return roles === 0 ? "this Secret" : `this Secret and its ${identityNoun}`;
}

const maker = /^(?:generate-cloud-credentials|configure-operators|generate-workload-identities)\/(.*)$/;

/** Whether an object was generated for a WorkloadIdentity. */
export function isOfWorkload({ annotations }: Resource): boolean {
  return annotations.get(generatedBy)?.startsWith("generate-workload-identities/") === true;
}

// Nothing but the WorkloadIdentity itself decides whether it counts.
const workloadGone = {
  by: "WorkloadIdentity",
  reason: "the package contains none with that namespace and name",
  isMeant: false,
} as const;

// Objects generated for another ClusterIdentity of the list belong to that one.
function renderedFor({ items, identity, rendered }: Facts): { key: string; item: Resource }[] {
  if (identity === undefined) return [];
  const others = new Set(items.filter(isClusterIdentity).map(({ name }) => name));
  others.delete(identity.name);
  const keys = new Map(rendered.map(({ resource, key }) => [resource, key]));
  return items.flatMap((item) => {
    const [, name] = maker.exec(item.annotations.get(generatedBy) ?? "") ?? [];
    const key = isSecret(item) ? `${item.namespace}/${item.name}` : keys.get(item);
    return name === undefined || others.has(name) || key === undefined ? [] : [{ key, item }];
  });
}

function isSecret({ kind }: Resource): boolean {
  return kind === "Secret";
}

function askedKeys({ requests, held, identity, workloads }: Facts): Set<string> {
  const overrides = identity?.overrides ?? {};
  const keys = [...requests.flatMap(({ secretKey }) => secretKey ?? []), ...held, ...workloads];
  return new Set(keys.filter((key) => overrides[key]?.skip !== true));
}

type Reason = Pick<NotRequested, "reason" | "isMeant">;

function reasons({ items, requests, release, cloud }: Facts): (key: string) => Reason {
  const included = new Set(requests.map(({ secretKey }) => secretKey));
  const all = items.filter(isCredentialsRequest);
  const byKey = firstByKey(all, (item) => secretKeyOf(item.value()));
  const unnamed = reasonUnnamed(all, cloud);
  return (key) => {
    if (included.has(key)) return { reason: 'its override sets "skip" to true', isMeant: true };
    const own = byKey.get(key);
    if (own?.annotations.get("release.openshift.io/delete") === "true")
      return { reason: "the release deletes its request", isMeant: true };
    if (own === undefined || kindOf(own) !== cloud.providerKind) return { reason: unnamed, isMeant: false };
    const out = exclusionOf(own.annotations, release);
    const why =
      out === undefined
        ? "its request is excluded"
        : `"spec.release" excludes its request, because ${printable(out.reason)}`;
    return { reason: why, isMeant: false };
  };
}

// Why no request of the cluster's cloud names a Secret.
function reasonUnnamed(all: readonly Resource[], { providerKind, title }: KnownCloud): string {
  if (all.length === 0) return "the package contains no CredentialsRequest";
  const kinds = new Set(all.map(kindOf));
  if (kinds.has(providerKind)) return `no CredentialsRequest for ${title} in the package names the Secret`;
  const named = [...new Set([...kinds].map((kind) => quote(kind ?? "")))].sort(compareText);
  return `the package's CredentialsRequests are for another cloud (${named.join(", ")})`;
}

function kindOf(request: Resource): Value | undefined {
  return providerSpecOf(request.value())?.["kind"];
}

export const renderedNotRequested: Rule = {
  code: ruleCode("rendered-not-requested"),
  severity: "error",
  reads: "package",
  summary: "Neither a request nor a WorkloadIdentity needs a rendered Secret or role.",
  why: "A render stops before it removes what nothing in the package needs. If it is allowed to, tools that prune remove the Secret from the cluster: a component that still runs loses its credentials. Usually this is a mistake. The release's requests are not in the package, they are for another cloud, or a misspelled name in `spec.release` excludes them. Or the WorkloadIdentity of an application is missing.",
  cure: "Add the release's requests or the WorkloadIdentity to the package, or correct `spec.release`. If the component or the application no longer exists, render the package with `--allow removal:<namespace>/<secret>`, or set `skip` in its override.",
  check: (facts) => {
    const byReason = allByKey(notRequested(facts), ({ isMeant, reason }) => (isMeant ? undefined : reason));
    return [...byReason].flatMap(([reason, all]) => {
      if (all.length < minForSummary || facts.identity === undefined)
        return all.map((one) => violation(one, facts.cloud));
      return [{ message: messageOfMany(reason, all, facts.cloud), resource: facts.identity.resource }];
    });
  },
};

function violation(one: NotRequested, cloud: KnownCloud): Violation {
  const message = `no ${one.by} needs ${subjectOf(one, cloud)}: ${one.reason}. Restore the ${one.by}. ${allowing([one])}`;
  return { message, resource: one.resource };
}

function messageOfMany(reason: string, all: readonly NotRequested[], { identityNoun }: KnownCloud): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const counts = [
    [sum(all.map(({ secrets }) => secrets)), "rendered Secret"],
    [sum(all.map(({ roles }) => roles)), identityNoun],
  ] as const;
  const what = counts.flatMap(([count, noun]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? noun : plural(noun)}`],
  );
  const names = all.map(({ resource: { namespace, name } }) => (namespace === "" ? name : `${namespace}/${name}`));
  const more = names.length > minForSummary ? ` and ${names.length - minForSummary} more` : "";
  const by = all[0]?.by ?? "request";
  const restored = by === "request" ? "requests" : "WorkloadIdentities";
  return `no ${by} needs ${what.join(" and ")} (${quotedList(names.slice(0, minForSummary))}${more}): ${reason}. Restore the ${restored}. ${allowing(all)}`;
}

function allowing(all: readonly NotRequested[]): string {
  return allowanceCure(all.map(({ key }) => removalOf(key)).sort(compareText));
}

export const renderedNotRemoved: Rule = {
  code: ruleCode("rendered-not-removed"),
  severity: "warning",
  reads: "package",
  summary: "A rendered Secret or role still exists, although the ClusterIdentity or the release removes it.",
  why: "An override with `skip: true`, or a request that the release deletes, ends the need for credentials. Until the package is rendered, the Secret is still applied to the cluster and the role stays.",
  cure: "Render the package.",
  check: (facts) =>
    notRequested(facts)
      .filter(({ isMeant }) => isMeant)
      .map((one) => {
        const { resource, secrets, roles, reason } = one;
        const [verb, object] = secrets + roles > 1 ? ["are", "them"] : ["is", "it"];
        const message = `${subjectOf(one, facts.cloud)} ${verb} still in the package, although ${reason}; render to remove ${object}.`;
        return { message, resource };
      }),
};
