/** The names of the cloud. */
export const azureNames = {
  name: "azure",
  title: "Azure",
  providerKind: "AzureProviderSpec",
  accountNoun: "subscription",
  identityNoun: "managed identity",
} as const;
