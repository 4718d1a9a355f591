/** What is wrong with `spec.platform.aws`, and with an issuer on AWS. */
export const findings = {
  "account-changed": {
    severity: "error",
    cause:
      "`spec.platform.aws.accountID` is another one than the package was rendered for: every Secret would name a role of the other account. It is a warning where `removal` is allowed.",
    cure: "Correct the account. A cluster in another account gets a package of its own.",
  },
  "arn-mismatch": {
    severity: "error",
    cause:
      "An ARN of the config is not of the cluster's partition or account, or not of the kind that the field needs.",
    cure: "Correct it; the message says how it must begin.",
  },
  "bucket-name-invalid": {
    severity: "error",
    cause: "The bucket's name breaks a rule of Amazon S3.",
    cure: "Set `spec.platform.aws.issuerHosting.bucket`.",
  },
  "cloudfront-not-available": {
    severity: "error",
    cause:
      "The config asks for `S3CloudFront` in a partition where CloudFront has no endpoint: GovCloud, the European Sovereign Cloud, the isolated ones.",
    cure: "Use `S3Public`, or `External` with `spec.issuer.url`.",
  },
  "config-moved-field": {
    severity: "error",
    cause: "A field of the ClusterIdentity is in a place where a former version had it. It has no effect there.",
    cure: "Move it to the path that the message names. If the ClusterIdentity has the field there too, remove the former one.",
  },
  "hosting-contradiction": {
    severity: "error",
    cause:
      "Fields of `issuerHosting` are set that do not go together, or a bucket becomes private that a previous issuer is in.",
    cure: "Remove the one that does not belong to the type of hosting; give the new issuer a bucket of its own.",
  },
  "issuer-contradiction": {
    severity: "error",
    cause: "`spec.issuer.url` is not where the documents will be.",
    cure: "Leave the URL out, or set the hosting type to `External`.",
  },
  "issuer-unknown": {
    severity: "warning",
    cause:
      "The issuer is a CloudFront distribution's domain, and AWS gives that when the distribution is made. Until the config has it, nothing is emitted that would hold it.",
    cure: "Apply what is emitted (bucket, access control, distribution), write the domain that `apply.sh` prints into `distributionDomain` (`ccf set-distribution-domain` does it), and render again.",
  },
  "prefix-changed": {
    severity: "error",
    cause:
      "`spec.resourcePrefix`, or the name that it follows from, is another than the one that the package was rendered with. It names and tags every resource in the cloud: nothing there can be renamed, and what was made under the old prefix would be left behind, still trusted.",
    cure: "Set `spec.resourcePrefix` to the old prefix. For a new set of resources make a new package; for one that was never applied, delete the directory `aws` and render again.",
  },
  "region-contradiction": {
    severity: "error",
    cause: "Region, partition and the cluster's own Infrastructure do not agree.",
    cure: "Correct the one that is wrong.",
  },
  "region-unknown": {
    severity: "error",
    cause: "The region does not have the form of an AWS region, so its partition is unknown.",
    cure: "Correct it. For a region of a new form, set `spec.platform.aws.partition`.",
  },
  "region-unlisted": {
    severity: "warning",
    cause: "The region has the right form, but is on no list known to this version.",
    cure: "Check it for a typing error; if it is right, `spec.platform.aws.partition` ends the warning.",
  },
  "role-path-changed": {
    severity: "error",
    cause:
      "`spec.platform.aws.roles.path` is another one than the package was rendered with: every Secret would name a role under the new path, and IAM neither moves a role nor lets two of one name exist. It is a warning where `removal` is allowed.",
    cure: "Set the path back. For roles that do not exist yet: `ccf render --allow removal DIR`.",
  },
  "tag-invalid": {
    severity: "error",
    cause: "A tag breaks a rule of AWS, or is one that the tool sets itself.",
    cure: "Correct or remove it.",
  },
} as const;
