import type { Remarks } from "../../core/finding.ts";
import { maxRoleName } from "./cluster/cluster.ts";

/** Findings about `spec.platform.aws`, and about an issuer on AWS. */
export const awsCluster = {
  "account-changed": {
    severity: "error",
    cause:
      "`spec.platform.aws.accountID` is not the account that the package was rendered for. Every Secret would name a role in the wrong account. If `removal` is allowed, this is a warning.",
    cure: "Correct the account. Create a separate package for a cluster in another account.",
  },
  "arn-mismatch": {
    severity: "error",
    cause: "An ARN in the ClusterIdentity is for another partition or account, or for the wrong kind of resource.",
    cure: "Correct the ARN. The message shows what it must begin with, or the expected ARN.",
  },
  "cloudfront-not-available": {
    severity: "error",
    cause:
      "The hosting type is `S3CloudFront`, but CloudFront has no endpoint in the cluster's partition: GovCloud, the European Sovereign Cloud, or an isolated partition.",
    cure: "Use `S3Public`, or `External` with `spec.issuer.url`.",
  },
  "issuer-unknown": {
    severity: "warning",
    cause:
      "The issuer is the domain of a CloudFront distribution, and AWS assigns that domain when the distribution is created. Until the ClusterIdentity contains it, nothing that depends on the new issuer is generated.",
    cure: "Apply what is generated (bucket, access control, distribution). Write the domain that `ccf apply` prints into `distributionDomain`, for example with `ccf set`, and render again.",
  },
  "region-contradiction": {
    severity: "error",
    cause: "The region, the partition and the cluster's Infrastructure contradict each other.",
    cure: "Correct the wrong one.",
  },
  "region-unknown": {
    severity: "error",
    cause: "The name does not look like an AWS region, so its partition is unknown.",
    cure: "Correct the region. If AWS has introduced a new form of region name, set `spec.platform.aws.partition`.",
  },
  "region-unlisted": {
    severity: "warning",
    cause: "The name looks like an AWS region, but this version does not know the region.",
    cure: "Check the region for a typo. If it is correct, set `spec.platform.aws.partition` to silence the warning.",
  },
  "role-path-changed": {
    severity: "error",
    cause:
      "The package was rendered with a different `spec.platform.aws.roles.path`. Every Secret would name a role under the new path. IAM cannot move a role, and does not allow two roles with the same name. If `removal` is allowed, this is a warning.",
    cure: "Restore the old path. If the roles do not exist yet, run `ccf render --allow removal DIR`.",
  },
} as const;

/** Findings about roles and their policies. */
export const awsIdentities = {
  "action-mistaken": {
    severity: "info",
    cause:
      "A request for AWS names an operation of an API, such as `s3:HeadObject`, whose permission has another name. IAM accepts the name, but it has no effect. Only common mistakes are known.",
    cure: "Name the permission that the message shows. If the request is part of a release and also contains that permission, no action is needed.",
  },
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

/** Findings about the roles of OLM operators. */
export const awsOperators = {
  "token-path-missing": {
    severity: "warning",
    cause:
      "A request has a role, or will get one, but no `spec.cloudTokenPath`. The cloud-credential-operator would then use the path of the pod's API server token, which AWS refuses.",
    cure: "A render sets the field to the cluster's path; check that the operator mounts its token there. If you are the author of the operator, set the field in the request.",
  },
} as const;

/** Findings about rendered roles whose permissions cannot be compared. */
export const awsRendered = {
  "role-unreadable": {
    severity: "error",
    cause:
      "A bundle in `aws/roles` has been changed and cannot be read as a role, so the role's permissions are unknown.",
    cure: "Run `ccf render DIR`, or restore the file from Git.",
  },
} as const;

/** What is true only on this cloud of findings of others. */
export const awsRemarks: Remarks = {
  "cluster-bundle-missing": {
    cure: "If others publish the issuer on AWS, set `spec.platform.aws.issuerHosting.type: External`.",
  },
  "documents-lost": { cause: "On AWS, the field is `spec.platform.aws.issuerHosting`." },
  "issuer-contradiction": {
    cure: "To publish elsewhere on AWS, set `spec.platform.aws.issuerHosting.type: External`.",
  },
  "variable-shared": { cure: "On AWS, the variable is `ROLEARN`." },
};
