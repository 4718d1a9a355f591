import { allowances, singleRemoval } from "../../core/allowances.ts";
import { checkFlag, define, messageFlags, onlyOursFlag, outputFlag } from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const renderCommand = define({
  name: "render",
  summary: "run the functions of a package and write the files that they generate",
  description:
    'Run the functions of this project in a package\'s Kptfile, and write the files that they generate. The result is the same as that of "kpt fn render", but kpt is not needed. In files that you wrote, the command changes only what a function has to change.',
  arguments: [packagesArgument],
  flags: {
    check: checkFlag,
    stdout: { text: "write nothing; print the manifests for the cluster" },
    "only-ours": onlyOursFlag,
    "rename-from": {
      value: "OLD",
      text: "adopt the objects generated while the ClusterIdentity was named OLD; keep the resource prefix, and replace the name OLD in the Kptfile",
    },
    allow: {
      value: "LIST",
      choices: allowances,
      also: singleRemoval,
      many: true,
      text: 'allow the removal of what a running cluster may depend on: with "removal:<namespace>/<secret>", one rendered identity with its Secret; with "removal", anything rendered; with "replace-issuer", its issuer; with "replace-key", its key; separated by commas',
    },
    ...messageFlags,
    output: outputFlag("text", "json"),
    ...fleetFlags,
  },
  sections: {
    "With --check and --recursive": [
      "The exit code is 2 if a path of --touched below ROOT used to be in a package but no longer is: a removed Kptfile, ClusterIdentity or generated file, which --allow removal permits; any file of a package that .krmignore hides, or a link in its place; a .krmignore that hides a package.",
      "If generated files remain of a removed package, the exit code is 1, whatever is allowed.",
      "Without --touched, a package that .krmignore hides and a link that is not followed make the exit code 2, too.",
    ],
  },
  exitCodes: {
    0: "success",
    2: "with --check: a file would change, or a touched path or a package is unchecked",
    1: "failure",
  },
  examples: [
    "ccf render clusters/demo",
    "ccf render --check clusters/demo",
    "ccf render --allow removal:openshift-ingress-operator/cloud-credentials clusters/demo",
    "ccf render --check --recursive clusters",
    "git diff --name-only --no-renames origin/main... | ccf render --check --recursive clusters --touched -",
    "ccf render --stdout clusters/demo | kubectl diff -f -",
  ],
});
