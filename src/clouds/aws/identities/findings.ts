import { maxRoleName } from "../limits.ts";

/** Findings about roles and their policies. */
export const explanations = {
  "partition-rewritten": {
    severity: "info",
    cause: "The request names resources in the partition `aws`, but the cluster is in another partition.",
    cure: "No action is needed; the role's policy uses the cluster's partition.",
  },
  "policy-over-quota": {
    severity: "warning",
    cause: "A trust policy is larger than IAM's default quota.",
    cure: 'Request an increase of the account\'s quota "Role trust policy length" before you apply.',
  },
  "policy-too-large": {
    severity: "error",
    cause: "A policy is larger than the maximum that IAM allows.",
    cure: "Name fewer service accounts (`spec.serviceAccountNames`, or `serviceAccountNames` in an override), or shorten the request's statements, for example with wildcards in actions. A managed policy in an override is attached in addition to the inline policy and does not make it shorter.",
  },
  "role-name-collision": {
    severity: "error",
    cause: `Two requests would get the same role, usually because long names are truncated to ${maxRoleName} characters. IAM role names are not case-sensitive.`,
    cure: "Set `spec.platform.aws.roles.nameOverflow` to `Hash`, or set `roleName` in an override for one of the requests. A shorter `spec.resourcePrefix` helps only if the package was never rendered.",
  },
  "role-name-too-long": {
    severity: "error",
    cause: `A role's name exceeds IAM's limit of ${maxRoleName} characters, and \`nameOverflow\` is \`Fail\`.`,
    cure: "Set `spec.platform.aws.roles.nameOverflow` to `Hash` or `Truncate`, or set `roleName` in an override. A shorter `spec.resourcePrefix` helps only if the package was never rendered, because the prefix of a rendered package cannot change.",
  },
} as const;
