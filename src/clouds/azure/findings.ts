import type { Remarks } from "../../core/finding.ts";
import { maxAssignments, maxCredentials, maxRoles } from "./cluster/cluster.ts";

/** Findings about `spec.platform.azure`, and about an issuer on Azure. */
export const azureCluster = {
  "client-id-changed": {
    severity: "warning",
    cause: "A client ID in the package is not the one that the package was rendered with.",
    cure: "Check that the managed identity was created again. Otherwise, restore the ID from Git.",
  },
  "client-ids-invalid": {
    severity: "error",
    cause:
      "The ConfigMap with the client IDs, or a `clientID` in an override, is wrong: it belongs to another tenant, subscription or prefix, is not a UUID, contains only zeros, is the ID of the subscription or the tenant, or is the ID of two identities.",
    cure: "Write the ConfigMap with `ccf set-identities`, from what `ccf apply` printed for the export of this cluster. If the package is a copy for another cluster, delete the ConfigMap: Azure assigns new IDs when you apply the package.",
  },
  "container-name-invalid": {
    severity: "error",
    cause: "The container's name violates a naming rule of Azure.",
    cure: "Set `spec.platform.azure.issuerHosting.container` to a valid name.",
  },
  "environment-contradiction": {
    severity: "error",
    cause:
      "The ClusterIdentity and the cluster's Infrastructure name different clouds or resource groups, or a cloud that is not supported. Or a region in the ClusterIdentity belongs to a different cloud.",
    cure: "Correct the wrong one.",
  },
  "identity-region-unsupported": {
    severity: "warning",
    cause:
      "The managed identities are in a region that does not support federated credentials, according to a dated list from Microsoft. Azure creates the identities, but refuses their credentials with the status 405.",
    cure: "Set `spec.platform.azure.identityRegion` to another region before the first apply. If Azure supports the region now, set it to that region.",
  },
  "region-changed": {
    severity: "error",
    cause:
      "The region, or that of the managed identities, is not the one that the package was rendered for. Azure cannot move managed identities and storage accounts. If `removal` is allowed, this is a warning.",
    cure: "Restore the old value. Create a separate package for another cluster. If the package was never applied, delete its directory `azure` and render again.",
  },
  "resource-group-shared": {
    severity: "error",
    cause: "The resource group of the managed identities is also that of the cluster.",
    cure: "Set `spec.platform.azure.oidcResourceGroup` to another name.",
  },
  "subscription-changed": {
    severity: "error",
    cause:
      "The subscription, tenant, cloud or resource group is not the one that the package was rendered for. The managed identities that the cluster uses would be orphaned. If `removal` is allowed, this is a warning.",
    cure: "Restore the old value. Create a separate package for another cluster.",
  },
} as const;

/** Findings about requests for Azure, and about managed identities and roles. */
export const azureIdentities = {
  "client-id-unknown": {
    severity: "warning",
    cause: "Azure assigns a client ID when the managed identity is created, and the package does not contain it yet.",
    cure: "Apply the package with `ccf apply`, which stores the client ID and renders the package again.",
  },
  "data-action-misplaced": {
    severity: "error",
    cause:
      "A request lists an action on data, such as one on blobs, among `permissions` or `notActions`. Azure accepts it only as a data action, and refuses the custom role.",
    cure: "Move the action to `dataPermissions`, or to `notDataActions`.",
  },
  "role-limit": {
    severity: "warning",
    cause: `The requests of the package alone need more custom roles than Azure allows in a tenant (${maxRoles.AzurePublicCloud}, in China ${maxRoles.AzureChinaCloud}), or more role assignments than it allows in a subscription (${maxAssignments.AzurePublicCloud}, in Azure Government and China ${maxAssignments.AzureChinaCloud}).`,
    cure: "Request fewer roles, or name fewer scopes in `spec.platform.azure.overrides`.",
  },
  "role-unknown": {
    severity: "error",
    cause: "A request names a role whose ID this version does not know.",
    cure: "Correct the name. If it is a built-in role, add its name and ID to `spec.platform.azure.roles`.",
  },
  "too-many-credentials": {
    severity: "error",
    cause: `A managed identity would need more than ${maxCredentials} federated credentials: one for each service account and issuer.`,
    cure: "Name fewer service accounts, or end the move from a previous issuer.",
  },
  "unbounded-role": {
    severity: "warning",
    cause:
      "A request names `Owner` or `User Access Administrator`, with which a component can give itself every other role.",
    cure: "Check that this is intended.",
  },
} as const;

/** Findings about the managed identities of OLM operators. */
export const azureOperators = {
  "managed-identity-replaced": {
    severity: "warning",
    cause: "A request named a tenant, subscription or region other than the one that is generated for it.",
    cure: "In the review, check which one is intended.",
  },
} as const;

/** Findings about rendered managed identities whose permissions cannot be compared. */
export const azureRendered = {
  "managed-identity-unreadable": {
    severity: "error",
    cause:
      "A bundle in `azure/identities` has been changed and cannot be read as a managed identity, so its permissions are unknown.",
    cure: "Run `ccf render DIR`, or restore the file from Git.",
  },
} as const;

/** What is true only on this cloud of findings of others. */
export const azureRemarks: Remarks = {
  "assigned-id-invalid": {
    cure: "On Azure, it is the client ID of the managed identity, not the principal ID or the resource ID.",
  },
  "cluster-bundle-missing": {
    cure: "If others publish the issuer on Azure, set `spec.platform.azure.issuerHosting.type: External`.",
  },
  "cluster-not-unique": {
    cause:
      "On Azure, custom roles of two clusters in one tenant must have different names, even if the clusters are in different subscriptions. The names begin with the resource prefix, unless an override sets `identityName`.",
  },
  "documents-lost": { cause: "On Azure, the field is `spec.platform.azure.issuerHosting`." },
  "issuer-contradiction": {
    cure: "To publish elsewhere on Azure, set `spec.platform.azure.issuerHosting.type: External`.",
  },
  "secret-delegated": {
    cure: "On Azure, the cloud-credential-operator creates the Secret on OpenShift 4.14.8 and later.",
  },
  "signing-key-unsupported": { cause: "Microsoft Entra is tested only with RSA keys." },
  "too-many-signing-keys": { cause: "Microsoft Entra reads the first 100." },
};
