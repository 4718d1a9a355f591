import { define, messageFlags, outputFlag } from "../definition.ts";

export const roleSpecCommand = define({
  name: "role-spec",
  summary: "print a setup script for an OLM operator's catalog description",
  description:
    'Print a POSIX shell script that creates the identities of an OLM operator in its cloud, such as roles or service accounts, derived from its CredentialsRequests. If it has requests for several clouds, choose one with --platform. With "-o markdown", print the complete text for the operator\'s description, which includes the script. The author of the operator publishes this text for administrators.',
  arguments: [{ name: "PATH", text: "file or directory with the CredentialsRequests of the operator", path: "file" }],
  flags: {
    platform: { value: "CLOUD", text: "cloud of the clusters, such as gcp" },
    ...messageFlags,
    output: outputFlag("text", "markdown"),
  },
  examples: [
    "ccf role-spec bundle/manifests > make-roles.sh",
    "ccf role-spec bundle/manifests --platform azure > make-identities.sh",
    "ccf role-spec bundle/manifests --platform gcp > make-accounts.sh",
    "ccf role-spec credentials-request.yaml -o markdown >> description.md",
  ],
});
