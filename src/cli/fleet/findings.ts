/** The findings about packages that `--touched` concerns. */
export const findings = {
  "package-removed": {
    severity: "warning",
    cause:
      "A path of `--touched` is gone, and it was the Kptfile, the ClusterIdentity or a generated file of a directory that is not a package anymore. The package was deleted, moved, or made invisible to the check. `ccf render --check` exits with 2.",
    cure: "If the cluster is gone or its package was moved, add `--allow removal` to `ccf render --check` for this change. Otherwise restore the file.",
  },
  "touched-unchecked": {
    severity: "warning",
    cause:
      "A path of `--touched` below the root of `--recursive` belongs to this project, but is in no package that the search finds: `.krmignore` excludes it, or a symbolic link replaced it. A touched `.krmignore` names each package that it hides. Nothing checks the path, so `ccf render --check` exits with 2.",
    cure: "Remove the pattern from `.krmignore`, or replace the link with the directory or the file itself. If `.krmignore` hides a package on purpose, review the change without the check.",
  },
} as const;
