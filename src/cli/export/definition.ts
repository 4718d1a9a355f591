import { checkFlag, define, messageFlags, onlyOursFlag, outputFlag } from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const exportCommand = define({
  name: "export",
  summary: "write the inputs, documents and manifests of a rendered package as plain files",
  description:
    "Write a rendered package as plain files: the contents of its bundle ConfigMaps, and the manifests for the installer. If the package differs from what its functions render, the command refuses to export it, so that hand-edited generated files are never applied.",
  usage: ["[DIR...] --output-dir DIR [options]", "[DIR] --format manifests-configmap [options]"],
  arguments: [packagesArgument],
  flags: {
    "output-dir": {
      value: "DIR",
      path: "directory",
      text: "the directory to write, outside the package; with several packages, it gets a directory for each",
    },
    check: checkFlag,
    replace: {
      value: "NAME",
      text: 'overwrite the export of another cluster: the name in the error, such as ACCOUNT/PREFIX/REGION, or "unknown"',
    },
    format: {
      value: "FORM",
      choices: ["files", "terraform", "manifests-configmap", "facts"],
      fallback: "files",
      text: 'what to write: "files"; "terraform", the files and a Terraform module in terraform/; "manifests-configmap", only one ConfigMap with the contents of manifests/, for Hive, on standard output; or "facts", only the facts with which a team renders the identities of its workloads, and the permissions to apply them',
    },
    import: {
      text: "with --format terraform, also write terraform/imports/: import blocks for existing resources",
    },
    "admin-policies": {
      text: "with several packages, also write admin-policies/: for each account on AWS, the policies with which one administrator can apply all of its packages",
    },
    "no-prevent-destroy": {
      text: "with --format terraform, omit prevent_destroy, so that Terraform can delete what the tokens of a running cluster depend on; for clusters that Terraform also deletes",
    },
    name: { value: "NAME", text: "name of the ConfigMap (default: CLUSTER-manifests)" },
    namespace: { value: "NAME", text: "namespace of the ConfigMap: that of the ClusterDeployment (default: none)" },
    "only-ours": onlyOursFlag,
    ...messageFlags,
    output: outputFlag("text", "json"),
    ...fleetFlags,
  },
  sections: {
    "Contents of the output directory": [
      ["CLOUD/", "commands.txt, input files of the cloud's CLI, and documents"],
      ["manifests/", "Secrets and the Authentication of the cluster, for the installer"],
      ["terraform/", "with --format terraform, a module for a root module to call"],
      [
        "operators/",
        "for the running cluster: Secrets of OLM operators, if configured, and others without a Namespace",
      ],
      ["SHA256SUMS", "the list of these files; other files are reported, never touched"],
      "Other objects for the cluster, such as CloudCredential, are reported and not exported.",
    ],
    "In the ClusterDeployment of Hive, or of Red Hat Advanced Cluster Management": [
      "spec.provisioning.manifestsConfigMapRef names the ConfigMap, which must be in the same namespace. spec.boundServiceAccountSigningKeySecretRef names a Secret with the private signing key, as its key bound-service-account-signing-key.key. No package and no export contains it.",
    ],
  },
  exitCodes: { 0: "success", 2: "with --check: a file would change", 1: "failure" },
  examples: [
    "ccf export clusters/demo --output-dir out",
    "ccf export --recursive clusters --output-dir out --admin-policies",
    "ccf export clusters/demo --output-dir out --format terraform --import",
    "ccf export clusters/demo --format facts --output-dir facts/demo",
    "ccf export clusters/demo --format manifests-configmap --namespace demo > demo-manifests.yaml",
  ],
});
