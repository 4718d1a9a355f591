import { guarded } from "../core/allowances.ts";
import { type Finding, hasError } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { baseNameOf } from "../requests/base-name.ts";
import { type Loss, lossFindings } from "../requests/losses.ts";
import type { SelectedRequest, Selection } from "../requests/select.ts";
import type { Cluster, Renderer } from "./cloud.ts";
import { issuerChange } from "./issuer-change.ts";
import { platformChange } from "./platform-change.ts";
import { issuerBefore, type RenderedBefore } from "./rendered-before.ts";

/** What a function knows about its requests when it looks for losses. */
export interface LossInput {
  readonly selection: Selection;
  /** Requests whose identities this function generates. */
  readonly own: readonly SelectedRequest[];
  /** Requests whose identities another function generates. */
  readonly delegated: readonly SelectedRequest[];
  readonly previousName: string | undefined;
  readonly notRead: readonly string[] | undefined;
  readonly ignored: readonly string[] | undefined;
}

/**
 * Reports what a function would remove from a rendered package. A changed cloud or issuer is reported alone, because it
 * causes every other loss.
 *
 * @param items the items of the package.
 */
export function lossesOfPackage(
  identity: Identity,
  cluster: Cluster | undefined,
  items: readonly Resource[],
  rendered: RenderedBefore,
  input: LossInput,
  renderer: Renderer,
): Finding[] {
  const moved = platformChange(identity, items);
  if (moved.length > 0) return moved;
  const before = issuerBefore(items, [identity.name, input.previousName], renderer);
  const change = cluster === undefined ? [] : issuerChange(before.url, cluster, identity);
  return hasError(change) ? change : [...change, ...identityLosses(identity, cluster, rendered, input)];
}

/** The findings about rendered identities that the function would remove now: see {@link lossFindings}. */
function identityLosses(
  identity: Identity,
  cluster: Cluster | undefined,
  rendered: RenderedBefore,
  { selection, own, delegated, notRead = [], ignored = [] }: LossInput,
): Finding[] {
  if (rendered.size === 0) return [];
  if (cluster?.trustedIssuers.length === 0) return [withoutIssuer(identity, rendered)];
  const skips = Object.entries(identity.overrides).flatMap(([key, { skip }]) => (skip === true ? [key] : []));
  const asked = new Set(skips.map(baseNameOf));
  const kept = new Set([...own, ...delegated].map(({ secretKey = "" }) => baseNameOf(secretKey)));
  const losses: Loss[] = [...rendered]
    .filter(([name]) => !kept.has(name) || asked.has(name))
    .map(([baseName, resource]) => ({ baseName, resource }));
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
  const message = `The issuer is not known yet, so the roles and Secrets of ${rendered.size} rendered identities would be removed. Add the cluster's current issuer to "spec.issuer.previous": roles then continue to trust it.`;
  const location = { resource: identity.resource, field: "spec.issuer.previous" };
  return guarded(identity, "removal", "identities-lost", message, location);
}
