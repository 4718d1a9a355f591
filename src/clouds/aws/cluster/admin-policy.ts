import { clusterMark } from "../../../core/owner-mark.ts";
import type { Value, ValueMap } from "../../../core/resource.ts";
import type { PolicyDocument } from "../identities/identity.ts";
import type { AwsCluster } from "./cluster.ts";
import { type PreviousIssuer, previousIssuer } from "./read-issuer.ts";
import { bucketArn, documentsArns, ownerTagKey, roleArn, withIdArn } from "./resource-names.ts";

/** The identifier of the statement that allows roles without a permissions boundary. */
export const unboundedSid = "RolesWithoutBoundary";

/**
 * The minimal permissions for `ccf apply` and `ccf destroy`: the requests that they make, restricted to the names that they use (Service
 * Authorization Reference, for Amazon S3, IAM and CloudFront). `sts:GetCallerIdentity` needs no permission.
 *
 * If the config sets a permissions boundary, the policy allows creating roles and giving them permissions only with that
 * boundary. Otherwise an administrator with this policy can give a role any permission, and so has every permission
 * of the account.
 */
export function adminPolicy(cluster: AwsCluster): PolicyDocument {
  const previous = cluster.previousIssuers.map((trustedIssuer) => previousIssuer(cluster, trustedIssuer));
  return {
    Version: "2012-10-17",
    Statement:
      cluster.mark !== clusterMark
        ? teamStatements(cluster)
        : [
            ...bucketStatements(cluster, previous),
            ...distributionStatements(cluster, previous),
            ...providerStatements(cluster, previous),
            ...roleStatements(cluster),
          ],
  };
}

function allow(Sid: string, Action: readonly string[], Resource: Value, Condition?: ValueMap): ValueMap {
  return { Sid, Effect: "Allow", Action, Resource, ...(Condition === undefined ? {} : { Condition }) };
}

/** What reading a bucket takes, and deleting it together with all versions of its documents. */
const readAndDelete = [
  "s3:DeleteBucket",
  "s3:GetBucketObjectLockConfiguration",
  "s3:GetBucketPolicy",
  "s3:GetBucketPublicAccessBlock",
  "s3:GetBucketRequestPayment",
  "s3:GetBucketTagging",
  "s3:ListBucket",
  "s3:ListBucketMultipartUploads",
  "s3:ListBucketVersions",
];

function bucketStatements(cluster: AwsCluster, previous: readonly PreviousIssuer[]): ValueMap[] {
  const { hosting, partition } = cluster;
  const statements: ValueMap[] = [];
  if (hosting.bucket !== undefined) {
    statements.push(
      allow(
        "Bucket",
        [
          "s3:CreateBucket",
          "s3:GetLifecycleConfiguration",
          "s3:PutBucketPolicy",
          "s3:PutBucketPublicAccessBlock",
          "s3:PutBucketRequestPayment",
          "s3:PutBucketTagging",
          "s3:TagResource",
          ...readAndDelete,
        ].sort(),
        bucketArn(partition, hosting.bucket),
      ),
      allow(
        "Documents",
        ["s3:DeleteObjectVersion", ...(cluster.issuer === undefined ? [] : ["s3:GetObject", "s3:PutObject"])],
        documentsArns(partition, hosting.bucket),
      ),
    );
  }
  // Only AWS knows the bucket behind a previous distribution. Its default name begins with the prefix.
  const buckets = previous.flatMap(
    ({ bucket, domain }) => bucket ?? (domain === undefined ? [] : `${cluster.prefix}-*`),
  );
  if (buckets.length > 0) {
    const names = [...new Set(buckets)];
    statements.push(
      allow(
        "PreviousBuckets",
        readAndDelete,
        names.map((name) => bucketArn(partition, name)),
      ),
      allow(
        "PreviousDocuments",
        ["s3:DeleteObjectVersion"],
        names.flatMap((name) => documentsArns(partition, name)),
      ),
    );
  }
  return statements;
}

// CloudFront assigns the IDs of distributions, so the policy identifies them by their owner tag. Access controls have no
// tags.
function distributionStatements(cluster: AwsCluster, previous: readonly PreviousIssuer[]): ValueMap[] {
  const { distribution } = cluster.hosting;
  const isOwn = distribution !== undefined;
  if (!isOwn && previous.every(({ domain }) => domain === undefined)) return [];
  const distributions = withIdArn(cluster, "distribution", "*");
  const owner = ownerTagKey(cluster.prefix);
  // A distribution whose domain is the issuer is never created again: a new one would have a new domain.
  const isMade = distribution?.assigned !== undefined;
  const make = isOwn ? ["cloudfront:CreateOriginAccessControl", "cloudfront:UpdateOriginAccessControl"] : [];
  return [
    allow("FindDistribution", ["cloudfront:ListDistributions", "cloudfront:ListOriginAccessControls"], "*"),
    allow(
      "AccessControl",
      [...make, "cloudfront:DeleteOriginAccessControl", "cloudfront:GetOriginAccessControl"].sort(),
      withIdArn(cluster, "origin-access-control", "*"),
    ),
    allow("ReadDistribution", ["cloudfront:GetDistribution", "cloudfront:ListTagsForResource"], distributions),
    ...(isOwn
      ? [
          allow(
            isMade ? "TagDistribution" : "CreateDistribution",
            [...(isMade ? [] : ["cloudfront:CreateDistribution"]), "cloudfront:TagResource"],
            distributions,
            { StringEquals: { [`aws:RequestTag/${owner}`]: "owned" } },
          ),
        ]
      : []),
    allow(
      "OwnDistribution",
      [
        "cloudfront:DeleteDistribution",
        ...(isOwn ? ["cloudfront:UntagResource"] : []),
        "cloudfront:UpdateDistribution",
      ],
      distributions,
      { StringEquals: { [`aws:ResourceTag/${owner}`]: "owned" } },
    ),
  ];
}

