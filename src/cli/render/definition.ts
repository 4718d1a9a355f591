import { allowances } from "../../core/allowances.ts";
import { define } from "../definition.ts";
import { checkFlag, onlyOursFlag, outputFlag, packageArgument, quietFlag } from "../terminal/shared-flags.ts";

export const renderCommand = define({
  name: "render",
  summary: "run the package's functions and write the files that they make",
  description:
    "Run the functions of a package's Kptfile that are this project's, and write the files that they make. The same files as \"kpt fn render\", without kpt; what was made by hand keeps every byte that no function has to change.",
  arguments: [packageArgument],
  flags: {
    check: checkFlag,
    stdout: { text: "write nothing; print what goes to the cluster" },
    "only-ours": onlyOursFlag,
    "rename-from": {
      value: "OLD",
      text: "take over what was made while the ClusterIdentity was named OLD: the resource prefix stays, and the Kptfile gets the new name where it had OLD",
    },
    allow: {
      value: "LIST",
      choices: allowances,
      many: true,
      text: "take away what a running cluster may live on: rendered roles and Secrets, its issuer, its key; separated by commas",
    },
    quiet: quietFlag,
    output: outputFlag("text", "json"),
  },
  exitCodes: { 0: "done", 2: "with --check: something would change", 1: "failed" },
  examples: [
    "ccf render clusters/demo",
    "ccf render --check clusters/demo",
    "ccf render --allow removal clusters/demo",
    "ccf render --stdout clusters/demo | kubectl diff -f -",
  ],
});
