/** The findings of `ccf import`. */
export const explanations = {
  "import-assumed": {
    severity: "warning",
    cause:
      "`ccf import` assumed a value, because neither the input nor an option contains it. No Secret depends on it.",
    cure: "Compare the value with the cloud. If they differ, set the field that the message names before you apply.",
  },
  "import-contradiction": {
    severity: "error",
    cause:
      "The input of `ccf import` contains objects of two clusters, or an option contradicts the cluster, or a Secret proves that the cluster includes a request that the assumed feature set excludes. Nothing was written.",
    cure: "Pass the objects of one cluster only, remove the option, or pass the feature set or the gate that the message names.",
  },
  "import-incomplete": {
    severity: "error",
    cause: "The input of `ccf import` lacks objects that are required to create a package. Nothing was written.",
    cure: "Run the command that the message names, and pass its output with `--from`.",
  },
  "import-key-invalid": {
    severity: "error",
    cause:
      "A key set or a ConfigMap in the input of `ccf import` contains a key that no package can publish. Nothing was written.",
    cure: "Pass the public key in PEM form with `--public-key-file`.",
  },
  "import-long-lived-key": {
    severity: "warning",
    cause:
      "A Secret of a CredentialsRequest contains a credential that works until someone deletes it. `ccf import` reads nothing else from it, and never prints it.",
    cure: "The render replaces the Secret with short-term credentials. Check that the component identity exists, replace the Secret with the rendered one (`oc replace`, because `oc apply` does not remove the key), and then delete the key in the cloud.",
  },
  "import-not-short-term": {
    severity: "error",
    cause:
      "The cluster has no issuer of its own in `spec.serviceAccountIssuer` of its Authentication, so its components use long-lived keys. Nothing was written.",
    cure: "Only a cluster with short-term credentials can be imported. For a new cluster, run `ccf init`.",
  },
  "import-operator-request": {
    severity: "info",
    cause:
      "A CredentialsRequest in the input belongs to an OLM operator: the cloud-credential-operator creates its Secret. It is not part of the new package.",
    cure: "No action is needed. To manage its component identity in the package, follow docs/guides/operators.md.",
  },
  "import-platform-unsupported": {
    severity: "error",
    cause: "The cluster runs on a platform that this version does not support. Nothing was written.",
    cure: "Only clusters on the clouds that the message names can be imported.",
  },
  "import-private-key": {
    severity: "warning",
    cause: "The directory that ccoctl wrote contains a private key. `ccf import` does not read it.",
    cure: "Keep the file out of Git. If others could read it, treat the key as compromised and create a new key pair.",
  },
  "import-secret-unrequested": {
    severity: "warning",
    cause:
      "The directory that ccoctl wrote contains a Secret to which no request in the package refers. The package does not have its component identity.",
    cure: "If the cluster still needs the component identity, remove the new package and import again with the requests of the release and the feature set that the cluster runs. Otherwise, no action is needed.",
  },
  "import-secret-unread": {
    severity: "warning",
    cause: "A Secret of a CredentialsRequest does not name a component identity in the form of its cloud.",
    cure: "Check the Secret. `ccoctl --dry-run` leaves the names empty; get the Secret from the cluster instead.",
  },
} as const;
