/** Findings about what `ccf diff-permissions` cannot compare, or skips. */
export const explanations = {
  "cluster-assumed": {
    severity: "info",
    cause:
      "Requests are compared for a cluster with the defaults, because nothing is known about the cluster. The cluster decides which requests are included.",
    cure: "Name its ClusterIdentity with `--identity FILE`, or use the other options of the cluster. If the defaults are right, no action is needed.",
  },
  "nothing-to-compare": {
    severity: "error",
    cause:
      "One of the two sides has no identity to compare: its requests are for another cloud, or a feature set, a feature gate, a capability or a profile excludes all of them. The answer would be that everything is new or gone.",
    cure: "Use the requests of the cluster's cloud and release, and the cluster's own ClusterIdentity or options.",
  },
  "role-definition-invalid": {
    severity: "error",
    cause:
      "A file in the directory of `--role-definitions` is not the definition of a role, or two files define the same role. If it were ignored, a role would be compared by an older definition.",
    cure: "Save the output of the command that the message names in a file for each role, and remove other JSON files from the directory.",
  },
  "operators-not-compared": {
    severity: "info",
    cause:
      "A package with roles of OLM operators is compared with requests that do not include theirs, such as those of a release.",
    cure: "No action is needed. To see what changes for OLM operators, compare their own requests, or two packages.",
  },
} as const;
