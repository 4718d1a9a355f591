import { generatedBy, type Resource } from "../core/resource.ts";
import { compareText, printable, quote } from "../core/text.ts";
import { isClusterIdentity } from "../identity/find.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";
import { exclusionOf } from "../requests/release-filter.ts";
import type { KnownCloud } from "./cloud.ts";
import type { Facts } from "./facts.ts";

/** What was rendered for a request that no longer needs it: a Secret, a role, or both. */
export interface NotRequested {
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
  const groups = new Map<string, Resource[]>();
  const asked = askedKeys(facts);
  for (const { key, item } of renderedFor(facts))
    if (!asked.has(key)) groups.set(key, [...(groups.get(key) ?? []), item]);
  return [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, items]) => {
      const secrets = items.filter(isSecret);
      const resource = (secrets[0] ?? items[0]) as Resource;
      return { resource, secrets: secrets.length, roles: items.length - secrets.length, ...reasonFor(key, facts) };
    });
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

function reasonFor(key: string, { items, requests, identity, cloud }: Facts): Pick<NotRequested, "reason" | "isMeant"> {
  const skipped = requests.some(({ secretKey }) => secretKey === key);
  if (skipped) return { reason: 'its override sets "skip" to true', isMeant: true };
  const all = items.filter(isCredentialsRequest);
  if (all.length === 0) return { reason: "the package contains no CredentialsRequest", isMeant: false };
  const own = all.find((item) => secretKeyOf(item.value()) === key);
  if (own?.annotations.get("release.openshift.io/delete") === "true")
    return { reason: "the release deletes its request", isMeant: true };
  if (own !== undefined && isFor(cloud, own)) {
    const out = identity === undefined ? undefined : exclusionOf(own.annotations, identity.release);
    const why =
      out === undefined
        ? "its request is excluded"
        : `"spec.release" excludes its request, because ${printable(out.reason)}`;
    return { reason: why, isMeant: false };
  }
  if (all.some((resource) => isFor(cloud, resource)))
    return { reason: `no CredentialsRequest for ${cloud.title} in the package names its Secret`, isMeant: false };
  const kinds = [...new Set(all.map((item) => quote(providerSpecOf(item.value())?.["kind"] ?? "")))].sort(compareText);
  return { reason: `the package's CredentialsRequests are for another cloud (${kinds.join(", ")})`, isMeant: false };
}

function isFor({ providerKind }: KnownCloud, item: Resource): boolean {
  return providerSpecOf(item.value())?.["kind"] === providerKind;
}
