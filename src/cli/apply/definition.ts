import {
  accessFlags,
  adoptFlag,
  allowFlag,
  eachChangeFlag,
  manyFlags,
  noFetchFlag,
  removeTagFlag,
  targetsArgument,
} from "../cloud/flags.ts";
import { define, outputFlag } from "../definition.ts";

export const applyCommand = define({
  name: "apply",
  summary: "make the cloud match rendered packages: show a plan, ask, and carry it out",
  description:
    "Make the cloud match a rendered package or an export. The command reads the current state, shows a plan, asks for confirmation, and carries out exactly that plan. It never changes a resource without the owner mark of the package, and removes nothing without --prune. If it is interrupted at any point, running it again leads to the same state. On Azure, it then stores the client IDs of the managed identities in the package, together with what is rendered from them.",
  arguments: [targetsArgument],
  flags: {
    "dry-run": { text: "change nothing; show the plan, and exit with 2 if anything would change" },
    yes: { text: "do not ask for confirmation; required without a terminal" },
    prune: { text: "also remove what the package owns in the cloud but no longer contains" },
    adopt: adoptFlag,
    allow: allowFlag,
    "remove-tag": removeTagFlag,
    expect: {
      value: "PLAN",
      path: "file",
      text: "apply only if the plan matches: a file or directory with the output of --dry-run -o json, in which extra steps are allowed, or the digest that --dry-run printed",
    },
    "expect-facts": {
      value: "DIGEST",
      text: "do nothing unless the package of a team was rendered with these facts: the digest that ccf export --format facts printed",
    },
    "no-fetch": noFetchFlag,
    output: outputFlag("text", "markdown", "json", "commands"),
    ...accessFlags,
    ...manyFlags,
    verbose: eachChangeFlag,
  },
  sections: {
    "With -o commands": [
      "The plan is printed as commands of the AWS CLI or the Azure CLI, or as requests of Google's APIs, to read. Requires --dry-run.",
    ],
  },
  exitCodes: {
    0: "the cloud matches the package, except for what only --prune removes",
    2: "with --dry-run: something would change",
    1: "failed, refused, or something could not be read",
  },
  examples: [
    "ccf apply --dry-run clusters/demo",
    "ccf apply clusters/demo",
    "ccf apply --dry-run -o json clusters/demo > plan.json",
    "ccf apply --yes --expect plan.json clusters/demo",
    "ccf apply --yes --prune --recursive clusters",
  ],
});
