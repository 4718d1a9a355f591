/** The findings of `ccf create-key-pair`. */
export const explanations = {
  "key-pair-in-git": {
    severity: "error",
    cause:
      "`ccf create-key-pair` would write a private key into a Git work tree that does not ignore it, or it is unknown whether Git ignores it. Nothing was written.",
    cure: "Set `--output-dir` to a directory outside the work tree, or add `serviceaccount-signer.private` and `bound-service-account-signing-key.key` to .gitignore. To write the keys anyway, use `--allow-in-git`.",
  },
  "key-pair-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf create-key-pair` was killed or failed while it wrote. Each file that it created is complete. The directory `.ccf-create-key-pair` remains from that run.",
    cure: "No action is needed: this run creates the missing files.",
  },
  "key-pair-mismatch": {
    severity: "error",
    cause: "The existing key files do not belong to the same pair, or the private key is missing. Nothing was written.",
    cure: "Remove the wrong file, put the private key next to the other files, or set another `--output-dir`.",
  },
  "private-key-permissions": {
    severity: "warning",
    cause: "Users other than the owner can access a private key file.",
    cure: "Run `chmod 600` on the file. If others could read the file, treat the key as compromised and create a new key pair.",
  },
  "key-pair-unusable": {
    severity: "error",
    cause:
      "An existing private key cannot be used: it cannot be read, is encrypted, or has a type or format that its reader does not accept. The OpenShift installer reads only RSA keys in PKCS#1. Nothing was written.",
    cure: "Follow the message. `openssl rsa -traditional` decrypts an RSA key and writes PKCS#1. With `--no-installer`, keys for kube-apiserver are accepted.",
  },
} as const;
