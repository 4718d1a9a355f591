/** What is wrong with a cluster, whatever its cloud. */
export const findings = {
  "issuer-changed": {
    severity: "error",
    cause:
      "The package was rendered with another issuer, whose tokens roles would no longer trust: every component loses its access as soon as that is applied, until it has a token of the new issuer. It is a warning where `replace-issuer` is allowed.",
    cure: "Add the old issuer to `spec.issuer.previous` while the cluster moves (docs/guides/migration.md). For a cluster that does not exist yet: `ccf render --allow replace-issuer DIR`.",
  },
  "skipped-override": {
    severity: "info",
    cause: "An override of the config leaves the request out.",
    cure: "None is needed.",
  },
} as const;
