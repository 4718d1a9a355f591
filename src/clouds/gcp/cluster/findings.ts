/** Findings about `spec.platform.gcp`, and about an issuer on GCP. */
export const explanations = {
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
