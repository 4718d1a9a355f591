/** Why `ccf update-requests` leaves a package as it is. */
export const explanations = {
  "no-request-for-package": {
    severity: "error",
    cause:
      "No request of the release is for the cluster of the package: all are for other clouds, or its feature set, gates, capabilities and profile exclude them. The package is unchanged.",
    cure: "Name the directory with the release's requests for the cloud of the package, or correct `spec.release` of the ClusterIdentity.",
  },
  "request-elsewhere": {
    severity: "error",
    cause:
      "The package has a request for the same Secret as the release, but not as a request of a release in `credentials-requests/`: it is in another directory, or belongs to an OLM operator.",
    cure: "If it is the previous release's request, move its file to `credentials-requests/`. If it belongs to an OLM operator, give it its own Secret.",
  },
  "request-file-shared": {
    severity: "error",
    cause:
      "The release has a file of the same name as a file of the package that also contains something else, which would be lost.",
    cure: "Move what the message names to another file.",
  },
  "transition-unfinished": {
    severity: "error",
    cause:
      "The package still has a request of the release before the previous one, and the new release changes the request for the same Secret again. An identity has what two releases need, not three.",
    cure: "If the upgrade to the release in the package is finished, run `ccf update-requests --final`, render, apply, and run the command again.",
  },
  "update-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf update-requests` was killed or failed while it wrote. Each file has either its old or its new content. The directory `.ccf-update-requests` remains from that run.",
    cure: "No action is needed: the next run with the same options finishes the work. `--check` writes nothing and does not finish the work.",
  },
  "update-missing": {
    severity: "error",
    cause: "`--final --from DIR` found that the package does not have the requests of that release yet.",
    cure: "Run the command without `--final` first, render, apply, and upgrade the cluster. Or name the release that the cluster runs.",
  },
} as const;
