import { define, messageFlags, outputFlag } from "../definition.ts";

export const createKeyPairCommand = define({
  name: "create-key-pair",
  summary: "create the key pair of the service account signer, if none exists",
  description:
    "Create the key pair that a cluster signs service account tokens with. Existing keys are used and never replaced: missing files are derived from the private key. Every write is atomic.",
  arguments: [],
  flags: {
    "output-dir": {
      value: "DIR",
      fallback: ".",
      path: "directory",
      text: "directory of the key files",
    },
    "no-installer": {
      text: "create an ECDSA P-256 key for kube-apiserver instead of an RSA key for the OpenShift installer",
    },
    "allow-in-git": { text: "allow private keys in a Git work tree that does not ignore them" },
    ...messageFlags,
    output: outputFlag("text", "json"),
  },
  sections: {
    Files: [
      ["serviceaccount-signer.private", "the private key; never commit it to Git"],
      ["serviceaccount-signer.public", 'the public key, for "ccf init --public-key-file"'],
      ["tls/bound-service-account-signing-key.key", "the private key, where the installer expects it"],
    ],
  },
  examples: [
    "ccf create-key-pair --output-dir ../demo-keys",
    "cp -a ../demo-keys/tls INSTALLATION_DIRECTORY",
    "ccf create-key-pair --no-installer --output-dir /etc/kubernetes/signer -o json",
  ],
});
