/** What is wrong with a ClusterIdentity, whatever its cloud. */
export const findings = {
  "config-ambiguous": {
    severity: "error",
    cause: "Several ClusterIdentities that differ are among the resources, and functionConfig says nothing.",
    cure: "Give the one that is meant as functionConfig (`configPath` in a Kptfile).",
  },
  "config-invalid-field": {
    severity: "error",
    cause: "A field of the ClusterIdentity has a value that its rule does not allow.",
    cure: "Follow the rule in the message. Numbers that are names, such as an account ID, need quotes.",
  },
  "config-missing": {
    severity: "error",
    cause: "There is no ClusterIdentity in functionConfig and none among the resources.",
    cure: "Name its file as `configPath` in the Kptfile, or run `ccf init`.",
  },
  "config-missing-field": {
    severity: "error",
    cause: "A field that is required is left out.",
    cure: "Add it.",
  },
  "config-unknown-field": {
    severity: "error",
    cause: "The ClusterIdentity has a field that is not in its schema, or one that is in the wrong place.",
    cure: "Correct the name; the message names the nearest known one.",
  },
  "config-wrong-kind": {
    severity: "error",
    cause: "functionConfig is an object of another kind.",
    cure: "Give a ClusterIdentity, or leave functionConfig out.",
  },
  "platform-not-supported": {
    severity: "error",
    cause: "The ClusterIdentity is for a cloud that this version does not generate for.",
    cure: "Use `spec.platform.aws`, or a version that generates for that cloud.",
  },
} as const;
