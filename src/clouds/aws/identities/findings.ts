/** What is said of roles and their policies. */
export const findings = {
  "no-service-account": {
    severity: "error",
    cause: "The request names no service account, so that no pod could assume its role.",
    cure: "Write the service account of its pods into `spec.serviceAccountNames` of the request, or into `spec.overrides` of the ClusterIdentity: `<secret namespace>/<secret name>: {serviceAccountNames: [NAME]}`, as the message says it.",
  },
  "partition-rewritten": {
    severity: "info",
    cause: "The request names resources of the partition `aws`, and the cluster is in another.",
    cure: "None is needed; the role names the cluster's partition.",
  },
  "policy-over-quota": {
    severity: "warning",
    cause: "A trust policy is larger than IAM allows by default.",
    cure: 'Have the account\'s quota "Role trust policy length" raised before you apply.',
  },
  "policy-too-large": {
    severity: "error",
    cause: "A policy is larger than IAM allows.",
    cure: "Name fewer service accounts (`spec.serviceAccountNames`, or `serviceAccountNames` in an override), or shorten the request's statements, such as with wildcards in actions. A managed policy of an override comes beside the inline one, and makes it no shorter.",
  },
  "previous-issuer": {
    severity: "info",
    cause: "The config names an issuer in `spec.issuer.previous`: every role still trusts its tokens.",
    cure: "None is needed while the cluster moves. When it has moved, `destroy.sh --previous`, and remove the issuer from the config.",
  },
  "role-name-collision": {
    severity: "error",
    cause:
      "Two requests would have the same role, most often because long names are cut at 64 characters. IAM does not tell names apart by case.",
    cure: "Set `spec.platform.aws.roles.nameOverflow` to `Hash`, or `roleName` in an override of one. A shorter `spec.resourcePrefix` helps only if the package was never rendered.",
  },
  "role-name-too-long": {
    severity: "error",
    cause: "A role's name is over IAM's 64 characters, and `nameOverflow` is `Fail`.",
    cure: "Set `spec.platform.aws.roles.nameOverflow` to `Hash` or `Truncate`, or `roleName` in an override. A shorter `spec.resourcePrefix` helps only if the package was never rendered: a rendered one refuses another prefix.",
  },
  "subject-in-other-namespace": {
    severity: "warning",
    cause: "An override lets a service account of another namespace than the Secret's assume the role.",
    cure: "Check that it is meant.",
  },
} as const;
