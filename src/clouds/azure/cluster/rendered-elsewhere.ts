import { guarded } from "../../../core/allowances.ts";
import type { Finding } from "../../../core/finding.ts";
import { quote } from "../../../core/text.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { AzureFacts } from "../rendered/facts.ts";
import type { AzureCluster } from "./cluster.ts";

/**
 * Reports a subscription, tenant, environment, resource group or region other than those that the package was rendered for. A
 * managed identity elsewhere is another identity, and has another client ID. The location of a resource cannot change.
 */
export function renderedElsewhere(
  identity: Pick<Identity, "resource" | "allowed">,
  cluster: AzureCluster,
  before: AzureFacts,
): Finding[] {
  const base = "spec.platform.azure";
  const compared = [
    [`${base}.subscriptionID`, before.account, cluster.subscriptionId],
    [`${base}.tenantID`, before.tenantId, cluster.tenantId],
    [`${base}.cloud`, before.environment, cluster.environment],
    [`${base}.oidcResourceGroup`, before.oidcResourceGroup, cluster.oidcResourceGroup],
  ] as const;
  const idFindings = compared.flatMap(([field, former, now]) => {
    if (former === undefined || former.toLowerCase() === now.toLowerCase()) return [];
    const message = `"${field}" is ${quote(now)}, but the package was rendered with ${quote(former)}. The managed identities that the cluster uses would be orphaned but still trusted. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
    return [guarded(identity, "removal", "subscription-changed", message, { resource: identity.resource, field })];
  });
  return [...idFindings, ...regionChange(identity, cluster, before)];
}

function regionChange(
  identity: Pick<Identity, "resource" | "allowed">,
  { region, identityRegion }: AzureCluster,
  before: AzureFacts,
): Finding[] {
  const base = "spec.platform.azure";
  const change = (name: string, what: string, former: string | undefined, now: string): Finding[] => {
    if (former === undefined || former.toLowerCase() === now) return [];
    const field = `${base}.${name}`;
    const message = `"${field}" is ${quote(now)}, but the package was rendered with ${quote(former)}. Azure cannot move ${what} to another region. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
    return [guarded(identity, "removal", "region-changed", message, { resource: identity.resource, field })];
  };
  const regionFindings = change("region", "managed identities and storage accounts", before.region, region);
  if (regionFindings.length > 0) return regionFindings;
  // Without its ClusterIdentity's facts, a package tells only where its managed identities are.
  const name = before.region === undefined && identityRegion === region ? "region" : "identityRegion";
  return change(name, "managed identities", before.identityRegion, identityRegion);
}
