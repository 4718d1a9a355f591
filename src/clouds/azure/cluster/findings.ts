/** Findings about `spec.platform.azure`, and about an issuer on Azure. */
export const explanations = {
  "client-id-changed": {
    severity: "warning",
    cause: "A client ID in the package is not the one that the package was rendered with.",
    cure: "Check that the managed identity was created again. Otherwise, restore the ID from Git.",
  },
  "client-ids-invalid": {
    severity: "error",
    cause:
      "The ConfigMap with the client IDs, or a `clientID` in an override, is wrong: it belongs to another tenant, subscription or prefix, is not a UUID, or is the ID of two identities.",
    cure: "Write the ConfigMap with `ccf set-identities`, from the file that `apply.sh --identities` wrote for this cluster. If the package is a copy for another cluster, delete the ConfigMap: Azure assigns new IDs when you apply the export.",
  },
  "container-name-invalid": {
    severity: "error",
    cause: "The container's name violates a naming rule of Azure.",
    cure: "Set `spec.platform.azure.issuerHosting.container` to a valid name.",
  },
  "environment-contradiction": {
    severity: "error",
    cause:
      "The ClusterIdentity and the cluster's Infrastructure name different clouds or resource groups, or a cloud that is not supported.",
    cure: "Correct the wrong one.",
  },
  "identity-region-unsupported": {
    severity: "warning",
    cause:
      "The managed identities are in a region that does not support federated credentials, according to a dated list of Microsoft's. Azure creates the identities, but answers 405 to their credentials.",
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
