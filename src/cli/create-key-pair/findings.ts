/** What `ccf create-key-pair` says of keys and their places. */
export const findings = {
  "key-pair-in-git": {
    severity: "error",
    cause:
      "`ccf create-key-pair` would write a private key into a Git work tree that does not ignore it, or that cannot be asked. Nothing was written.",
    cure: "Give `--output-dir` outside of it, or name `serviceaccount-signer.private` and `bound-service-account-signing-key.key` in .gitignore. `--allow-in-git` writes nevertheless.",
  },
  "key-pair-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf create-key-pair` was killed, or could not go on, while it wrote. Each file that it made is whole; `.ccf-create-key-pair` is what it left.",
    cure: "None is needed: this run makes what is missing.",
  },
  "key-pair-mismatch": {
    severity: "error",
    cause: "The key files that exist do not belong to one pair, or the private key is missing. Nothing was written.",
    cure: "Remove the file that is wrong, put the private key beside the others, or give another directory.",
  },
  "private-key-permissions": {
    severity: "warning",
    cause: "Users other than its owner may read or change a private key.",
    cure: "`chmod 600` it. If others could have read it, make a new key pair.",
  },
  "key-pair-unusable": {
    severity: "error",
    cause:
      "A private key that exists cannot be used: it cannot be read, is encrypted, or is of a kind or form that its reader does not take. The OpenShift installer reads only RSA keys in PKCS#1. Nothing was written.",
    cure: "Follow the message; `openssl rsa -traditional` decrypts an RSA key and writes PKCS#1. With `--no-installer` keys of kube-apiserver are taken.",
  },
} as const;
