/** The names of the cloud. */
export const azureNames = {
  name: "azure",
  title: "Azure",
  providerKind: "AzureProviderSpec",
  accountNoun: "subscription",
  identityNoun: "managed identity",
} as const;

/** How comparisons name an identity of this cloud. */
export const azureManagedIdentity = { cloud: azureNames.title, noun: azureNames.identityNoun } as const;
