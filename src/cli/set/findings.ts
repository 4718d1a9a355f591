/** The findings of `ccf set`. */
export const explanations = {
  "identity-not-unique": {
    severity: "error",
    cause: "A package does not contain exactly one ClusterIdentity, so it is unknown which one to change.",
    cure: "Keep one ClusterIdentity in the package.",
  },
  "set-other-platform": {
    severity: "error",
    cause: "A field on the command line belongs to a different cloud from that of the package.",
    cure: "Name only packages of that cloud. In a file of `--values`, fields of other clouds are skipped.",
  },
  "set-placeholder-unknown": {
    severity: "error",
    cause:
      "A value contains a placeholder, such as `{partition}`, but the ClusterIdentity does not say what it stands for, or its cloud does not have it.",
    cure: "Set the field that the placeholder stands for, or name only packages that have it, for example with `--selector platform=<cloud>`. In a file of `--values`, write the value below `spec.platform.<cloud>`.",
  },
} as const;
