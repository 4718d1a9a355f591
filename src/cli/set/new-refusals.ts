import { ClusterPackage, clusterPackageOf } from "../../clouds/cluster-package.ts";
import type { Finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import type { Item } from "../../krm/item.ts";

/**
 * The errors that a render would report for a changed ClusterIdentity, and not for the one before: what its schema does not
 * know, such as a policy of another partition. What was rendered is not read: a render tells what a change would take from a
 * running cluster.
 *
 * @param items the objects of the package, with the ClusterIdentity before.
 */
export function newRefusals(before: Item, after: Item, items: readonly Item[]): readonly Finding[] {
  const others = items.filter((item) => item !== before && !item.annotations.has(generatedBy));
  const old = refusals(before, others);
  // What cannot be read cannot be compared.
  if (old === undefined) return [];
  const known = new Set(old.map(textOf));
  return (refusals(after, others) ?? []).filter((finding) => !known.has(textOf(finding)));
}

function refusals(identity: Item, others: readonly Item[]): readonly Finding[] | undefined {
  const pkg = clusterPackageOf({ items: [identity, ...others], functionConfig: identity });
  if (!(pkg instanceof ClusterPackage)) return undefined;
  const { cluster, selection } = pkg;
  const scope = { selected: selection.requests, isOwn: () => true, completesRequests: true };
  const made = cluster.value?.identities(scope).findings ?? [];
  return [...cluster.findings, ...made].filter(({ severity }) => severity === "error");
}

function textOf({ code, field, message }: Finding): string {
  return JSON.stringify([code, field, message]);
}
