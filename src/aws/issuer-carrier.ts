import { carrier, jsonFiles } from "../core/carrier.ts";
import type { GeneratedObject, Value, ValueMap } from "../core/resource.ts";
import { discoveryDocument, keysPath } from "../oidc/discovery.ts";
import type { PublicJwk } from "../oidc/public-key.ts";
import { bucketFiles } from "./bucket.ts";
import { type AwsCluster, isTrusted, type TrustedCluster } from "./cluster.ts";
import { distributionFiles } from "./distribution.ts";

/** Where the issuer is carried. */
export const issuerCarrierPath = "aws/issuer.yaml";

/**
 * The carrier of the issuer: its documents, and the AWS CLI's input files for its bucket, its distribution and its
 * provider. While the issuer is not known, there are neither documents nor a provider.
 */
export function issuerCarrier(cluster: AwsCluster, keys: readonly PublicJwk[]): GeneratedObject {
  const { hosting } = cluster;
  const files: Record<string, Value> = {
    ...(hosting.type === "External" ? {} : bucketFiles(cluster, hosting)),
    ...(hosting.type === "S3CloudFront" ? distributionFiles(cluster, hosting) : {}),
    ...(isTrusted(cluster) ? trustedFiles(cluster, keys) : {}),
  };
  return carrier(issuerCarrierPath, "aws-issuer", jsonFiles(files));
}

function trustedFiles(cluster: TrustedCluster, keys: readonly PublicJwk[]): Record<string, Value> {
  const algorithms = keys.map(({ alg }) => alg);
  return {
    "openid-configuration": { ...discoveryDocument(cluster.issuer.url, algorithms) },
    [keysPath]: { keys },
    ...(cluster.providerIsGiven ? {} : { "create-open-id-connect-provider.json": createProvider(cluster) }),
  };
}

// IAM finds the certificate authority's thumbprint itself where none is given (IAM API, CreateOpenIDConnectProvider).
function createProvider(cluster: TrustedCluster): ValueMap {
  return {
    Url: cluster.issuer.url,
    ClientIDList: cluster.audiences,
    ...(cluster.thumbprints.length === 0 ? {} : { ThumbprintList: cluster.thumbprints }),
    Tags: cluster.tags,
  };
}
