/** The findings about several packages in one run. */
export const explanations = {
  "cluster-not-compared": {
    severity: "warning",
    cause:
      "A command compares the packages that it processes with all packages that it finds. The ClusterIdentity of one that it does not process is invalid or cannot be read, so it is unknown what that cluster uses.",
    cure: "Run `ccf validate` for the package that the message names, and fix what it reports.",
  },
  "cluster-not-unique": {
    severity: "error",
    cause:
      "Two packages claim what only one cluster can have: the same ClusterIdentity name, resource prefix, or name of a component identity in one account, project, or subscription; the same issuer URL; or the same bucket, storage account, distribution, pool, or ID that the cloud assigned to an identity. Usually, one package is a copy of the other. If both are applied, one replaces what the other cluster uses, such as its published signing keys.",
    cure: "Remove the package that is the copy, and create one with `ccf init DIR --like OTHER`, which copies settings only. Or make it another cluster: edit its ClusterIdentity by hand, because `ccf set` does not change `metadata.name`, and set all fields in the messages to other values at once. If it shares signing keys, create its own with `ccf create-key-pair`. If the copy contains rendered files, delete those with the annotation `fn.cloudcredential.dev/generated-by` and the file that `ccf set-identities` wrote, and render it.",
  },
  "package-removed": {
    severity: "warning",
    cause:
      "A path of `--touched` is gone, and it was the Kptfile, the ClusterIdentity or a generated file of a directory that is not a package anymore. The package was deleted, moved, or made invisible to the check. `ccf render --check` exits with 2. If generated objects are still in the directory, the finding is the error `generated-orphan`.",
    cure: "If the cluster is gone or its package was moved, add `--allow removal` to `ccf render --check` for this change. Otherwise restore the file.",
  },
  "touched-unchecked": {
    severity: "warning",
    cause:
      "A path of `--touched` below the root of `--recursive` belongs to this project, but is in no package that the search finds: `.krmignore` excludes it, or a symbolic link replaced it. This includes every path in a hidden package, even a CredentialsRequest. The message names the package. A touched `.krmignore` names each package that it hides. Nothing checks the path, so `ccf render --check` exits with 2.",
    cure: "Remove the pattern from `.krmignore`, or replace the link with the directory or the file itself. If `.krmignore` hides a package on purpose, review the change without the check.",
  },
} as const;
