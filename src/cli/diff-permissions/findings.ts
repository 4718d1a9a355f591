/** What `ccf diff-permissions` cannot compare, or leaves out. */
export const findings = {
  "cluster-assumed": {
    severity: "info",
    cause: "Requests are compared, and which of them count depends on the cluster, of which nothing is known.",
    cure: "Give its ClusterIdentity with `--identity FILE`, or flags; none is needed where the defaults are right.",
  },
  "nothing-to-compare": {
    severity: "error",
    cause:
      "One of two sides has no identity that counts: its requests are for another cloud, or a feature set, a gate, a capability or a profile leaves all of them out. An answer would say that everything is new, or gone.",
    cure: "Give the requests of the cluster's cloud and release, and the cluster's own ClusterIdentity or flags.",
  },
  "operators-not-compared": {
    severity: "info",
    cause:
      "A package with roles of operators is compared with requests that have none for them, such as those of a release.",
    cure: "None is needed. Compare the operators' own requests, or two packages, to see what changes for them.",
  },
} as const;
