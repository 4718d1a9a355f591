import { guarded, guardedRemoval, identityMisplaced, namedRemovals, removableName } from "../core/allowances.ts";
import { type Finding, finding, hasError } from "../core/finding.ts";
import { describe, type GeneratedObject, generatedBy, isMap, type Resource, refOf, valueAt } from "../core/resource.ts";
import { compareText, quote, quoteWhole } from "../core/text.ts";
import { hintsAmong, listed } from "../core/words.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { requestKind } from "../requests/credentials-request.ts";
import { byAllowance, type Loss, listedLosses, lossFindings } from "../requests/losses.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { Cluster, ComponentIdentity, Renderer } from "./cloud.ts";
import type { ClusterPackage, FunctionScope } from "./cluster-package.ts";
import { cloudOf, cloudOfPath } from "./index.ts";
import { secretForm } from "./make-identities.ts";
import { bundleOf, nameBefore } from "./rendered.ts";
import {
  generatedFor,
  type IdentityBefore,
  type RenderedBefore,
  renderedBefore,
  serviceAccountsIn,
} from "./rendered-before.ts";

/** What a function would remove from a rendered package. */
export interface Losses {
  readonly findings: readonly Finding[];
  /** What stays as it is, because it is unknown whether a request needs it. */
  readonly preserved: readonly Resource[];
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
  pkg: ClusterPackage,
  { own, held, delegated, users }: FunctionScope,
  rendered: RenderedBefore,
): Losses {
  const {
    input,
    identity,
    cloud,
    cluster: { value: cluster },
    items,
    selection,
  } = pkg;
  const { renderer } = cloud;
  const moved = platformChange(identity, items, input.previousName);
  if (moved.length > 0) return { findings: moved, preserved: [], isExplained: () => true };
  const change = cluster === undefined ? [] : issuerChange(pkg.issuerBefore.url, cluster, identity);
  if (hasError(change)) return { findings: change, preserved: [], isExplained: () => false };
  const skips = Object.entries(identity.overrides).flatMap(([key, { skip }]) => (skip === true ? [key] : []));
  const asked = new Set(skips);
  const [generated, moves] = [own, delegated].map((some) => new Set(some.map(({ secretKey }) => secretKey)));
  const stays = ({ key }: IdentityBefore) => held.has(key) && !asked.has(key);
  const all = [...rendered.values()].filter((one) => !stays(one));
  const preserved = [...rendered.values()]
    .filter(stays)
    .flatMap(({ manifests, bundle }) => [...manifests, bundle ?? []].flat());
  const isGone = ({ key }: IdentityBefore) => (!generated?.has(key) && !moves?.has(key)) || asked.has(key);
  const isUnknown = cluster?.trustedIssuers.length === 0;
  const losses = all.filter((one) => isUnknown || isGone(one));
  const explained = new Set(
    [...losses, ...all.filter(({ key }) => moves?.has(key))].flatMap(({ manifests, bundle }) =>
      [...manifests, bundle].flatMap((one) => (one === undefined ? [] : nameOfObject(one))),
    ),
  );
  const findings = isUnknown
    ? withoutIssuer(identity, losses.map(lossOf(identity, renderer)))
    : lossFindings(losses.map(lossOf(identity, renderer)), {
        resource: identity.resource,
        allowed: identity.allowed,
        rendered: rendered.size,
        kind: users === "workloads" ? "WorkloadIdentity" : requestKind,
        skipped: [...selection.skipped, ...pkg.ownership.withOwnIdentity],
        asked,
        notRead: input.notRead ?? [],
        ignored: input.ignored ?? [],
      });
  return { findings: [...change, ...findings], preserved, isExplained: (item) => explained.has(nameOfObject(item)) };
}

function nameOfObject({ kind, namespace, name }: Resource): string {
  return `${kind}/${namespace}/${name}`;
}

/** A component is named by its service accounts: how many of them a message names. */
const maxAccounts = 3;

