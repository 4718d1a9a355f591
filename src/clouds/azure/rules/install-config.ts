import { ruleCode } from "../../../core/finding.ts";
import { textAt, type Value } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { type AzureCluster, azureIdentity } from "../cluster/cluster.ts";
import { readAzureCluster } from "../cluster/read-cluster.ts";
import { groupId } from "../cluster/resource-names.ts";

export const installConfigAzure: Rule = {
  code: ruleCode("install-config-azure"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for a different region, cloud, or resource group from those in the ClusterIdentity.",
  why: "The roles of the managed identities apply to the resource groups in the ClusterIdentity. If the installer uses another group, including for the DNS zone or the network, the components have no permissions there. An install-config without `resourceGroupName` makes the installer create a group with a random name. The region and the cloud are in the Secrets and in the issuer's URL.",
  cure: "Set the field in the install-config, or correct `spec.platform.azure` and render again.",
  check: ({ installConfig, identity, items }) => {
    if (installConfig === undefined || identity?.platform.name !== "azure") return [];
    const cluster = readAzureCluster(azureIdentity(identity), items).value;
    if (cluster === undefined) return [];
    const value = installConfig.value();
    if (textAt(value, ["platform", "azure", "region"]) === "") return [];
    return compared(value, cluster).flatMap(({ field, is, must }) => {
      if (is === must || is.toLowerCase() === must?.toLowerCase()) return [];
      const said = is === "" ? "is not set" : `is ${quote(is)}`;
      const own = must === undefined ? "the package names none" : `the package is for ${quote(must)}`;
      const message = `"platform.azure.${field}" ${said}, but ${own}; correct the install-config, or "spec.platform.azure" and render again.`;
      return [{ message, resource: installConfig, field: `platform.azure.${field}` }];
    });
  },
};

interface Compared {
  readonly field: string;
  readonly is: string;
  /** Undefined if the package has no such value. */
  readonly must: string | undefined;
}

// A group that the install-config does not name is not used, except the cluster's own.
function compared(value: Value, cluster: AzureCluster): Compared[] {
  const at = (field: string) => textAt(value, ["platform", "azure", field]);
  const group = (field: string, own: string | undefined): Compared[] => {
    const is = at(field);
    const isSame = own?.toLowerCase() === groupId(cluster, is).toLowerCase();
    return is === "" || isSame ? [] : [{ field, is, must: own?.split("/").at(-1) }];
  };
  return [
    { field: "region", is: at("region"), must: cluster.region },
    { field: "cloudName", is: at("cloudName") || "AzurePublicCloud", must: cluster.environment },
    { field: "resourceGroupName", is: at("resourceGroupName"), must: cluster.installResourceGroup },
    ...group("baseDomainResourceGroupName", cluster.dnsZoneGroupId),
    ...group("networkResourceGroupName", cluster.networkGroupId),
  ];
}
