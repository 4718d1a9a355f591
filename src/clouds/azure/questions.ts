import { optional, type PlatformQuestions } from "../questions.ts";
import { azureNames } from "./cluster/cluster.ts";
import { environments } from "./cluster/regions.ts";

export const azureQuestions: PlatformQuestions = {
  ...azureNames,
  identities: "managed identities",
  exchangeHelp: {
    exchange: "the request of a managed identity at Microsoft Entra",
    identity: "a managed identity, by name, client ID or resource ID",
    identityFile: '"az identity federated-credential list" or "az identity show"',
  },
  questions: [
    {
      flag: "subscription-id",
      value: "ID",
      text: 'Azure subscription ID; "az account show" prints it as "id"',
      asked: "Azure subscription ID",
      example: "00000000-1111-2222-3333-444444444444",
    },
    {
      flag: "tenant-id",
      value: "ID",
      text: 'Azure tenant ID; "az account show" prints it as "tenantId"',
      asked: "Azure tenant ID",
      example: "55555555-6666-7777-8888-999999999999",
    },
    {
      flag: "region",
      value: "REGION",
      text: "Azure region, in lowercase without spaces",
      asked: "Azure region, such as eastus",
      example: "eastus",
    },
    {
      flag: "identity-region",
      value: "REGION",
      text: "on Azure: region of the managed identities, that of the cluster if omitted",
    },
    {
      flag: "cloud",
      value: "NAME",
      choices: environments.map(({ name }) => name),
      text: "on Azure: cloud environment, AzurePublicCloud if omitted",
    },
    {
      flag: "install-resource-group",
      value: "NAME",
      text: "on Azure: resource group of the cluster, as in the install-config; the cluster name if omitted",
    },
    {
      flag: "oidc-resource-group",
      value: "NAME",
      text: 'on Azure: resource group of the identities and the issuer, the cluster name and "-oidc" if omitted',
    },
    {
      flag: "dns-zone-resource-group",
      value: "NAME",
      text: "on Azure: resource group of the DNS zone, a name or an ID",
    },
    {
      flag: "network-resource-group",
      value: "NAME",
      text: "on Azure: resource group of an existing virtual network, a name or an ID",
    },
    {
      flag: "storage-account",
      value: "NAME",
      text: "on Azure: storage account of the issuer, computed from the cluster name and the subscription if omitted",
    },
  ],
  like: {
    own: [
      ["oidcResourceGroup"],
      ["installResourceGroup"],
      ["issuerHosting", "storageAccount"],
      ["issuerHosting", "container"],
      ["identities"],
      ["overrides", "*", "identityName"],
      ["overrides", "*", "scopes"],
      ["overrides", "*", "clientID"],
      ["overrides", "*", "roleDefinitionID"],
    ],
  },
  spec: (answers) => ({
    subscriptionID: answers["subscription-id"] ?? "",
    tenantID: answers["tenant-id"] ?? "",
    region: answers["region"] ?? "",
    ...optional("identityRegion", answers["identity-region"]),
    ...optional("cloud", answers["cloud"]),
    ...optional("oidcResourceGroup", answers["oidc-resource-group"]),
    ...optional("installResourceGroup", answers["install-resource-group"]),
    ...optional("dnsZoneResourceGroup", answers["dns-zone-resource-group"]),
    ...optional("networkResourceGroup", answers["network-resource-group"]),
    ...(answers["storage-account"] === undefined
      ? {}
      : { issuerHosting: { storageAccount: answers["storage-account"] } }),
  }),
  secondRender:
    'Azure assigns the client IDs of the Secrets: "ccf apply" stores them in the package, and renders it again.',
};