function lossOf(identity: Identity, renderer: Renderer): (before: IdentityBefore) => Loss {
  const { identityNoun } = cloudOf(identity);
  return ({ key, secret, bundle, manifests }) => {
    const name = bundle === undefined ? "" : renderer.nameOf(bundle);
    const accounts = listed(bundle === undefined ? [] : serviceAccountsIn(bundle).map(quoteWhole), maxAccounts);
    const parts = [
      ...(accounts === "" ? [] : [`component ${accounts}`]),
      ...(bundle === undefined ? [] : [`${identityNoun}${name === "" ? "" : ` ${quoteWhole(name)}`}`]),
      ...(secret === undefined ? [] : ["Secret"]),
      ...(manifests.some(({ kind }) => kind === "ServiceAccount") ? ["ServiceAccounts"] : []),
    ];
    return { key, text: `${quoteWhole(key)} (${parts.join(", ")})` };
  };
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

/**
 * Reports the Secrets that identities lose because the package does not contain their ID: a Secret that a running cluster
 * reads is not removed because the package no longer contains what it names.
 *
 * @param identities those whose Secrets are to stay.
 * @param isPruned what the output does not contain is deleted from the cluster, so every missing Secret may be lost.
 */
export function lostSecrets(
  identities: readonly ComponentIdentity[],
  rendered: RenderedBefore,
  identity: Identity,
  isPruned: boolean,
): Finding[] {
  return identities.flatMap(({ request: { resource, secretKey = "" }, secret }) => {
    const gone = rendered.get(secretKey)?.secret;
    if (secret() !== undefined || (gone === undefined && !isPruned)) return [];
    const where = gone?.path === undefined ? "" : `, rendered in ${quoteWhole(gone.path)},`;
    const message =
      gone !== undefined
        ? `the Secret ${quote(secretKey)}${where} would be removed, because the ID that the cloud assigned to its identity is missing from the package. Restore the ID from Git, or store it again with "ccf set-identities".`
        : `the Secret ${quote(secretKey)} is missing from the output, because the package does not contain the ID that the cloud assigned to its identity. If the output is applied, and a cluster has the Secret, it is deleted there. Add the ID, or the object that contains it, to the input.`;
    return [guardedRemoval(identity, [secretKey], "secret-lost", message, { resource })];
  });
}

/** Recognizes the Secrets of requests that a function does not generate. {@link lostSecrets} and other findings report them. */
export function missingSecrets(
  requests: readonly SelectedRequest[],
  objects: readonly GeneratedObject[],
): (item: Resource) => boolean {
  const keys = new Set(requests.map(({ secretKey }) => secretKey));
  for (const { object } of objects) {
    if (object.kind === secretForm.kind) keys.delete(`${object.metadata.namespace}/${object.metadata.name}`);
  }
  return ({ kind, namespace, name }) => kind === secretForm.kind && keys.has(`${namespace}/${name}`);
}

/**
 * Reports the files that the bundle ConfigMaps of the issuer and the cluster would lose, although the issuer stays: a
 * cluster whose documents are now hosted elsewhere still lives on those that the package described. If the issuer changes,
 * the change of the issuer is reported instead.
 *
 * @param items the items of the package.
 * @param names the current and the previous name of the ClusterIdentity.
 * @param now what the function generates for the issuer.
 * @param issuer the issuer that the package was rendered with, if it is known, and the current one.
 */
export function lostDocuments(
  items: readonly Resource[],
  names: readonly (string | undefined)[],
  now: readonly GeneratedObject[],
  issuer: { readonly before: string | undefined; readonly now: string | undefined },
  identity: Identity,
): Finding[] {
  if (issuer.before !== undefined && issuer.before !== issuer.now) return [];
  const own = generatedFor(items, names);
  return now.flatMap(({ object, files = {} }) => {
    const bundle = own.find(({ kind, name }) => kind === object.kind && name === object.metadata.name);
    const data = bundle?.kind === "ConfigMap" ? valueAt(bundle.value(), ["data"]) : undefined;
    const lost = Object.keys(isMap(data) ? data : {}).filter((file) => !Object.hasOwn(files, file));
    return bundle === undefined || lost.length === 0 ? [] : [documentsLost(bundle, lost, issuer.before, identity)];
  });
}

/**
 * The finding about documents that a package would no longer contain: an error, unless the removal of their ConfigMap is
 * allowed.
 */
function documentsLost(bundle: Resource, lost: readonly string[], issuer: string | undefined, identity: Identity) {
  const field = `spec.platform.${identity.platform.name}`;
  const stays = issuer === undefined ? "" : `, although the issuer is still ${quoteWhole(issuer)}`;
  const files = listedLosses([...lost].sort(compareText).map(quote));
  const message = `with "${field}" as it is now, ${describe(refOf(bundle))} would lose rendered documents${stays}: ${files}. The package would no longer publish or maintain what they describe, and a running cluster may depend on it. Undo the change of "${field}". If something else now does this for the cluster, check that it works first.`;
  return guardedRemoval(identity, [removableName(bundle)], "documents-lost", message, {
    resource: identity.resource,
    field,
  });
}

/**
 * Reports a change of the issuer after which identities would no longer trust the cluster's tokens.
 *
 * @param before the issuer that the package was rendered with, if it was rendered.
 */
export function issuerChange(before: string | undefined, cluster: Cluster, identity: Identity): Finding[] {
  if (before === undefined || cluster.trustedIssuers.includes(before)) return [];
  const { cure, field } = cluster.keepIssuer(before);
  const message = `the package was rendered with the issuer ${quoteWhole(before)}, and component identities would no longer trust that issuer. ${cure}`;
  return [guarded(identity, "replace-issuer", "issuer-changed", message, { resource: identity.resource, field })];
}

/**
 * Reports a package that was rendered for another cloud. Nothing that was generated for one cloud exists on another, so
 * every identity and Secret would be replaced. If the ClusterIdentity had another name, too, the objects are those of
 * another cluster.
 *
 * @param items the items of the package.
 * @param previousName the name that the user says the ClusterIdentity had before.
 */
export function platformChange(
  identity: Identity,
  items: readonly Resource[],
  previousName: string | undefined,
): Finding[] {
  const former = items
    .filter(({ kind, annotations }) => kind === "ConfigMap" && annotations.has(generatedBy))
    .flatMap((item) => {
      const cloud = cloudOfPath(item.path ?? "");
      return cloud === undefined || cloud.name === identity.platform.name ? [] : [{ item, cloud }];
    })[0];
  if (former === undefined) return [];
  const { item, cloud } = former;
  const before = nameBefore([bundleOf(item)]) ?? "";
  if (before !== identity.name && before !== previousName) return [identityMisplaced(before, identity.name, item)];
  const field = "spec.platform";
  const message = `the package was rendered for ${cloud.title}, but "${field}" is now ${quote(identity.platform.name)}. Every rendered identity and Secret would be removed. Correct "${field}", or create a new package for a cluster on another cloud.`;
  return [guarded(identity, "removal", "platform-changed", message, { resource: identity.resource, field })];
}
