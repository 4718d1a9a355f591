/** The findings of `ccf set`. */
export const explanations = {
  "identity-not-unique": {
    severity: "error",
    cause: "A package does not contain exactly one ClusterIdentity, so it is unknown which one to change.",
    cure: "Keep one ClusterIdentity in the package.",
  },
  "set-other-platform": {
    severity: "error",
    cause: "A field on the command line belongs to another cloud than the cluster of the package.",
    cure: "Name only packages of that cloud. In a file of `--values`, fields of other clouds are skipped.",
  },
} as const;
