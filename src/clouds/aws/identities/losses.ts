import { guarded } from "../../../core/allowances.ts";
import { type Finding, hasError } from "../../../core/finding.ts";
import { generatedBy, type Resource } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { type Loss, lossFindings } from "../../../requests/losses.ts";
import type { SelectedRequest, Selection } from "../../../requests/select.ts";
import { type AwsCluster, trustedIssuers } from "../cluster/cluster.ts";
import { issuerChange } from "../issuer/issuer-change.ts";
import { issuerBefore } from "../rendered/rendered-before.ts";
import { roleBundlePath, roleStem, roleStemOf } from "./role-bundle.ts";
import { secretPath } from "./secret.ts";

/** What a function rendered before: one object of each identity, its Secret where there is one, by the identity's stem. */
export type RenderedBefore = ReadonlyMap<string, Resource>;

/**
 * Finds what a function rendered for an identity, in a list that may have been rendered before.
 *
 * @param previousName the name that the ClusterIdentity had before, where it was renamed.
 */
export function renderedBefore(
  items: readonly Resource[],
  fn: string,
  { name }: Identity,
  previousName: string | undefined,
): RenderedBefore {
  const owners = new Set([`${fn}/${name}`, `${fn}/${previousName ?? name}`]);
  const found = new Map<string, Resource>();
  for (const item of items) {
    const owner = item.annotations.get(generatedBy);
    const stem = owner !== undefined && owners.has(owner) ? stemOf(item) : undefined;
    if (stem !== undefined && (item.kind === "Secret" || !found.has(stem))) found.set(stem, item);
  }
  return found;
}

const roleNames = "aws-role-";

function stemOf({ kind, namespace, name, path }: Resource): string | undefined {
  const isAt = (form: RegExp) => path === undefined || form.test(path);
  if (kind === "Secret") return isAt(secretPath) ? roleStem(namespace, name) : undefined;
  return kind === "ConfigMap" && name.startsWith(roleNames) && isAt(roleBundlePath)
    ? name.slice(roleNames.length)
    : undefined;
}

/** What a function knows of its requests when it looks for losses. */
export interface LossInput {
  readonly selection: Selection;
  /** Requests whose roles this function makes. */
  readonly own: readonly SelectedRequest[];
  /** Requests whose roles another function makes. */
  readonly delegated: readonly SelectedRequest[];
  readonly previousName: string | undefined;
  readonly notRead: readonly string[] | undefined;
  readonly ignored: readonly string[] | undefined;
}

/**
 * What of a rendered package a function would take away: first another issuer, because then everything else follows from
 * it; else identities.
 *
 * @param own the items of the package.
 */
export function lossesOfPackage(
  identity: Identity,
  cluster: AwsCluster | undefined,
  own: readonly Resource[],
  rendered: RenderedBefore,
  input: LossInput,
): Finding[] {
  const before = issuerBefore(own, [identity.name, input.previousName]);
  const change = cluster === undefined ? [] : issuerChange(before.url, cluster, identity);
  return hasError(change) ? change : [...change, ...identityLosses(identity, cluster, rendered, input)];
}

/** The findings about what a function rendered before and would take away now: see {@link lossFindings}. */
function identityLosses(
  identity: Identity,
  cluster: AwsCluster | undefined,
  rendered: RenderedBefore,
  { selection, own, delegated, notRead = [], ignored = [] }: LossInput,
): Finding[] {
  if (rendered.size === 0) return [];
  if (cluster !== undefined && trustedIssuers(cluster).length === 0) return [withoutIssuer(identity, rendered)];
  const skips = Object.entries(identity.overrides).flatMap(([key, { skip }]) => (skip === true ? [key] : []));
  const asked = new Set(skips.map(roleStemOf));
  const kept = new Set([...own, ...delegated].map(({ secretKey = "" }) => roleStemOf(secretKey)));
  const losses: Loss[] = [...rendered]
    .filter(([stem]) => !kept.has(stem) || asked.has(stem))
    .map(([stem, resource]) => ({ stem, resource }));
  const { resource, allowed } = identity;
  return lossFindings(losses, {
    resource,
    allowed,
    rendered: rendered.size,
    skipped: selection.skipped,
    asked,
    notRead,
    ignored,
  });
}

function withoutIssuer(identity: Identity, rendered: RenderedBefore): Finding {
  const message = `The issuer is not known yet, and the roles and Secrets of ${rendered.size} rendered identities would be removed. Name the issuer that the cluster has now in "spec.issuer.previous": its roles go on trusting it.`;
  const place = { resource: identity.resource, field: "spec.issuer.previous" };
  return guarded(identity, "removal", "identities-lost", message, place);
}
