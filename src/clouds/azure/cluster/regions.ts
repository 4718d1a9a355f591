/** A cloud environment of Azure. */
export interface Environment {
  /** As OpenShift names it in Infrastructure/cluster and in the install-config. */
  readonly name: "AzurePublicCloud" | "AzureUSGovernmentCloud" | "AzureChinaCloud";
  /** As the Azure CLI names it. */
  readonly cliName: "AzureCloud" | "AzureUSGovernment" | "AzureChinaCloud";
  /** The domain of blobs (Azure documentation, "Compare Azure Government and global Azure", "Azure China developer guide"). */
  readonly blobDomain: string;
  /** How the names of its regions begin; missing if they have nothing in common. */
  readonly regions?: RegExp;
}

export const environments: readonly Environment[] = [
  { name: "AzurePublicCloud", cliName: "AzureCloud", blobDomain: "blob.core.windows.net" },
  {
    name: "AzureUSGovernmentCloud",
    cliName: "AzureUSGovernment",
    blobDomain: "blob.core.usgovcloudapi.net",
    regions: /^us(?:gov|dod)/,
  },
  { name: "AzureChinaCloud", cliName: "AzureChinaCloud", blobDomain: "blob.core.chinacloudapi.cn", regions: /^china/ },
];

/**
 * The environment that a region belongs to, by its name ("Azure Government developer guide", "Azure operated by 21Vianet"). What no
 * other environment claims is in the public cloud.
 */
export function environmentOf(region: string): Environment {
  const found = environments.find(({ regions }) => regions?.test(region));
  return found ?? environmentNamed("AzurePublicCloud");
}

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
