/** Findings about a cluster on any cloud. */
export const findings = {
  "issuer-changed": {
    severity: "error",
    cause:
      "The package was rendered with a different issuer, and roles would no longer trust that issuer. As soon as the change is applied, every component loses access until it gets a token from the new issuer. If `replace-issuer` is allowed, this is a warning.",
    cure: "Add the old issuer to `spec.issuer.previous` while the cluster moves (docs/guides/migration.md). If the cluster does not exist yet, run `ccf render --allow replace-issuer DIR`.",
  },
  "skipped-override": {
    severity: "info",
    cause: "An override in the ClusterIdentity excludes the request.",
    cure: "No action is needed.",
  },
} as const;
