/** What the cloud is called. */
export const azureNames = { name: "azure", title: "Azure", providerKind: "AzureProviderSpec" } as const;
