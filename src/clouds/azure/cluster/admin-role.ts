import type { ValueMap } from "../../../core/resource.ts";
import type { AzureCluster } from "./cluster.ts";

/**
 * The permissions for the scripts: those of the calls that they make (Azure documentation, "Azure permissions"), as a custom
 * role in the form of `az role definition create --role-definition`.
 *
 * Its holder can assign any role, and can so do anything in these subscriptions.
 */
export function adminRole(cluster: AzureCluster): ValueMap {
  const { hosting, prefix } = cluster;
  const isKey = hosting.type === "BlobPublic" && hosting.uploadAuth === "key";
  return {
    Name: `Cluster identity ${prefix}`,
    IsCustom: true,
    Description: `Permissions to apply the cloud credentials of the cluster ${prefix}`,
    Actions: [
      ...always,
      ...(hosting.type === "External" ? [] : ofStorage),
      ...(hosting.type === "External" ? [] : [isKey ? listKeys : listPermissions]),
    ].sort(),
    NotActions: [],
    DataActions:
      hosting.type === "External" || isKey
        ? []
        : ["Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write"],
    NotDataActions: [],
    AssignableScopes: [...cluster.subscriptions],
  };
}

const always = [
  "Microsoft.Authorization/roleAssignments/delete",
  "Microsoft.Authorization/roleAssignments/read",
  "Microsoft.Authorization/roleAssignments/write",
  "Microsoft.Authorization/roleDefinitions/delete",
  "Microsoft.Authorization/roleDefinitions/read",
  "Microsoft.Authorization/roleDefinitions/write",
  "Microsoft.ManagedIdentity/userAssignedIdentities/delete",
  "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/delete",
  "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/read",
  "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write",
  "Microsoft.ManagedIdentity/userAssignedIdentities/read",
  "Microsoft.ManagedIdentity/userAssignedIdentities/write",
  "Microsoft.Resources/subscriptions/resourceGroups/delete",
  "Microsoft.Resources/subscriptions/resourceGroups/read",
  "Microsoft.Resources/subscriptions/resourceGroups/resources/read",
  "Microsoft.Resources/subscriptions/resourceGroups/write",
  // To delete the storage account of a previous issuer, also if the cluster's own issuer is hosted elsewhere.
  "Microsoft.Storage/storageAccounts/blobServices/containers/read",
  "Microsoft.Storage/storageAccounts/delete",
  "Microsoft.Storage/storageAccounts/read",
];

const listKeys = "Microsoft.Storage/storageAccounts/listKeys/action";
/** The scripts check first whether they can upload the documents. */
const listPermissions = "Microsoft.Authorization/permissions/read";

const ofStorage = [
  "Microsoft.Storage/storageAccounts/blobServices/containers/delete",
  "Microsoft.Storage/storageAccounts/blobServices/containers/write",
  "Microsoft.Storage/storageAccounts/write",
];
