/** Why `ccf upgradeable-to` refuses. */
export const findings = {
  "permissions-missing": {
    severity: "error",
    cause: "The requests of the release to upgrade to ask for permissions that the rendered roles do not have.",
    cure: "Put the release's requests into the package, render, export, apply, and ask again.",
  },
  "status-invalid": {
    severity: "error",
    cause: "The file that `--status` names is not what `status.sh --result FILE` writes when the cloud is in sync.",
    cure: "Run `aws/status.sh --result FILE` in the export; it writes nothing where it finds differences.",
  },
  "status-of-another-package": {
    severity: "error",
    cause: "The cloud was compared with files of another package, or not those of this one as it is now.",
    cure: "Export the package, run `apply.sh`, then `status.sh --result FILE`.",
  },
  "status-outdated": {
    severity: "error",
    cause: "The cloud was found in sync too long ago, and may have changed since.",
    cure: "Run `status.sh --result FILE` again.",
  },
} as const;
