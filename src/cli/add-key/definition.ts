import { checkFlag, define, messageFlags, outputFlag } from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const addKeyCommand = define({
  name: "add-key",
  summary: "add a public signing key to the configuration, to rotate the key",
  description:
    "Add a public key to spec.issuer.signingKeys of the ClusterIdentity in each package, after the keys that it has, so that these are published as before. Nothing else in its file changes. The command checks the key as a render does before it writes, and one package with a problem leaves all of them unchanged. A key that a package already has changes nothing.",
  arguments: [packagesArgument],
  flags: {
    "public-key-file": {
      value: "FILE",
      path: "file",
      text: 'public key of the new service account signer, in PEM form: "serviceaccount-signer.public" of "ccf create-key-pair"',
    },
    check: checkFlag,
    output: outputFlag("text", "json"),
    ...messageFlags,
    ...fleetFlags,
  },
  exitCodes: {
    0: "all packages have the key",
    1: "failed; nothing was written, or the message names what was",
    2: "with --check: a file would change",
  },
  examples: [
    "ccf create-key-pair --output-dir ../next-keys",
    "ccf add-key --public-key-file ../next-keys/serviceaccount-signer.public clusters/demo",
    "ccf add-key --public-key-file ../next-keys/serviceaccount-signer.public --check -o json clusters/demo",
  ],
});
