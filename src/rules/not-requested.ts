import { allByKey, firstByKey } from "../core/lookup.ts";
import { generatedBy, type Resource, type Value } from "../core/resource.ts";
import { compareText, printable, quote } from "../core/text.ts";
import { isClusterIdentity } from "../identity/cluster-identity.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";
import { exclusionOf } from "../requests/release-filter.ts";
import type { KnownCloud } from "./cloud.ts";
import type { Facts } from "./facts.ts";

/** What was rendered for a request that no longer needs it: a Secret, a role, or both. */
export interface NotRequested {
  /** The key of the Secret of the request. */
  readonly key: string;
  /** The Secret, or the role's bundle ConfigMap if there is no Secret. */
  readonly resource: Resource;
  readonly secrets: number;
  readonly roles: number;
  /** Why, as the end of a sentence. */
  readonly reason: string;
  /** Whether an override or the release removes it. */
  readonly isMeant: boolean;
}

/**
 * The rendered Secrets and roles that no request needs; a Secret and its role count once. Empty without a valid
 * ClusterIdentity, because then it is unknown which requests are included.
 */
export function notRequested(facts: Facts): NotRequested[] {
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
      return { key, resource, secrets: secrets.length, roles: items.length - secrets.length, ...reasonFor(key) };
    });
}

/** The subject of a sentence about what was rendered for one request: `this Secret and its role`. */
export function subjectOf({ secrets, roles }: NotRequested, { identityNoun }: KnownCloud): string {
  if (secrets === 0) return `this ${identityNoun}`;
  return roles === 0 ? "this Secret" : `this Secret and its ${identityNoun}`;
}

const maker = /^(?:generate-cloud-credentials|configure-operators)\/(.*)$/;

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

function askedKeys({ requests, identity }: Facts): Set<string> {
  const overrides = identity?.overrides ?? {};
  const keys = requests.flatMap(({ secretKey }) => secretKey ?? []);
  return new Set(keys.filter((key) => overrides[key]?.skip !== true));
}

type Reason = Pick<NotRequested, "reason" | "isMeant">;

function reasons({ items, requests, identity, cloud }: Facts): (key: string) => Reason {
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
    const out = identity === undefined ? undefined : exclusionOf(own.annotations, identity.release);
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
