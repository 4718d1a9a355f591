import { guarded } from "../../../core/allowances.ts";
import type { Finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { factsBefore } from "../rendered/rendered-before.ts";
import type { AzureCluster } from "./cluster.ts";

/**
 * Reports a subscription, tenant, environment, resource group or region other than those that the package was rendered for. A
 * managed identity elsewhere is another identity, and has another client ID. The location of a resource cannot change.
 */
export function renderedElsewhere(
  identity: Pick<Identity, "resource" | "allowed">,
  cluster: AzureCluster,
  items: readonly Resource[],
): Finding[] {
  const before = factsBefore(items);
  const base = "spec.platform.azure";
  const compared = [
    [`${base}.subscriptionID`, before.subscriptionID, cluster.subscriptionId],
    [`${base}.tenantID`, before.tenantID, cluster.tenantId],
    [`${base}.cloud`, before.environment, cluster.environment],
    [`${base}.oidcResourceGroup`, before.oidcResourceGroup, cluster.oidcResourceGroup],
  ] as const;
  const elsewhere = compared.flatMap(([field, former, now]) => {
    if (former === undefined || former.toLowerCase() === now.toLowerCase()) return [];
    const message = `"${field}" is ${quote(now)}, but the package was rendered with ${quote(former)}. The managed identities that the cluster uses would be orphaned but still trusted. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
    return [guarded(identity, "removal", "subscription-changed", message, { resource: identity.resource, field })];
  });
  return [...elsewhere, ...regionChange(identity, cluster, before.region)];
}

function regionChange(
  identity: Pick<Identity, "resource" | "allowed">,
  { region }: AzureCluster,
  former: string | undefined,
): Finding[] {
  if (former === undefined || former.toLowerCase() === region) return [];
  const field = "spec.platform.azure.region";
  const message = `"${field}" is ${quote(region)}, but the package was rendered with ${quote(former)}. Azure cannot move managed identities and storage accounts to another region. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
  return [guarded(identity, "removal", "region-changed", message, { resource: identity.resource, field })];
}
