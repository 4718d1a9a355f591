/** What is said of the Authentication and of Subscriptions. */
export const findings = {
  "authentication-misplaced": {
    severity: "info",
    cause: "The Authentication is not in the file that the installer reads.",
    cure: "For a new cluster, move it to `manifests/cluster-authentication-02-config.yaml`. For a running one, none is needed.",
  },
  "authentication-repeated": {
    severity: "error",
    cause: "More than one Authentication named `cluster` is in the package.",
    cure: "Remove all but one.",
  },
  "install-plan-automatic": {
    severity: "warning",
    cause:
      "The config leaves install plans to be approved by themselves, so that an update can come that needs more permissions than the role has.",
    cure: "Set `spec.operators.installPlanApproval: Manual` in the ClusterIdentity, or `spec.installPlanApproval: Manual` in the Subscription. Leave it where the risk is acceptable.",
  },
  "install-plan-manual": {
    severity: "info",
    cause: "A Subscription named another approval of install plans than `Manual`, which the config asks for.",
    cure: "None is needed. `spec.operators.installPlanApproval: Automatic` in the config leaves Subscriptions as they are.",
  },
  "issuer-replaced": {
    severity: "warning",
    cause: "The Authentication named another issuer, and now names the config's.",
    cure: "In a review, check that the move is meant; list the old issuer in `spec.issuer.previous` while both must work.",
  },
  "variable-stale": {
    severity: "warning",
    cause:
      "A Subscription names a role of this cluster in a variable that no request asks for. Variables are never removed, because nothing says who wrote them.",
    cure: "Remove the entry if the request is gone; else correct the request.",
  },
  "variable-replaced": {
    severity: "warning",
    cause:
      "A Subscription had another value, such as another role, in the variable of the role that is made for its request. What only waits to be filled in (nothing, `$ROLEARN`, `${ROLEARN}`, `<role_arn>`) is replaced without a word.",
    cure: "In a review, check that the operator is meant to have the new role. An override of the config can give the role the old name.",
  },
  "variable-shared": {
    severity: "error",
    cause:
      "Two requests ask for the same variable of one Subscription, or of one operator's specification, and their roles differ.",
    cure: "A request without the annotation `credentials.openshift.io/role-arns-vars` asks for `ROLEARN`. The operator's documentation says which variables it reads: name them there, or leave the annotation empty for a role that the operator is told in another way, such as in a resource of its own.",
  },
  "variable-conflict": {
    severity: "error",
    cause: "The variable that a Subscription must have is there twice, or has its value from a Secret or ConfigMap.",
    cure: "Remove the entry; its value is written.",
  },
} as const;
