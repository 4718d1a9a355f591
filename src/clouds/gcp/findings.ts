import type { Remarks } from "../../core/finding.ts";
import { maxRoleBytes, maxRolePermissions, maxSubject } from "./cluster/cluster.ts";
import { basicRoleNames } from "./identities/request.ts";

/** Findings about `spec.platform.gcp`, and about an issuer on GCP. */
export const gcpCluster = {
  "attribute-condition-invalid": {
    severity: "error",
    cause:
      "`spec.platform.gcp.attributeCondition` is not an expression in CEL, or names an attribute that the provider does not map. The provider maps `google.subject` only. The claims of the token are fields of `assertion`.",
    cure: "Correct the condition, or remove the field. The pool trusts only the cluster's issuer, so no condition is needed to keep other clusters out.",
  },
  "issuer-unclaimed": {
    severity: "info",
    cause:
      "The provider contains the keys, and `spec.issuer.url` is not set. The issuer is the URL of a bucket that does not exist, and anyone can create it. Google Cloud does not read it, but another service that reads keys from the issuer's URL would.",
    cure: "If only Google Cloud uses the tokens, no action is needed. Otherwise, set `spec.issuer.url` to a URL that you own before the cluster is installed.",
  },
  "pool-changed": {
    severity: "error",
    cause:
      "`spec.platform.gcp.pool` or `provider` is not the one that the package was rendered with. Every Secret would name another provider, and the old pool would stay trusted. If `removal` is allowed, this is a warning.",
    cure: "Restore the old ID. To move a cluster on purpose, run `ccf render --allow removal DIR`, apply the export before the Secrets, and delete the old pool when the cluster has moved.",
  },
  "pool-id-invalid": {
    severity: "error",
    cause: "The resource prefix is the default ID of the workload identity pool, but is not a valid ID of a pool.",
    cure: "Set `spec.platform.gcp.pool` to 4 to 32 lowercase letters, digits, and `-`, not beginning with `gcp-`.",
  },
  "previous-issuer-unsupported": {
    severity: "error",
    cause: "`spec.issuer.previous` is set, but a provider of Google Cloud trusts exactly one issuer.",
    cure: "Remove the field. The issuer's URL never needs to change: set `spec.issuer.url` to the URL that the cluster uses.",
  },
  "project-changed": {
    severity: "error",
    cause:
      "The project or the universe domain is not the one that the package was rendered for. Every Secret would name service accounts elsewhere. If `removal` is allowed, this is a warning.",
    cure: "Correct the field. Create a separate package for a cluster in another project.",
  },
  "project-contradiction": {
    severity: "error",
    cause: "The ClusterIdentity and the cluster's Infrastructure name different projects or universe domains.",
    cure: "Correct the wrong one.",
  },
} as const;

/** Findings about requests for GCP, and about service accounts and roles. */
export const gcpIdentities = {
  "attribute-condition-excludes": {
    severity: "error",
    cause:
      "No token of a request's service accounts can meet `spec.platform.gcp.attributeCondition`, so Google Cloud refuses them all. If the tokens of other requests can, this is a warning. Only what is certain is reported: comparisons of `assertion.sub`, `assertion.iss`, `google.subject`, and the namespace and the name of the service account.",
    cure: "Correct the condition, or remove the field. If the component needs no credentials, set `spec.overrides.*.skip` for its request.",
  },
  "basic-role": {
    severity: "error",
    cause: `A request asks for a basic role, which applies to every resource of a project: ${basicRoleNames}.`,
    cure: "Name predefined roles, or individual permissions in `spec.providerSpec.permissions`.",
  },
  "custom-role-too-large": {
    severity: "error",
    cause: `A request asks for more individual permissions than one custom role may contain: ${maxRolePermissions} permissions, or ${maxRoleBytes / 1024} KiB.`,
    cure: "Replace some permissions with predefined roles.",
  },
  "foreign-custom-role": {
    severity: "warning",
    cause: "A request names a custom role of a project or an organization. The package does not define that role.",
    cure: "Check that the role exists and what it allows, or name its permissions in the request.",
  },
  "permission-above-project": {
    severity: "error",
    cause:
      "A request asks for permissions for organizations or folders. They become a custom role of the project, which cannot contain them, so Google Cloud refuses the role.",
    cure: "Remove the permissions from the request, and grant them outside the package with a role of the organization or the folder.",
  },
  "project-quota": {
    severity: "warning",
    cause: "The package alone exceeds a default limit of a project: service accounts, custom roles, or principals.",
    cure: "Request an increase of the quota before you apply.",
  },
  "subject-too-long": {
    severity: "error",
    cause: `The subject of a service account, \`system:serviceaccount:<namespace>:<name>\`, exceeds the ${maxSubject} bytes that Google Cloud allows for \`google.subject\`.`,
    cure: "Use a service account with a shorter name.",
  },
  "workload-universe": {
    severity: "error",
    cause:
      "The cluster is in a universe of Google Cloud other than `googleapis.com`. The webhook writes a configuration for `googleapis.com` only, so annotated service accounts would not work.",
    cure: "Set `spec.delivery` to `Secret`: the rendered Secret names the hosts of the universe.",
  },
} as const;

/** Findings about the service accounts of OLM operators. */
export const gcpOperators = {
  "service-account-replaced": {
    severity: "warning",
    cause: "A request named an audience other than that of the cluster.",
    cure: "In the review, check which one is intended.",
  },
} as const;

/** Findings about rendered service accounts whose permissions cannot be compared. */
export const gcpRendered = {
  "service-account-unreadable": {
    severity: "error",
    cause:
      "A bundle in `gcp/identities` has been changed and cannot be read as a service account, so its permissions are unknown.",
    cure: "Run `ccf render DIR`, or restore the file from Git.",
  },
} as const;

/** What is true only on this cloud of findings of others. */
export const gcpRemarks: Remarks = {
  "cluster-bundle-missing": {
    cure: "If others publish the issuer on GCP, set `spec.platform.gcp.keyStorage: External`.",
  },
  "documents-lost": { cause: "On GCP, the field is `spec.platform.gcp.keyStorage`." },
  "issuer-contradiction": { cure: "To publish elsewhere on GCP, set `spec.platform.gcp.keyStorage: External`." },
  "export-of-another-cluster": { cause: "On GCP, the account is the project." },
  "secret-delegated": { cure: "On GCP, the cloud-credential-operator creates the Secret on OpenShift 4.17 and later." },
  "signing-key-unsupported": { cause: "Google Cloud accepts RSA keys and ECDSA keys on P-256." },
  "variable-shared": { cure: "On GCP, the variable is `SERVICE_ACCOUNT_EMAIL`." },
};
