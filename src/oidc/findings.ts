/** What is said of signing keys. */
export const findings = {
  "signing-key": {
    severity: "info",
    cause: "A public key is published: roles will trust tokens that its private half signed.",
    cure: "None is needed; in a review, compare the key ID with the cluster's.",
  },
  "signing-key-invalid": {
    severity: "error",
    cause:
      "A signing key is not a PEM public key for an algorithm that Kubernetes signs with, or AWS must not trust it or is not documented to: RSA of fewer than 2048 bits or of 16384 and more, or with another exponent than 65537.",
    cure: "Use the public key of the service account signer: RSA of at least 2048 bits with the exponent 65537, as `ccf create-key-pair` and openssl make them, or ECDSA on P-256, P-384 or P-521.",
  },
  "signing-key-missing": {
    severity: "error",
    cause: "A signing key refers to a ConfigMap that is not in the list, is in it twice, or has no such key.",
    cure: "Correct the reference, or put the ConfigMap into the package.",
  },
  "signing-key-removed": {
    severity: "info",
    cause:
      "A key that the package published is published no longer: tokens that it signed are refused once that is applied.",
    cure: "None is needed when the cluster no longer signs with it and its last token has expired.",
  },
  "signing-key-repeated": {
    severity: "error",
    cause: "The same signing key is listed twice.",
    cure: "Remove one.",
  },
  "signing-key-replaced": {
    severity: "error",
    cause:
      "Every key that the package published goes in one step, so that every token of the cluster is refused until it signs with the new key. It is a warning where `replace-key` is allowed.",
    cure: "For a cluster that does not exist yet: `ccf render --allow replace-key DIR`. Else rotate in two steps: publish the old and the new key together, and remove the old one when the cluster no longer signs with it.",
  },
} as const;
