/** The findings of `ccf export`. */
export const explanations = {
  "cluster-bundle-missing": {
    severity: "error",
    cause:
      "The package to export has component identities but no `cluster.yaml` in the directory of its cloud, because its Kptfile does not run `generate-oidc-issuer`. Without that file, `ccf apply` cannot determine which resources belong to the cluster. Nothing was written.",
    cure: "Add `generate-oidc-issuer` to the pipeline of the Kptfile and the cluster's public key to `spec.issuer.signingKeys`. Then render and export again.",
  },
  "export-file-edited": {
    severity: "error",
    cause:
      "The contents of an exported file were changed after the export. The file was not overwritten or removed, and nothing was written.",
    cure: "Make the change in the package, move the file away, and export again.",
  },
  "export-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf export` was killed or failed while it wrote. Each file has either its old or its new content. The directory `.ccf-export` remains from that run.",
    cure: "No action is needed: the next `ccf export` finishes the work. `--check` writes nothing and does not finish it. Until then, do not apply the directory.",
  },
  "not-exported": {
    severity: "info",
    cause:
      "The package contains objects that no function generates, such as the CloudCredential written by `ccf upgradeable-to`. An export contains only generated objects and the Namespaces of their Secrets, because the installer uses it for new clusters.",
    cure: "Apply them to the running cluster yourself, or let Argo CD, Flux or kustomize apply the package's manifests.",
  },
  "export-namespace-missing": {
    severity: "warning",
    cause:
      "A Secret is in a namespace that does not exist during an installation: no request of a release has its Secret there, and the package contains no Namespace object for it. The installer waits for every manifest, and the installation would fail. The Secret is therefore exported to `operators/`, which the installer does not read; a ConfigMap for Hive does not contain it.",
    cure: "Add the Namespace object to the package, and export again: the export then contains both. Or create the namespace in the running cluster, and then apply the Secret from `operators/`.",
  },
  "export-list-invalid": {
    severity: "error",
    cause: "The file SHA256SUMS in the directory of the export was edited, or was not written by an export.",
    cure: "Export to a separate directory. If the list was edited, undo the edit, or move the list and the files away.",
  },
  "export-of-another-cluster": {
    severity: "error",
    cause:
      "The output directory of `ccf export` contains the export of another cluster: the `cluster.json` in the directory of its cloud names another account, resource prefix or region. A cluster cannot change its region. The finding is also reported if the owner of the export is unknown, because that file is missing, edited, or not in `SHA256SUMS`. Nothing was written.",
    cure: "Export to a separate directory. To overwrite the existing export, set `--replace OWNER` as shown in the message, or `--replace unknown` if the owner is unknown. The cloud resources of the other cluster do not change.",
  },
  "export-unlisted-files": {
    severity: "warning",
    cause:
      "The directory of an export contains files that are not part of the export. They are not changed, but the installer, or `oc apply -f` of the whole directory, also uses those in `manifests/`, in `operators/`, and in the directory of the cloud. For files outside these directories, the finding is a note.",
    cure: "Move away what does not belong there, or export to a separate directory.",
  },
  "export-unlisted-input": {
    severity: "error",
    cause:
      "The directory of an export contains something that is not part of the export but looks like a part of it: the directory of an identity, or an input file of an identity or of the issuer. Nothing was written.",
    cure: "Move it away, or export to a separate directory.",
  },
  "manifests-too-large": {
    severity: "error",
    cause:
      "The manifests for the installer are larger than 1 MiB, and Kubernetes refuses a larger ConfigMap. Nothing was printed.",
    cure: "Shorten the object that the message names, usually an Authentication that you wrote yourself: its file is exported with all comments. Then render and export again.",
  },
  "applier-differs": {
    severity: "warning",
    cause:
      "The export contains a module for Terraform, but `spec.applier` of the ClusterIdentity is `Ccf`. `ccf apply` and Terraform would undo each other's changes.",
    cure: "If Terraform applies the package, set `spec.applier: Terraform`, and render. Otherwise, export without `--format terraform`.",
  },
  "terraform-unsupported": {
    severity: "error",
    cause:
      "`--format terraform` is set, but `ccf` knows no Terraform provider for the cloud of the package. Nothing was written.",
    cure: "Export without `--format terraform`.",
  },
  "facts-unavailable": {
    severity: "error",
    cause:
      "`ccf export --format facts` needs the package of a cluster with guard rails in `spec.workloads`, and with an issuer that is known.",
    cure: "Add `spec.workloads` to the ClusterIdentity, or apply the package first, as the message says. The facts of a team's package come from the cluster's own package.",
  },
} as const;
