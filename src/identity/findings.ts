/** Findings about a ClusterIdentity that do not depend on its cloud. */
export const explanations = {
  "config-ambiguous": {
    severity: "error",
    cause: "The resources include more than one ClusterIdentity, they differ, and functionConfig does not select one.",
    cure: "Pass the right one as functionConfig (`configPath` in a Kptfile), or remove the others.",
  },
  "config-invalid-field": {
    severity: "error",
    cause: "A field of the ClusterIdentity has an invalid value.",
    cure: "Follow the rule in the message. Put identifiers that consist of digits, such as an account ID, in quotes.",
  },
  "config-missing": {
    severity: "error",
    cause: "Neither functionConfig nor the resources contain a ClusterIdentity.",
    cure: "Set `configPath` in the Kptfile to the file of the ClusterIdentity, or create a package with `ccf init`.",
  },
  "config-missing-field": {
    severity: "error",
    cause: "A required field is missing.",
    cure: "Add the field.",
  },
  "config-unknown-field": {
    severity: "error",
    cause: "The ClusterIdentity has a field that is not in its schema, or a field in the wrong place.",
    cure: "Correct the name. If a known name is similar, the message suggests it.",
  },
  "config-wrong-kind": {
    severity: "error",
    cause: "functionConfig is not a ClusterIdentity.",
    cure: "Use a ClusterIdentity as functionConfig, or omit functionConfig.",
  },
} as const;
