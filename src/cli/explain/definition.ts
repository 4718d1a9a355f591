import { define } from "../definition.ts";
import { outputFlag } from "../terminal/shared-flags.ts";

export const explainCommand = define({
  name: "explain",
  summary: "show who can assume each role, and what the role allows",
  description:
    "For each role of a package, show who can assume it and what it allows, as the policies in its files say.",
  arguments: [
    {
      name: "DIR",
      text: "a rendered package or an export (default: the current directory)",
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
