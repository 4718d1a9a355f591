/** A cloud environment of Azure. */
export interface Environment {
  /** As OpenShift names it in Infrastructure/cluster and in the install-config. */
  readonly name: "AzurePublicCloud" | "AzureUSGovernmentCloud" | "AzureChinaCloud";
  /** As the Azure CLI names it. */
  readonly cliName: "AzureCloud" | "AzureUSGovernment" | "AzureChinaCloud";
  /** The domain of blobs (Azure documentation, "Compare Azure Government and global Azure", "Azure China developer guide"). */
  readonly blobDomain: string;
}

export const environments: readonly Environment[] = [
  { name: "AzurePublicCloud", cliName: "AzureCloud", blobDomain: "blob.core.windows.net" },
  { name: "AzureUSGovernmentCloud", cliName: "AzureUSGovernment", blobDomain: "blob.core.usgovcloudapi.net" },
  { name: "AzureChinaCloud", cliName: "AzureChinaCloud", blobDomain: "blob.core.chinacloudapi.cn" },
];

/** An environment by name; the name comes from a checked config. */
export function environmentNamed(name: string): Environment {
  return environments.find((environment) => environment.name === name) as Environment;
}

/**
 * The regions whose managed identities take no federated credentials: a PUT is answered with 405, "Support for federated
 * identity credentials not enabled" (Microsoft Entra documentation, "Important considerations and restrictions for federated
 * identity credentials", of the date). Microsoft adds support region by region: in 2023, the list had ten others.
 */
export const unfederatedRegions: { readonly date: string; readonly regions: readonly string[] } = {
  date: "2024-02-28",
  regions: ["malaysiasouth", "newzealandnorth"],
};
