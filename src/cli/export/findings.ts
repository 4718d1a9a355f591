/** What `ccf export` says of its directory. */
export const findings = {
  "admin-policy-unbounded": {
    severity: "warning",
    cause:
      "The policy for the administrator who applies an export, `admin-policy.json`, sets no permissions boundary: an administrator with this policy can create roles and policies, and so do anything in the account.",
    cure: "Set `spec.platform.aws.roles.permissionsBoundaryARN`; the policy then allows only roles with that boundary.",
  },
  "cluster-bundle-missing": {
    severity: "error",
    cause:
      "The package to export has roles but no `aws/cluster.yaml`, because its Kptfile does not run `generate-oidc-issuer`. Without the facts in it, the scripts cannot tell which account and which resources are the cluster's. Nothing was written.",
    cure: "Add `generate-oidc-issuer` to the pipeline of the Kptfile and the cluster's public key to `spec.issuer.signingKeys`. If others publish the issuer, set `spec.platform.aws.issuerHosting.type: External`. Then render, and export again.",
  },
  "export-file-edited": {
    severity: "error",
    cause:
      "A file of an export has another content than the one that was exported. It is neither overwritten nor removed, and nothing was written.",
    cure: "Make the change in the package, move the file away, and export again.",
  },
  "export-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf export` was killed, or could not go on, while it wrote. Each file is the old or the new one, whole; `.ccf-export` is what it left.",
    cure: "None is needed: `ccf export` finishes it. `--check` writes nothing, and leaves it to be finished. Run no script of the directory before.",
  },
  "not-exported": {
    severity: "info",
    cause:
      "The package holds objects that no function makes, such as the CloudCredential that `ccf upgradeable-to` wrote. An export holds what functions make, because the installer gets it for a new cluster.",
    cure: "Apply them to the running cluster yourself, or let Argo CD, Flux or kustomize apply the package's manifests.",
  },
  "export-list-invalid": {
    severity: "error",
    cause: "The directory of an export has a file SHA256SUMS that no export wrote, or that was edited.",
    cure: "Export to a directory of its own. If the list was edited, take back the edit, or move away the list and the files.",
  },
  "export-of-another-cluster": {
    severity: "error",
    cause:
      "The directory that `ccf export` is to write holds the export of another cluster: its `aws/cluster.json` names another account, resource prefix or region, or it does not say whose the export is: it is missing, edited, or not in `SHA256SUMS`. A cluster cannot change its region. Or a script of that export was interrupted, or still runs, while `--replace` gives its place away. Nothing was written.",
    cure: "Export to a directory of its own. To overwrite what is there, give `--replace ACCOUNT/PREFIX/REGION` as the message names it (`--replace unknown` where it cannot be told); the cloud resources of that cluster stay as they are.",
  },
  "export-unlisted-files": {
    severity: "warning",
    cause:
      "The directory of an export holds files that are not of the export. They are left alone, but the installer, or `oc apply -f` of the whole directory, also takes those in `aws/`, `manifests/` and `operators/`. For files beside these directories it is a note.",
    cure: "Move away what does not belong there, or export to a directory of its own.",
  },
  "export-unlisted-input": {
    severity: "error",
    cause:
      "The directory of an export holds something that is not of the export and that its scripts would apply: a directory of a role, or an input file of a role or of the issuer. Nothing was written.",
    cure: "Move it away, or export to a directory of its own.",
  },
} as const;
