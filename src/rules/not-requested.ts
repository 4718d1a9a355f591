import { generatedBy, type Resource } from "../core/resource.ts";
import { compareText, printable, quote } from "../core/text.ts";
import { isClusterIdentity } from "../identity/find.ts";
import { baseName, baseNameOf } from "../requests/base-name.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";
import { leftOut } from "../requests/gates.ts";
import type { Facts } from "./facts.ts";

/** What was rendered for one request, which does not ask for it any more: a Secret, a role, or both. */
export interface NotRequested {
  /** The Secret, or the role where there is no Secret. */
  readonly resource: Resource;
  readonly secrets: number;
  readonly roles: number;
  /** Why, to the end of a sentence. */
  readonly reason: string;
  /** A render was asked to remove it: by an override, or by the release. */
  readonly isMeant: boolean;
}

/**
 * The rendered Secrets and roles that no request asks for; a Secret and its role are one. Without a ClusterIdentity that can
 * be used it is not known which requests count.
 */
export function notRequested(facts: Facts): NotRequested[] {
  const groups = new Map<string, Resource[]>();
  const asked = askedStems(facts);
  for (const item of renderedFor(facts)) {
    const stem = stemOf(item);
    if (!asked.has(stem)) groups.set(stem, [...(groups.get(stem) ?? []), item]);
  }
  return [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .map(([stem, items]) => {
      const secrets = items.filter(isSecret);
      const resource = (secrets[0] ?? items[0]) as Resource;
      return { resource, secrets: secrets.length, roles: items.length - secrets.length, ...reasonFor(stem, facts) };
    });
}

const rolePrefix = "aws-role-";
const maker = /^(?:generate-cloud-credentials|configure-operators)\/(.*)$/;

// What was made for another ClusterIdentity of the list is that one's.
function renderedFor({ items, identity }: Facts): Resource[] {
  if (identity === undefined) return [];
  const others = new Set(items.filter(isClusterIdentity).map(({ name }) => name));
  others.delete(identity.name);
  return items.filter((item) => {
    const [, name] = maker.exec(item.annotations.get(generatedBy) ?? "") ?? [];
    if (name === undefined || others.has(name)) return false;
    return isSecret(item) || (item.kind === "ConfigMap" && item.name.startsWith(rolePrefix));
  });
}

function isSecret({ kind }: Resource): boolean {
  return kind === "Secret";
}

function stemOf(item: Resource): string {
  return isSecret(item) ? baseName(item.namespace, item.name) : item.name.slice(rolePrefix.length);
}

function askedStems({ requests, identity }: Facts): Set<string> {
  const overrides = identity?.overrides ?? {};
  const keys = requests.flatMap(({ secretKey }) => secretKey ?? []);
  return new Set(keys.filter((key) => overrides[key]?.skip !== true).map(baseNameOf));
}

function reasonFor(stem: string, { items, requests, identity }: Facts): Pick<NotRequested, "reason" | "isMeant"> {
  const skipped = requests.some(({ secretKey }) => secretKey !== undefined && baseNameOf(secretKey) === stem);
  if (skipped) return { reason: 'an override of the ClusterIdentity says "skip"', isMeant: true };
  const all = items.filter(isCredentialsRequest);
  if (all.length === 0) return { reason: "the package holds no CredentialsRequest", isMeant: false };
  const own = all.find((item) => baseNameOf(secretKeyOf(item.value()) ?? "") === stem);
  if (own?.annotations.get("release.openshift.io/delete") === "true")
    return { reason: "the release deletes its request", isMeant: true };
  if (own !== undefined && isForAws(own)) {
    const out = identity === undefined ? undefined : leftOut(own.annotations, identity.release);
    const why =
      out === undefined
        ? "its request does not count"
        : `"spec.release" leaves out its request, because ${printable(out.reason)}`;
    return { reason: why, isMeant: false };
  }
  if (all.some(isForAws))
    return { reason: "no CredentialsRequest for AWS in the package names its Secret", isMeant: false };
  const kinds = [...new Set(all.map((item) => quote(providerSpecOf(item.value())?.["kind"] ?? "")))].sort(compareText);
  return { reason: `the package's CredentialsRequests are for another cloud (${kinds.join(", ")})`, isMeant: false };
}

function isForAws(item: Resource): boolean {
  return providerSpecOf(item.value())?.["kind"] === "AWSProviderSpec";
}
