/** Findings of `core`, and findings that modules share which do not import each other. */
export const explanations = {
  "allow-annotation": {
    severity: "warning",
    cause:
      "The ClusterIdentity has the annotation `fn.cloudcredential.dev/allow` with `removal`, `replace-issuer`, or `replace-key`, so every run allows changes of that kind.",
    cure: "Remove the annotation once the intended change is rendered. To allow an individual removal, use `removal:<namespace>/<secret>`, which can stay in the annotation.",
  },
  "allow-unknown": {
    severity: "error",
    cause: "The annotation `fn.cloudcredential.dev/allow` contains an unknown name.",
    cure: "Use `removal:<namespace>/<secret>`, `removal`, `replace-issuer` and `replace-key`, separated by commas.",
  },
  "identity-misplaced": {
    severity: "error",
    cause:
      "The package contains an object that was generated for another ClusterIdentity, in a file that this package would not write, or for another cloud. Usually, a directory below the package was a package of its own, and its Kptfile and ClusterIdentity are gone. Or the files were copied from another cluster.",
    cure: "If the directory is the package of another cluster, restore its Kptfile and its ClusterIdentity. Otherwise, delete the files whose annotation `fn.cloudcredential.dev/generated-by` ends with the name in the message.",
  },
  "identity-renamed": {
    severity: "error",
    cause: "The package contains objects that were generated for a ClusterIdentity with another name.",
    cure: "If it is the same cluster, run `ccf render --rename-from OLD DIR` to adopt the objects. The command keeps the resource prefix, and renames the Kptfile if that had the old name. If the package is a copy for another cluster, give that cluster its own `metadata.name`, `spec.resourcePrefix`, and `spec.issuer.signingKeys` (`ccf create-key-pair`). Delete the files of the copy that contain the annotation `fn.cloudcredential.dev/generated-by`, and the file that `ccf set-identities` wrote, because its IDs belong to the other cluster. Then render the copy. The annotation names the ClusterIdentity that the object was generated for.",
  },
  "invisible-character": {
    severity: "error",
    cause:
      "A text of a request or of the ClusterIdentity contains a character that a reader cannot see, or cannot tell from a space, such as U+00A0, U+2800, or U+3164. It would become part of a name, a policy, a path, or a Secret, so what is applied would not be what a reviewer reads.",
    cure: "Remove the character that the message names, or replace it with the one that is meant. Usually, the text was copied from a page or a document.",
  },
  "path-collision": {
    severity: "error",
    cause:
      "Two generated objects would be written to the same file. For example, the Secrets `a-b` in the namespace `c` and `b` in the namespace `c-a` have the same file name.",
    cure: "Rename the Secret of one of the two requests.",
  },
  "private-key": {
    severity: "error",
    cause: "A field that is read or would be copied contains a private key. The key is never printed.",
    cure: "Remove the private key. If others could read the repository, treat the key as compromised and create a new key pair. Only the public key belongs in a package.",
  },
} as const;
