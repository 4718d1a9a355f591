import type { Operations } from "../../../permissions/vocabulary.ts";

/**
 * Methods of REST APIs that permissions with other names authorize (Google Cloud documentation, "Compute Engine IAM roles and
 * permissions", "IAM permissions for JSON methods" of Cloud Storage, "Roles and permissions" of Cloud DNS, and the IAM Credentials
 * API, read in November 2026).
 */
export const gcpOperations: Operations = {
  ...Object.fromEntries(
    [
      ...["addresses", "backendServices", "disks", "firewalls", "forwardingRules", "healthChecks", "images"],
      ...["instanceGroups", "instanceTemplates", "instances", "networks", "routers", "routes", "snapshots"],
      ...["subnetworks", "targetPools"],
    ].map((kind) => [`compute.${kind}.insert`, [`compute.${kind}.create`]]),
  ),
  ...Object.fromEntries(
    ["addresses", "disks", "forwardingRules", "instanceGroups", "instances", "machineTypes", "subnetworks"].map(
      (kind) => [`compute.${kind}.aggregatedList`, [`compute.${kind}.list`]],
    ),
  ),
  "cloudresourcemanager.projects.getIamPolicy": ["resourcemanager.projects.getIamPolicy"],
  "cloudresourcemanager.projects.setIamPolicy": ["resourcemanager.projects.setIamPolicy"],
  "dns.managedZones.patch": ["dns.managedZones.update"],
  generateAccessToken: ["iam.serviceAccounts.getAccessToken"],
  generateIdToken: ["iam.serviceAccounts.getOpenIdToken"],
  "iam.projects.serviceAccounts.keys.create": ["iam.serviceAccountKeys.create"],
  "iamcredentials.projects.serviceAccounts.generateAccessToken": ["iam.serviceAccounts.getAccessToken"],
  "iamcredentials.projects.serviceAccounts.generateIdToken": ["iam.serviceAccounts.getOpenIdToken"],
  "iamcredentials.projects.serviceAccounts.signBlob": ["iam.serviceAccounts.signBlob"],
  "iamcredentials.projects.serviceAccounts.signJwt": ["iam.serviceAccounts.signJwt"],
  "storage.buckets.insert": ["storage.buckets.create"],
  "storage.buckets.patch": ["storage.buckets.update"],
  "storage.objects.insert": ["storage.objects.create"],
  "storage.objects.patch": ["storage.objects.update"],
};
