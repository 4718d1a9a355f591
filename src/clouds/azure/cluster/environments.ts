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
