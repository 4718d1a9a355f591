import { curveNames, minRsaBits, unusualRsaBits, usualExponent } from "./limits.ts";

/** The findings about signing keys. */
export const explanations = {
  "signing-key": {
    severity: "info",
    cause: "A public key is published. The cloud will accept tokens that are signed with its private key.",
    cure: "No action is needed. In the review, compare the key ID with the cluster's.",
  },
  "signing-key-invalid": {
    severity: "error",
    cause: `A signing key is not a PEM public key for an algorithm that Kubernetes signs with. Or it is a key that is too weak, or that not every cloud is documented to accept: RSA with fewer than ${minRsaBits} bits, with ${unusualRsaBits} bits or more, or with an exponent other than ${usualExponent}.`,
    cure: `Use the public key of the service account signer: RSA of at least ${minRsaBits} bits with the exponent ${usualExponent}, as created by \`ccf create-key-pair\` or openssl, or ECDSA on ${curveNames}.`,
  },
  "signing-key-missing": {
    severity: "error",
    cause:
      "A signing key refers to a ConfigMap that is not in the list, appears in it twice, or does not have that key.",
    cure: "Correct the reference, or add the ConfigMap to the package.",
  },
  "signing-key-removed": {
    severity: "info",
    cause:
      "The package no longer publishes a key. Once this is applied, tokens that were signed with the key are refused.",
    cure: "If the cluster no longer signs with the key and its last token has expired, no action is needed. Otherwise, put the key back into `spec.issuer.signingKeys`.",
  },
  "signing-key-repeated": {
    severity: "error",
    cause: "The same signing key is listed twice.",
    cure: "Remove one.",
  },
  "signing-key-replaced": {
    severity: "error",
    cause:
      "All published keys of the package are replaced in one step. Every token of the cluster is refused until the cluster signs with a new key. This is a warning if `replace-key` is allowed.",
    cure: "For a cluster that does not exist yet, use `ccf render --allow replace-key DIR`. Otherwise rotate in two steps: publish the old and the new key together, then remove the old one when the cluster no longer signs with it.",
  },
  "signing-key-unsupported": {
    severity: "error",
    cause: "The cloud refuses keys of this type, or does not document that it accepts them.",
    cure: "Create a key pair of a type that the message names, for example with `ccf create-key-pair`. A cluster that already signs with another key needs a new key first.",
  },
  "too-many-signing-keys": {
    severity: "error",
    cause: "An issuer has more keys than the cloud reads.",
    cure: "Remove the keys that the cluster no longer signs with.",
  },
} as const;
