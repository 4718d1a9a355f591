import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { compactJson } from "../../../core/json.ts";
import type { GeneratedObject, Value, ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { discoveryDocument, discoveryPath, keysPath } from "../../../oidc/issuer-url.ts";
import type { PublicJwk } from "../../../oidc/public-key.ts";
import { type AwsCluster, type BucketHosting, isTrusted, type TrustedCluster } from "../cluster/cluster.ts";
import { previousIssuer } from "../cluster/read-issuer.ts";
import { documentsArns } from "../cluster/resource-names.ts";
import type { PolicyDocument } from "../identities/identity.ts";
import { awsBundles } from "../rendered/facts.ts";
import { distributionFiles, distributionReader } from "./distribution.ts";

/**
 * The bundle of the issuer: its documents, and the AWS CLI's input files for its bucket, its distribution and its
 * provider. Until the issuer is known, it contains no documents and no provider.
 */
export function issuerBundle(cluster: AwsCluster, keys: readonly PublicJwk[]): GeneratedObject {
  const { hosting } = cluster;
  const files: Record<string, Value> = {
    ...(hosting.bucket === undefined ? {} : bucketFiles(cluster, hosting)),
    ...(isTrusted(cluster) ? trustedFiles(cluster, keys) : {}),
  };
  return bundle(awsBundles.issuer, "aws-issuer", jsonFiles(files));
}

function trustedFiles(cluster: TrustedCluster, keys: readonly PublicJwk[]): Record<string, Value> {
  const algorithms = keys.map(({ alg }) => alg);
  return {
    "openid-configuration": { ...discoveryDocument(cluster.issuer.url, algorithms) },
    [keysPath]: { keys },
    ...(cluster.providerIsGiven ? {} : { "create-open-id-connect-provider.json": createProvider(cluster) }),
  };
}

// Without a thumbprint, IAM retrieves that of the certificate authority itself (IAM API, CreateOpenIDConnectProvider).
function createProvider(cluster: TrustedCluster): ValueMap {
  return {
    Url: cluster.issuer.url,
    ClientIDList: cluster.audiences,
    ...(cluster.thumbprints.length === 0 ? {} : { ThumbprintList: cluster.thumbprints }),
    Tags: cluster.tags,
  };
}

/** Identifies the statement in the policy of a bucket that is the package's. */
export const readStatementId = "AllowReadOfIssuerDocuments";

/**
 * The inputs of the AWS CLI for the issuer's bucket, and for its distribution, if it is not public. Every request after the
 * creation names the expected owner, so that nothing is written to a bucket of another account (Amazon S3 User Guide,
 * "Verifying bucket ownership with bucket owner condition").
 */
function bucketFiles(cluster: AwsCluster, { bucket: Bucket, distribution }: BucketHosting) {
  const owned = { Bucket, ExpectedBucketOwner: cluster.accountId };
  const isPublic = distribution === undefined;
  const { Principal, ...limits } = isPublic ? { Principal: "*" } : distributionReader(cluster);
  // The reader cannot list the bucket or read other objects in it.
  const may = { Action: "s3:GetObject", Resource: documentsArns(cluster.partition, Bucket) };
  const policy: PolicyDocument = {
    Version: "2012-10-17",
    Statement: [{ Sid: readStatementId, Effect: "Allow", Principal, ...may, ...limits }],
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

// The body is a file of its own: `--body openid-configuration`. The encryption is stated, because objects that a bucket's default
// encrypts with a key of AWS KMS are not readable without credentials (Amazon S3 User Guide, "Using server-side encryption").
function putObject(owned: ValueMap, Key: string): ValueMap {
  return { ...owned, Key, ContentType: "application/json", ServerSideEncryption: "AES256" };
}

/** How roles keep trusting an issuer while the cluster moves to another one. Its documents must stay readable. */
export function keepIssuer(cluster: AwsCluster, issuer: string): { readonly cure: string; readonly field: string } {
  const { hosting } = cluster;
  const isItsBucket =
    hosting.distribution !== undefined &&
    previousIssuer(cluster, { url: issuer, providerArn: "" }).bucket === hosting.bucket;
  const bucket = isItsBucket
    ? `, and set "spec.platform.aws.issuerHosting.bucket" to a name other than ${quote(hosting.bucket)}`
    : "";
  const field = "spec.issuer.previous";
  return { field, cure: `Add it to "${field}" while the cluster moves${bucket}.` };
}
