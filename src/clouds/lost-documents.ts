import { guardedRemoval, removableName } from "../core/allowances.ts";
import type { Finding } from "../core/finding.ts";
import { describe, type GeneratedObject, isMap, type Resource, refOf, valueAt } from "../core/resource.ts";
import { compareText, quote, quoteWhole } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { listedLosses } from "../requests/losses.ts";
import { generatedFor } from "./rendered-before.ts";

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
