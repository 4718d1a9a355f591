import { accessFlags, eachChangeFlag, noFetchFlag } from "../cloud/flags.ts";
import { define, messageFlags, outputFlag, packageArgument } from "../definition.ts";

export const destroyCommand = define({
  name: "destroy",
  summary: "remove what a package created in the cloud",
  description:
    "Remove what a package created in the cloud, in reverse order. The command shows a plan, and asks for the name of the cluster. Resources without the owner mark of the package stay, and so do resources that contain anything else. A cluster that is still running loses its credentials immediately.",
  arguments: [{ ...packageArgument, text: "a rendered package or an export (default: the current directory)" }],
  flags: {
    "dry-run": { text: "remove nothing; show the plan, and exit with 2 if anything would be removed" },
    yes: {
      value: "NAME",
      text: "do not ask for confirmation, which is the name of the cluster; required without a terminal",
    },
    previous: {
      text: "remove only what belongs to the issuers in spec.issuer.previous: the last step of a move to another issuer",
    },
    "delete-roles": {
      text: "Google Cloud: remove the custom roles, too; Google blocks the ID of a removed role for 37 days",
    },
    "include-foreign": {
      value: "KIND/NAME",
      many: true,
      text: "remove a resource of the package together with this policy, federated credential, client ID, or policy member inside it, which the package does not have; may be repeated",
    },
    "no-fetch": noFetchFlag,
    output: outputFlag("text", "markdown", "json", "commands"),
    ...messageFlags,
    verbose: eachChangeFlag,
    ...accessFlags,
  },
  exitCodes: {
    0: "removed, except for resources that belong to others, and for those that stay unless you ask for their removal, too",
    2: "with --dry-run: something would be removed",
    1: "failed, or something of the package was not removed",
  },
  examples: [
    "ccf destroy --dry-run clusters/demo",
    "ccf destroy clusters/demo",
    "ccf destroy --yes demo clusters/demo",
  ],
});
