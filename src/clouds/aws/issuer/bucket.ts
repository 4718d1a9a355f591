import { compactJson } from "../../../core/json.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { discoveryPath, keysPath } from "../../../oidc/issuer-url.ts";
import { documentsArns } from "../cluster/arn.ts";
import type { AwsCluster, BucketHosting } from "../cluster/cluster.ts";
import type { PolicyDocument } from "../identities/policy.ts";
import { distributionFiles, distributionReader } from "./distribution.ts";

/**
 * The AWS CLI's inputs for the issuer's bucket, and for its distribution, if it is not public. Every call after the creation names the expected owner, so that the scripts
 * never write to a bucket of another account (Amazon S3 User Guide, "Verifying bucket ownership with bucket owner
 * condition").
 */
export function bucketFiles(cluster: AwsCluster, { bucket: Bucket, distribution }: BucketHosting) {
  const owned = { Bucket, ExpectedBucketOwner: cluster.accountId };
  const isPublic = distribution === undefined;
  const { Principal, ...limits } = isPublic ? { Principal: "*" } : distributionReader(cluster);
  // The reader cannot list the bucket or read other objects in it.
  const may = { Action: "s3:GetObject", Resource: documentsArns(cluster.partition, Bucket) };
  const policy: PolicyDocument = {
    Version: "2012-10-17",
    Statement: [{ Sid: "AllowReadOfIssuerDocuments", Effect: "Allow", Principal, ...may, ...limits }],
  };
  return {
    "create-bucket.json": {
      Bucket,
      // us-east-1 is the default, and naming it is an error (Amazon S3 API, CreateBucket).
      ...(cluster.region === "us-east-1" ? {} : { CreateBucketConfiguration: { LocationConstraint: cluster.region } }),
    },
    "put-public-access-block.json": {
      ...owned,
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: !isPublic,
        RestrictPublicBuckets: !isPublic,
      },
    },
    "bucket-policy.json": policy,
    "put-bucket-tagging.json": { ...owned, Tagging: { TagSet: cluster.tags } },
    // The policy for a distribution also needs its ID, which AWS assigns when the distribution is created.
    ...(isPublic ? { "put-bucket-policy.json": { ...owned, Policy: compactJson(policy) } } : {}),
    // Without an issuer there are no documents yet.
    ...(cluster.issuer === undefined
      ? {}
      : {
          "put-object-openid-configuration.json": putObject(owned, discoveryPath),
          "put-object-keys.json": putObject(owned, keysPath),
        }),
    ...(isPublic ? {} : distributionFiles(cluster, Bucket, distribution)),
  } satisfies Record<string, ValueMap>;
}

// The script passes the body separately: `--body openid-configuration`.
function putObject(owned: ValueMap, Key: string): ValueMap {
  return { ...owned, Key, ContentType: "application/json" };
}
