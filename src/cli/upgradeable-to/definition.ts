import {
  define,
  messageFlags,
  onlyOursFlag,
  outputFlag,
  previousReleaseFlag,
  roleDefinitionsFlag,
} from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const upgradeableToCommand = define({
  name: "upgradeable-to",
  summary: "allow a cluster to upgrade when its cloud is in sync with its package",
  description:
    'Write the annotation cloudcredential.openshift.io/upgradeable-to on CloudCredential "cluster" into the package. Without it, a cluster with manual credentials does not upgrade to another minor release. It is written only if the cloud was found in sync with the current package within the last 24 hours. "ccf export" does not include the object: apply it from the package.',
  usage: ["VERSION [DIR...] --status PATH [options]"],
  arguments: [
    { name: "VERSION", text: "major and minor version, such as 4.20; a patch version is ignored" },
    packagesArgument,
  ],
  flags: {
    status: {
      value: "PATH",
      path: "file",
      text: 'what "ccf status --result FILE" wrote, or the directory of "ccf status --results DIR"',
    },
    "credentials-requests": {
      value: "PATH",
      path: "file",
      text: "the release's requests: refuse if they ask for more than the rendered identities have",
    },
    "previous-release": previousReleaseFlag,
    "role-definitions": roleDefinitionsFlag,
    "only-ours": onlyOursFlag,
    output: outputFlag("text", "json"),
    ...messageFlags,
    ...fleetFlags,
  },
  exitCodes: { 0: "written, or already present", 2: "refused", 1: "the answer is unknown, or the command failed" },
  examples: [
    "ccf status --result status.json clusters/demo",
    "ccf upgradeable-to 4.20 --status status.json clusters/demo --credentials-requests releases/4.20.3",
    "ccf upgradeable-to 4.20 --status results --recursive clusters -l wave=1 --credentials-requests releases/4.20.3",
  ],
});
