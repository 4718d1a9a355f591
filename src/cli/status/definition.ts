import { accessFlags, allowFlag, manyFlags, noFetchFlag, targetsArgument } from "../cloud/flags.ts";
import { define, outputFlag } from "../definition.ts";

export const statusCommand = define({
  name: "status",
  summary: "compare the cloud with rendered packages",
  description:
    "Show where the cloud differs from a rendered package or an export. The command only reads. A difference is anything that ccf apply --prune would change or refuse. The command does not query the cluster, so it cannot say which key signs, or which Secrets exist.",
  arguments: [targetsArgument],
  flags: {
    allow: allowFlag,
    "no-fetch": noFetchFlag,
    result: {
      value: "FILE",
      path: "file",
      text: 'write the result of the only package to FILE, for "ccf upgradeable-to --status FILE"',
    },
    results: {
      value: "DIR",
      path: "directory",
      text: 'write the result of each package to a file in DIR, for --status DIR of "ccf report" and "ccf upgradeable-to"',
    },
    output: outputFlag("text", "markdown", "json"),
    ...accessFlags,
    ...manyFlags,
    verbose: { text: "also print long lists as a whole, and notes about the input" },
  },
  exitCodes: {
    0: "in sync",
    2: "the cloud differs",
    1: "failed, or something could not be read or written",
  },
  examples: [
    "ccf status clusters/demo",
    "ccf status --result status.json clusters/demo",
    "ccf status --recursive clusters --results results --jobs 8",
  ],
});