function providerStatements(cluster: AwsCluster, previous: readonly PreviousIssuer[]): ValueMap[] {
  const statements: ValueMap[] = [];
  const { issuer } = cluster;
  if (issuer !== undefined) {
    const own = [
      "iam:AddClientIDToOpenIDConnectProvider",
      "iam:CreateOpenIDConnectProvider",
      "iam:DeleteOpenIDConnectProvider",
      "iam:GetOpenIDConnectProvider",
      "iam:RemoveClientIDFromOpenIDConnectProvider",
      "iam:TagOpenIDConnectProvider",
      "iam:UntagOpenIDConnectProvider",
      ...(cluster.thumbprints.length === 0 ? [] : ["iam:UpdateOpenIDConnectProviderThumbprint"]),
    ];
    // One that the config names is never changed or deleted.
    const given = ["iam:GetOpenIDConnectProvider"];
    statements.push(allow("Provider", cluster.providerIsGiven ? given : own, issuer.providerArn));
  }
  if (previous.length > 0) {
    statements.push(
      allow(
        "PreviousProviders",
        ["iam:DeleteOpenIDConnectProvider", "iam:GetOpenIDConnectProvider"],
        previous.map(({ providerArn }) => providerArn),
      ),
    );
  }
  return statements;
}

function roleStatements(cluster: AwsCluster): ValueMap[] {
  const { managedPolicyArns, workloads } = cluster;
  const limit = managedPolicyArns.length === 0 ? undefined : { ArnEquals: { "iam:PolicyARN": managedPolicyArns } };
  return [
    // The administrator can remove the first statement: each role is then read separately.
    allow("ReadRoles", ["iam:GetAccountAuthorizationDetails"], "*"),
    allow("ListRoles", ["iam:ListRoles"], "*"),
    ...managedRoles(cluster, cluster, "", limit),
    ...(workloads === undefined
      ? []
      : managedRoles(cluster, workloads, "Workload", workloads.attachesPolicies ? {} : undefined)),
  ];
}

// The policy for who applies a team's package: only roles of workloads, and a look at the provider.
function teamStatements(cluster: AwsCluster): ValueMap[] {
  const roles = cluster.workloads ?? { ...cluster, attachesPolicies: false };
  return [
    ...providerStatements({ ...cluster, providerIsGiven: true }, []),
    allow("ListRoles", ["iam:ListRoles"], "*"),
    ...managedRoles(cluster, roles, "", roles.attachesPolicies ? {} : undefined),
  ];
}

/**
 * The statements about the roles with one path and one boundary. Those of workloads are only what the others do not allow.
 *
 * @param sid what identifiers of statements begin with.
 * @param attached which managed policies may be attached, as a condition; undefined for none.
 */
function managedRoles(
  cluster: AwsCluster,
  { rolePath, permissionsBoundaryArn: boundary }: Pick<AwsCluster, "rolePath" | "permissionsBoundaryArn">,
  sid: string,
  attached: ValueMap | undefined,
): ValueMap[] {
  const roles = [`${cluster.prefix}-*`, ...cluster.givenRoleNames].map((name) => roleArn(cluster, rolePath, name));
  const limit = boundary === undefined ? undefined : { StringEquals: { "iam:PermissionsBoundary": boundary } };
  const isKnownPath = sid !== "" && rolePath === cluster.rolePath;
  const isKnown = isKnownPath && boundary === cluster.permissionsBoundaryArn;
  const isLimited = attached !== undefined && Object.keys({ ...attached, ...limit }).length > 0;
  return [
    ...(isKnownPath
      ? []
      : [
          allow(
            `${sid}Roles`,
            [
              "iam:DeleteRole",
              ...(boundary === undefined ? ["iam:DeleteRolePermissionsBoundary"] : []),
              "iam:DeleteRolePolicy",
              "iam:DetachRolePolicy",
              "iam:GetRole",
              "iam:GetRolePolicy",
              "iam:ListAttachedRolePolicies",
              "iam:ListRolePolicies",
              "iam:TagRole",
              "iam:UntagRole",
              "iam:UpdateAssumeRolePolicy",
              "iam:UpdateRole",
            ],
            roles,
          ),
        ]),
    ...(isKnown
      ? []
      : [
          allow(
            `${sid}${boundary === undefined ? unboundedSid : "RolesWithBoundary"}`,
            [
              "iam:CreateRole",
              ...(boundary === undefined ? [] : ["iam:PutRolePermissionsBoundary"]),
              "iam:PutRolePolicy",
            ],
            roles,
            limit,
          ),
        ]),
    ...(attached === undefined
      ? []
      : [
          allow(
            `${sid}AttachPolicies`,
            ["iam:AttachRolePolicy"],
            roles,
            isLimited ? { ...attached, ...limit } : undefined,
          ),
        ]),
  ];
}
