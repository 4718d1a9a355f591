import { define } from "../definition.ts";
import { outputFlag } from "../terminal/shared-flags.ts";

export const explainCommand = define({
  name: "explain",
  summary: "say who may become each role, and what it may do",
  description: "Say of each role of a package who may become it and what it may do, as the policies in its files say.",
  arguments: [
    {
      name: "DIR",
      text: "a rendered package or an export; the current directory where it is left out",
      optional: true,
      path: "directory",
    },
  ],
  flags: { output: outputFlag("text", "markdown", "json") },
  examples: [
    "ccf explain clusters/demo",
    "ccf explain out -o markdown > identities.md",
    "ccf explain clusters/demo -o json | jq -r '.identities[].role'",
  ],
});
