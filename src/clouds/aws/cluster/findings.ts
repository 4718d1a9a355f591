/** Findings about `spec.platform.aws`, and about an issuer on AWS. */
export const explanations = {
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
    cure: "Apply what is generated (bucket, access control, distribution). Write the domain that `apply.sh` prints into `distributionDomain`, for example with `ccf set`, and render again.",
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
