/** What several modules report that do not import each other, and what `core` reports itself. */
export const findings = {
  "allow-annotation": {
    severity: "warning",
    cause:
      "The ClusterIdentity has the annotation `fn.cloudcredential.dev/allow`, which lets every run take away what it names.",
    cure: "Remove the annotation when the change that it is for has been rendered.",
  },
  "allow-unknown": {
    severity: "error",
    cause: "The annotation `fn.cloudcredential.dev/allow` holds an unknown word.",
    cure: "Use a comma list of `removal`, `replace-issuer` and `replace-key`.",
  },
  "identity-renamed": {
    severity: "error",
    cause: "The package holds objects that were made for a ClusterIdentity of another name.",
    cure: "If it is the same cluster, `ccf render --rename-from OLD DIR` takes them over: it keeps the resource prefix, and names the Kptfile anew where that had the old name. If it is another cluster, give it a package of its own; the annotation `fn.cloudcredential.dev/generated-by` of an object says for which ClusterIdentity it was made.",
  },
  "path-collision": {
    severity: "error",
    cause:
      "Two generated objects would be in the same file: `a-b` in the namespace `c` and `b` in `c-a` give one file name.",
    cure: "Give one of the two requests another Secret.",
  },
  "private-key": {
    severity: "error",
    cause: "A field that is read or would be copied holds a private key. It is never printed.",
    cure: "Remove it. If others could read the repository, treat the key as compromised and create a new key pair. Only the public key belongs in a package.",
  },
} as const;
