import { guardedRemoval, namedRemovals, removableName } from "../core/allowances.ts";
import { type Finding, finding, hasError } from "../core/finding.ts";
import { generatedBy, isMap, type Resource, valueAt } from "../core/resource.ts";
import { compareText, quote, quoteWhole } from "../core/text.ts";
import { hintsAmong, listed } from "../core/words.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { byAllowance, type Loss, listedLosses, lossFindings } from "../requests/losses.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { Renderer } from "./cloud.ts";
import type { ClusterPackage, FunctionScope } from "./cluster-package.ts";
import { cloudOf } from "./index.ts";
import { issuerChange } from "./issuer-change.ts";
import { platformChange } from "./platform-change.ts";
import { type IdentityBefore, issuerBefore, type RenderedBefore, renderedBefore } from "./rendered-before.ts";

/** What a function would remove from a rendered package. */
export interface Losses {
  readonly findings: readonly Finding[];
  /** Whether the findings are about the removal of an object, or the input asks for it. */
  isExplained(item: Resource): boolean;
}

/**
 * Reports what a function would remove from a rendered package. A changed cloud or issuer is reported alone, because it
 * causes every other loss.
 *
 * @param scope the requests whose identities the function generates, and those of the other function.
 * @param rendered what the function rendered before.
 */
export function lossesOfPackage(
  { input, identity, cloud: { renderer }, cluster: { value: cluster }, items, selection }: ClusterPackage,
  { own, delegated }: FunctionScope,
  rendered: RenderedBefore,
): Losses {
  const moved = platformChange(identity, items, input.previousName);
  if (moved.length > 0) return { findings: moved, isExplained: () => true };
  const before = issuerBefore(items, [identity.name, input.previousName], renderer);
  const change = cluster === undefined ? [] : issuerChange(before.url, cluster, identity);
  if (hasError(change)) return { findings: change, isExplained: () => false };
  const skips = Object.entries(identity.overrides).flatMap(([key, { skip }]) => (skip === true ? [key] : []));
  const asked = new Set(skips);
  const [generated, moves] = [own, delegated].map((some) => new Set(some.map(({ secretKey }) => secretKey)));
  const all = [...rendered.values()];
  const isGone = ({ key }: IdentityBefore) => (!generated?.has(key) && !moves?.has(key)) || asked.has(key);
  const isUnknown = cluster?.trustedIssuers.length === 0;
  const losses = all.filter((one) => isUnknown || isGone(one));
  const explained = new Set(
    [...losses, ...all.filter(({ key }) => moves?.has(key))].flatMap(({ secret, bundle }) =>
      [secret, bundle].flatMap((one) => (one === undefined ? [] : nameOfObject(one))),
    ),
  );
  const findings = isUnknown
    ? withoutIssuer(identity, losses.map(lossOf(identity, renderer)))
    : lossFindings(losses.map(lossOf(identity, renderer)), {
        resource: identity.resource,
        allowed: identity.allowed,
        rendered: rendered.size,
        skipped: selection.skipped,
        asked,
        notRead: input.notRead ?? [],
        ignored: input.ignored ?? [],
      });
  return { findings: [...change, ...findings], isExplained: (item) => explained.has(nameOfObject(item)) };
}

function nameOfObject({ kind, namespace, name }: Resource): string {
  return `${kind}/${namespace}/${name}`;
}

/** A component is named by its service accounts: how many of them a message names. */
const maxAccounts = 3;

function lossOf(identity: Identity, renderer: Renderer): (before: IdentityBefore) => Loss {
  const { identityNoun } = cloudOf(identity);
  return ({ key, secret, bundle }) => {
    const name = bundle === undefined ? "" : renderer.nameOf(bundle);
    const accounts = listed(bundle === undefined ? [] : serviceAccountsIn(bundle).map(quoteWhole), maxAccounts);
    const parts = [
      ...(accounts === "" ? [] : [`component ${accounts}`]),
      ...(bundle === undefined ? [] : [`${identityNoun}${name === "" ? "" : ` ${quoteWhole(name)}`}`]),
      ...(secret === undefined ? [] : ["Secret"]),
    ];
    return { key, text: `${quoteWhole(key)} (${parts.join(", ")})` };
  };
}

// Every cloud writes the subjects of tokens in the form that Kubernetes defines.
function serviceAccountsIn(bundle: Resource): string[] {
  const data = valueAt(bundle.value(), ["data"]);
  const text = Object.values(isMap(data) ? data : {}).join("\n");
  const found = [...text.matchAll(/system:serviceaccount:([a-z0-9.-]+):([a-z0-9.-]+)/g)];
  return [...new Set(found.map(([, namespace, name]) => `${namespace}/${name}`))].sort(compareText);
}

function withoutIssuer(identity: Identity, losses: readonly Loss[]): Finding[] {
  return byAllowance(losses, identity, (some) => {
    const message = `The issuer is not known yet, so ${some.length} rendered identities would be removed: ${listedLosses(
      some.map(({ text }) => text),
      "; ",
    )}. Add the cluster's current issuer to "spec.issuer.previous": roles then continue to trust it.`;
    const location = { resource: identity.resource, field: "spec.issuer.previous" };
    const keys = some.map(({ key }) => key);
    return guardedRemoval(identity, keys, "identities-lost", message, location);
  });
}

/**
 * A note for each removal that a run allows by a name that nothing has: neither what was rendered, nor what a request asks for.
 *
 * @param items the items of the package.
 */
export function unmatchedRemovals(
  identity: Identity,
  items: readonly Resource[],
  requests: readonly SelectedRequest[],
  previousName: string | undefined,
  renderer: Renderer,
): Finding[] {
  const named = namedRemovals(identity.allowed);
  if (named.length === 0) return [];
  const known = new Set([
    ...requests.flatMap(({ secretKey }) => secretKey ?? []),
    ...renderedBefore(items, undefined, identity, previousName, renderer).keys(),
    ...items.flatMap((item) => (item.annotations.has(generatedBy) ? [removableName(item)] : [])),
  ]);
  const hint = hintsAmong(known);
  return named
    .filter((name) => !known.has(name))
    .map((name) => {
      const message = `the run allows the removal of ${quote(name)}, but nothing rendered has that name${hint(name)}. If it was removed already, no action is needed. Otherwise, correct the name.`;
      return finding("info", "allow-unmatched", message, { resource: identity.resource });
    });
}
