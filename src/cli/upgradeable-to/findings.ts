/** Why `ccf upgradeable-to` refuses. */
export const explanations = {
  "permissions-missing": {
    severity: "error",
    cause:
      "The requests of the new release ask for permissions that the rendered identities do not have, or it is undecided whether they do.",
    cure: "Bring the release's requests into the package with `ccf update-requests --from DIR`, render, export and apply it, and run the command again. If it is undecided because of a role, provide its definition with `--role-definitions`.",
  },
  "status-invalid": {
    severity: "error",
    cause:
      "The file that `--status` names, or a file in the directory that it names, is not what `ccf status --result FILE` writes.",
    cure: "Run `ccf status --result FILE`, or `ccf status --results DIR` for a directory.",
  },
  "status-not-in-sync": {
    severity: "error",
    cause: "The cloud differed from the package, or could not be read.",
    cure: "Run `ccf apply`, and then `ccf status --result FILE`.",
  },
  "status-of-another-package": {
    severity: "error",
    cause:
      "The cloud was compared with another package, or with an earlier state of this package, or no result in the directory is for this package.",
    cure: "Apply the package, and then run `ccf status --result FILE`, or `ccf status --results DIR`.",
  },
  "status-outdated": {
    severity: "error",
    cause: "The cloud was found in sync too long ago and may have changed since.",
    cure: "Run `ccf status --result FILE`, or `ccf status --results DIR`, again.",
  },
} as const;
