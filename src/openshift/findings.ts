/** Findings about the Authentication and about Subscriptions. */
export const explanations = {
  "authentication-misplaced": {
    severity: "info",
    cause: "The Authentication is not in the file that the installer reads.",
    cure: "For a new cluster, move it to `manifests/cluster-authentication-02-config.yaml`. For a running cluster, no action is needed.",
  },
  "authentication-repeated": {
    severity: "error",
    cause: "The package contains more than one Authentication named `cluster`.",
    cure: "Remove all but one.",
  },
  "install-plan-automatic": {
    severity: "warning",
    cause:
      "The configuration allows automatic approval of install plans, so an update that needs more permissions than the operator's identity has can be installed.",
    cure: "Set `spec.operators.installPlanApproval: Manual` in the ClusterIdentity, or `spec.installPlanApproval: Manual` in the Subscription. If the risk is acceptable, no action is needed.",
  },
  "install-plan-manual": {
    severity: "info",
    cause: "A Subscription did not use manual approval of install plans, which the configuration requires.",
    cure: "No action is needed. To keep Subscriptions unchanged, set `spec.operators.installPlanApproval: Automatic` in the ClusterIdentity.",
  },
  "issuer-replaced": {
    severity: "warning",
    cause: "The Authentication named another issuer. It now names the issuer of the ClusterIdentity.",
    cure: "In the review, check that the change is intended. While both issuers must work, list the old one in `spec.issuer.previous`.",
  },
  "variable-stale": {
    severity: "warning",
    cause:
      "A Subscription names an identity or a provider of this cluster in a variable that no request uses. Variables are never removed, because the Subscription does not record who wrote them.",
    cure: "If the request no longer exists, remove the entry. Otherwise, correct the request.",
  },
  "variable-without-request": {
    severity: "info",
    cause:
      "A Subscription sets the variable for a role, service account or client ID (`ROLEARN`, `SERVICE_ACCOUNT_EMAIL`, `CLIENTID`), but no CredentialsRequest in the package belongs to it, so the package neither creates nor checks the identity. For a placeholder such as `<role_arn>`, this is a warning.",
    cure: "Add the operator's request to the package. If its Secret is in another namespace, set its annotation `fn.cloudcredential.dev/subscription`. If something else manages the identity, fill in its name.",
  },
  "variable-replaced": {
    severity: "warning",
    cause:
      "In a Subscription, a variable for the generated identity had another value, such as another identity. Placeholders (an empty value, `$NAME`, `${NAME}`, `<name>`) are replaced without this warning.",
    cure: "In the review, check that the operator should use the new value. To keep the name of the old identity, set it in an override of the ClusterIdentity.",
  },
  "variable-shared": {
    severity: "error",
    cause:
      "Two requests with different identities use the same variable of one Subscription, or of the specification that `ccf role-spec` prints for one operator.",
    cure: "A request without the annotation `credentials.openshift.io/role-arns-vars` uses the variable of its cloud. The operator's documentation says which variables it reads. Name them in the annotation. If the operator gets its identity in another way, for example in a custom resource, set the annotation to an empty value.",
  },
  "variable-conflict": {
    severity: "error",
    cause:
      "A variable for the identity appears twice in the Subscription, or takes its value from a Secret or ConfigMap.",
    cure: "Remove the duplicate, or the entry with `valueFrom`. The render then writes the value.",
  },
} as const;
