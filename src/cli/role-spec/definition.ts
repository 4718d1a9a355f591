import { define } from "../definition.ts";
import { outputFlag, quietFlag } from "../terminal/shared-flags.ts";

export const roleSpecCommand = define({
  name: "role-spec",
  summary: "print the script that makes an OLM operator's roles, for its description",
  description:
    "Print what an OLM operator's author tells administrators about its roles on AWS, from its CredentialsRequests: the script that makes them, for any POSIX shell, or as Markdown the whole text for the operator's description.",
  arguments: [{ name: "PATH", text: "a file or directory with the operator's CredentialsRequests", path: "file" }],
  flags: { quiet: quietFlag, output: outputFlag("text", "markdown") },
  examples: [
    "ccf role-spec bundle/manifests > make-roles.sh",
    "ccf role-spec credentials-request.yaml -o markdown >> description.md",
  ],
});
