import { checkFlag, define, messageFlags, outputFlag } from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const removeKeyCommand = define({
  name: "remove-key",
  summary: "remove a public signing key from the configuration, to end a rotation",
  description:
    "Remove a public key from spec.issuer.signingKeys of the ClusterIdentity in each package. Nothing else in its file changes. The cloud refuses all tokens that were signed with the key once the package is applied, so the cluster must sign with another key, and the last token that was signed with the removed key must have expired. The command checks every package before it writes, and one package with a problem leaves all of them unchanged.",
  arguments: [
    {
      name: "KEYID",
      text: 'the whole ID of the key, as "ccf add-key" and "ccf render --verbose" print it; after "--" if it begins with "-"',
    },
    packagesArgument,
  ],
  flags: {
    allow: {
      value: "LIST",
      choices: ["replace-key"],
      many: true,
      text: 'with "replace-key", allow the removal of the last key, and of the last one that was published before',
    },
    check: checkFlag,
    output: outputFlag("text", "json"),
    ...messageFlags,
    ...fleetFlags,
  },
  exitCodes: {
    0: "no package has the key anymore",
    1: "failed; nothing was written, or the message names what was",
    2: "with --check: a file would change",
  },
  examples: [
    "ccf remove-key DSiJOTZDqFhNG9zaa2TMFyxd1GXk4HHPO0whAqWTQPY clusters/demo",
    "ccf remove-key --check -o json DSiJOTZDqFhNG9zaa2TMFyxd1GXk4HHPO0whAqWTQPY clusters/demo",
    "ccf remove-key -- -q3xkJbTnUh3Nq2vV8n4aLk0sJw5cYd7eZf1gHi6oM clusters/demo",
  ],
});
