import { carrier, type Files } from "../core/carrier.ts";
import { compactJson } from "../core/json.ts";
import type { GeneratedObject, Value, ValueMap } from "../core/resource.ts";
import { type DiscoveryDocument, discoveryPath } from "../oidc/discovery.ts";
import type { PublicJwk } from "../oidc/public-key.ts";
import type { AwsCluster } from "./cluster.ts";
import type { PolicyDocument } from "./policy.ts";
import { tagValue } from "./role-carrier.ts";

/** Where the issuer is carried. */
export const issuerCarrierPath = "aws/issuer.yaml";

/** Where the keys stand below the issuer. */
export const keysPath = "keys.json";

/** The carrier of the issuer: its documents, and the AWS CLI's input files for its bucket and its provider. */
export function issuerCarrier(
  cluster: AwsCluster,
  discovery: DiscoveryDocument,
  keys: readonly PublicJwk[],
): GeneratedObject {
  const documents: Files = { "openid-configuration": { ...discovery }, [keysPath]: { keys } };
  const bucket = cluster.hosting.type === "S3Public" ? bucketFiles(cluster, cluster.hosting.bucket) : {};
  const provider: Files = cluster.providerIsGiven
    ? {}
    : { "create-open-id-connect-provider.json": createProvider(cluster) };
  return carrier(issuerCarrierPath, "aws-issuer", { ...documents, ...bucket, ...provider });
}

// IAM finds the certificate authority's thumbprint itself where none is given (IAM API, CreateOpenIDConnectProvider).
function createProvider(cluster: AwsCluster): ValueMap {
  return {
    Url: cluster.issuer.url,
    ClientIDList: cluster.audiences,
    ...(cluster.thumbprints.length === 0 ? {} : { ThumbprintList: cluster.thumbprints }),
    Tags: cluster.tags.map(tagValue),
  };
}

// Every call after the creation names the owner that is expected: a bucket that somebody else took first is not
// written to (Amazon S3 User Guide, "Verifying bucket ownership with bucket owner condition").
function bucketFiles(cluster: AwsCluster, Bucket: string): Files {
  const owned = { Bucket, ExpectedBucketOwner: cluster.accountId };
  const policy = documentsPolicy(cluster.partition, Bucket);
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
        BlockPublicPolicy: false,
        RestrictPublicBuckets: false,
      },
    },
    "bucket-policy.json": policy,
    "put-bucket-policy.json": { ...owned, Policy: compactJson(policy) },
    "put-bucket-tagging.json": { ...owned, Tagging: { TagSet: cluster.tags.map(tagValue) } },
    "put-object-openid-configuration.json": putObject(owned, discoveryPath),
    "put-object-keys.json": putObject(owned, keysPath),
  };
}

// The body is given beside it: `--body openid-configuration`.
function putObject(owned: ValueMap, Key: string): Value {
  return { ...owned, Key, ContentType: "application/json" };
}

// Anyone may read the two documents, and nothing else: not list, not read what may be put beside them.
function documentsPolicy(partition: string, bucket: string): PolicyDocument {
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "AllowReadOfIssuerDocuments",
        Effect: "Allow",
        Principal: "*",
        Action: "s3:GetObject",
        Resource: [discoveryPath, keysPath].map((key) => `arn:${partition}:s3:::${bucket}/${key}`),
      },
    ],
  };
}
