import { guarded } from "../core/allowances.ts";
import type { Finding } from "../core/finding.ts";
import { quoteWhole } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { Cluster } from "./cloud.ts";

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
