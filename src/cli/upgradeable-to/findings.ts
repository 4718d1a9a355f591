/** Why `ccf upgradeable-to` refuses. */
export const explanations = {
  "permissions-missing": {
    severity: "error",
    cause:
      "The requests of the new release ask for permissions that the rendered identities do not have, or it is undecided whether they do.",
    cure: "Bring the release's requests into the package with `ccf update-requests --from DIR`, render, export and apply it, and run the command again. If it is undecided because of a role, give its definition with `--role-definitions`.",
  },
  "status-invalid": {
    severity: "error",
    cause:
      "The file that `--status` names, or a file in the directory that it names, is not what `status.sh --result FILE` writes when the cloud is in sync.",
    cure: "Run `status.sh --result FILE` in the export. If it finds differences, it writes nothing.",
  },
  "status-of-another-package": {
    severity: "error",
    cause: "The cloud was compared with another package, or with an earlier state of this package.",
    cure: "Export the package, run `apply.sh`, then `status.sh --result FILE`.",
  },
  "status-outdated": {
    severity: "error",
    cause: "The cloud was found in sync too long ago and may have changed since.",
    cure: "Run `status.sh --result FILE` again.",
  },
} as const;
