import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { applierFact, clusterFile, markFact } from "../../rendered.ts";
import { azureBundles } from "../rendered/facts.ts";
import type { AzureCluster } from "./cluster.ts";
import { environmentNamed } from "./regions.ts";
import { groupId, ownerTagKey, resourceUrl } from "./resource-names.ts";

/**
 * The bundle with the facts about the whole cluster: `cluster.json` contains the facts that `ccf apply` reads, two files the
 * requests that create the resource groups, and `admin-role.json` the permissions that the administrator needs for
 * that. It depends only on the config, so another request does not change it.
 */
export function clusterBundle(cluster: AzureCluster, identity: Identity): GeneratedObject {
  const { oidcResourceGroup, installResourceGroup } = cluster;
  return bundle(
    azureBundles.cluster,
    "azure-cluster",
    jsonFiles({
      [clusterFile]: { ...clusterFacts(cluster, identity), ...applierFact(identity) },
      "oidc-resource-group.json": resourceGroup(cluster, oidcResourceGroup),
      "install-resource-group.json": resourceGroup(cluster, installResourceGroup),
      "admin-role.json": adminRole(cluster),
    }),
  );
}

// Azure REST API, Resource Groups - Create Or Update.
function resourceGroup(cluster: AzureCluster, name: string): ValueMap {
  return {
    url: resourceUrl(groupId(cluster, name), "groups"),
    body: { location: cluster.region, tags: cluster.tags },
  };
}

function clusterFacts(cluster: AzureCluster, identity: Identity): ValueMap {
  const { hosting } = cluster;
  const { cliName, blobDomain } = environmentNamed(cluster.environment);
  const blobs =
    hosting.type === "External"
      ? {}
      : {
          storageAccount: hosting.storageAccount,
          container: hosting.container,
          blobEndpoint: `https://${hosting.storageAccount}.${blobDomain}`,
          uploadAuth: hosting.uploadAuth,
        };
  return {
    subscriptionID: cluster.subscriptionId,
    tenantID: cluster.tenantId,
    cloud: cluster.environment,
    cliCloud: cliName,
    region: cluster.region,
    resourcePrefix: cluster.prefix,
    ownerTag: ownerTagKey(cluster.prefix),
    ...markFact(cluster, identity),
    oidcResourceGroup: cluster.oidcResourceGroup,
    installResourceGroup: cluster.installResourceGroup,
    issuer: cluster.issuerUrl,
    ...(cluster.previousIssuers.length === 0 ? {} : { previousIssuers: cluster.previousIssuers }),
    ...blobs,
  };
}

/**
 * The permissions to apply, compare and destroy: those of the requests (Azure documentation, "Azure permissions"), as a
 * custom role in the form of `az role definition create --role-definition`.
 *
 * Its holder can assign any role, and can so do anything in these subscriptions.
 */
function adminRole(cluster: AzureCluster): ValueMap {
  const { hosting, prefix, previousIssuers } = cluster;
  const isKey = hosting.type === "BlobPublic" && hosting.uploadAuth === "key";
  // Blobs are read also before the storage account of a previous issuer is removed.
  const reads =
    hosting.type === "BlobPublic" ? !isKey : previousIssuers.some((issuer) => issuer.includes(".blob.core."));
  const blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs";
  return {
    Name: `Cluster identity ${prefix}`,
    IsCustom: true,
    Description: `Permissions to apply the cloud credentials of the cluster ${prefix}`,
    Actions: [...always, ...(hosting.type === "External" ? [] : ofStorage), ...(isKey ? [listKeys] : [])].sort(),
    NotActions: [],
    DataActions: [
      ...(reads ? [`${blobs}/read`] : []),
      ...(hosting.type === "BlobPublic" && !isKey ? [`${blobs}/write`] : []),
    ],
    NotDataActions: [],
    AssignableScopes: [...cluster.subscriptions],
  };
}

const always = [
  // Azure's lists omit what the reader may not see.
  "Microsoft.Authorization/permissions/read",
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
  "Microsoft.Resources/subscriptions/read",
  "Microsoft.Resources/subscriptions/resourceGroups/delete",
  "Microsoft.Resources/subscriptions/resourceGroups/read",
  "Microsoft.Resources/subscriptions/resourceGroups/resources/read",
  "Microsoft.Resources/subscriptions/resourceGroups/write",
  // To delete the storage account of a previous issuer, even if the cluster's own issuer is hosted elsewhere; and to see
  // whether it contains anything else.
  "Microsoft.Storage/storageAccounts/blobServices/containers/read",
  "Microsoft.Storage/storageAccounts/delete",
  "Microsoft.Storage/storageAccounts/fileServices/shares/read",
  "Microsoft.Storage/storageAccounts/queueServices/queues/read",
  "Microsoft.Storage/storageAccounts/read",
  "Microsoft.Storage/storageAccounts/tableServices/tables/read",
];

const listKeys = "Microsoft.Storage/storageAccounts/listKeys/action";

const ofStorage = [
  "Microsoft.Storage/storageAccounts/blobServices/containers/delete",
  "Microsoft.Storage/storageAccounts/blobServices/containers/write",
  "Microsoft.Storage/storageAccounts/managementPolicies/read",
  "Microsoft.Storage/storageAccounts/write",
];
