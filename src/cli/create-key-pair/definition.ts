import { define } from "../definition.ts";
import { outputFlag, quietFlag } from "../terminal/shared-flags.ts";

export const createKeyPairCommand = define({
  name: "create-key-pair",
  summary: "make the key pair of the service account signer, where none exists yet",
  description:
    "Make the key pair that a cluster signs service account tokens with. Existing keys are used and never replaced: what is missing is derived from the private key. Each file is written whole or not at all.",
  arguments: [],
  flags: {
    "output-dir": {
      value: "DIR",
      fallback: ".",
      path: "directory",
      text: "where the files are",
    },
    "no-installer": {
      text: "an ECDSA key on P-256 for kube-apiserver, in place of an RSA key for the OpenShift installer",
    },
    "allow-in-git": { text: "write private keys into a Git work tree that does not ignore them" },
    quiet: quietFlag,
    output: outputFlag("text", "json"),
  },
  sections: {
    Files: [
      "serviceaccount-signer.private              the private key; it must never be in Git",
      'serviceaccount-signer.public               the public key, for "ccf init --public-key-file"',
      "tls/bound-service-account-signing-key.key  the private key, where the installer looks for it",
    ],
  },
  examples: [
    "ccf create-key-pair --output-dir ../demo-keys",
    "cp -a ../demo-keys/tls INSTALLATION_DIRECTORY",
    "ccf create-key-pair --no-installer --output-dir /etc/kubernetes/signer -o json",
  ],
});
