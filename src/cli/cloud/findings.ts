/** The findings of `ccf apply`, `ccf status`, and `ccf destroy`. */
export const explanations = {
  "applier-other": {
    severity: "error",
    cause:
      "`spec.applier` of the ClusterIdentity is `Terraform`, so a pipeline with Terraform applies the package. Nothing was read or changed. Among several packages, `ccf apply` skips it.",
    cure: "Apply the exported module with Terraform. If `ccf apply` is to take over, follow docs/guides/terraform.md.",
  },
  "cloud-account-other": {
    severity: "error",
    cause:
      "The credentials are for another account, subscription, or tenant than the package. Nothing was read or changed.",
    cure: "Use the credentials of the package's account, or name the package of this account.",
  },
  "cloud-credentials": {
    severity: "error",
    cause:
      "The client library of the cloud got no credentials, or the cloud does not accept them. The message contains the reason, for example that they have expired, or that a proxy answered instead of the cloud.",
    cure: "Do what the message says, for example log in with its command.",
  },
  "cloud-request-failed": {
    severity: "error",
    cause:
      "A request to the cloud failed. The message contains the request, and the cloud's own code and the ID of the request if the cloud answered.",
    cure: "Do what the message says, and run the same command again. Changes that were already made remain, and a second run completes the rest.",
  },
  "cloud-without-engine": {
    severity: "error",
    cause: "The command does not support the cloud of the package. Nothing was read or changed.",
    cure: "Export the package, and use the tools of the cloud with the exported files.",
  },
  "plan-unexpected": {
    severity: "error",
    cause:
      "The plan is not the one that `--expect` names: the cloud or the package changed after it was approved. Nothing was changed.",
    cure: "Run the command with `--dry-run`, review the plan, and pass its digest or its file to `--expect`.",
  },
  "previous-issuer-needed": {
    severity: "error",
    cause:
      "The cloud does not match the package, or the package does not name the domain of its issuer yet, so the cluster may still depend on a previous issuer. Nothing was removed.",
    cure: "Run `ccf status` and `ccf apply`, do what they print, and try again when the cloud is in sync.",
  },
  "result-not-removed": {
    severity: "error",
    cause:
      "`ccf status` removes the result of an earlier run before it reads the cloud. The file could not be removed, or not read, so the cloud of its package was not read, and an earlier `in sync` may still be there.",
    cure: "Remove the file by hand, so that `ccf upgradeable-to` cannot use it. Then run `ccf status` again.",
  },
  "result-not-written": {
    severity: "error",
    cause:
      "`ccf status` could not write the result of a package, for example because the disk is full. If there was a result of an earlier run, it was removed before the cloud was read, so the package has no result.",
    cure: "Follow the message, and run `ccf status` again.",
  },
  "result-taken": {
    severity: "error",
    cause:
      "In the place of a result of `ccf status`, there is a file with other content, a symbolic link, or something else that is not a regular file, such as a directory or a pipe. It was not changed. The file to which a link points may contain an earlier result.",
    cure: "Move it away, or write the result elsewhere.",
  },
  "steps-skipped": {
    severity: "error",
    cause:
      "The command did not attempt some steps of the plan, because a step that they need failed, or because you stopped the run. The message names their resources.",
    cure: "Fix what failed, and run the same command again. It completes the rest.",
  },
  "facts-unexpected": {
    severity: "error",
    cause:
      "`ccf apply --expect-facts` names the digest of other facts than those that the package was rendered with, or the package is not that of a team, or it is an export.",
    cure: "Replace the facts in the package with those of the cluster, render, and apply again. If the facts of the cluster changed, give the pipeline the new digest.",
  },
} as const;
