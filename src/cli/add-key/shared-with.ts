import { type Finding, finding } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { sharedKey, signingKeyShared } from "../../rules/checks/other-clusters.ts";
import { type Claimant, claimantsIn } from "../fleet/claimant.ts";
import type { Place, Selection } from "../fleet/select-packages.ts";

/** The most clusters in a message. */
const maxNamed = 5;

/**
 * The findings about a package that gets a key, if other clusters that the command line finds have the key or get it, too: an
 * error, unless the clusters share a key already, or the ClusterIdentity accepts that. What cannot be read is not compared.
 */
export function sharedWith(keyId: string, { places, all }: Selection): (place: Place) => readonly Finding[] {
  const claimants = all.length < 2 ? [] : all.flatMap((place) => claimantsIn(place, undefined) ?? []);
  const selected = new Set(places);
  const having = claimants.filter(({ place, keyIds }) => selected.has(place) || keyIds.includes(keyId));
  return (place) => {
    const own = claimants.find((one) => one.place === place);
    const others = having.filter((one) => one.place !== place);
    if (own === undefined || others.length === 0 || own.accepting !== undefined) return [];
    const isShared = others.every(({ keyIds }) => keyIds.some((id) => own.keyIds.includes(id)));
    if (!isShared) return [refused(keyId, own, others)];
    const violation = sharedKey(
      keyId,
      [own, ...others].map(({ file }) => file),
      own.resource,
    );
    return [finding(signingKeyShared.severity, signingKeyShared.code, violation.message, violation)];
  };
}

function refused(keyId: string, { resource }: Claimant, others: readonly Claimant[]): Finding {
  const named = listed(
    others.map(({ file }) => quoteWhole(file)),
    maxNamed,
  );
  const message = `the key ${quote(keyId)} is or would be a key of other clusters, too: ${named}. Anyone who has its private part could sign the tokens of all of them. Create a key pair for each cluster ("ccf create-key-pair"), and add each key to its own package. If the clusters must share the key, accept "${signingKeyShared.code}" in the ClusterIdentity of each.`;
  return finding("error", "signing-key-of-other-cluster", message, { resource, field: "spec.issuer.signingKeys" });
}
