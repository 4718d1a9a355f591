import { define } from "../definition.ts";
import { outputFlag } from "../terminal/shared-flags.ts";

export const explainCommand = define({
  name: "explain",
  summary: "show who can use each component identity, and what it allows",
  description:
    "For each component identity of a package, an IAM role, a service account or a managed identity, show who can use it and what it allows, as its files say.",
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
    "ccf explain clusters/demo -o json | jq -r '.identities[].id'",
  ],
});
