import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, Value, ValueMap } from "../../../core/resource.ts";
import { discoveryDocument, keysPath } from "../../../oidc/issuer-url.ts";
import type { PublicJwk } from "../../../oidc/public-key.ts";
import { type AwsCluster, isTrusted, type TrustedCluster } from "../cluster/cluster.ts";
import { issuerBundlePath } from "../rendered/bundle-paths.ts";
import { bucketFiles } from "./bucket.ts";

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
  return bundle(issuerBundlePath, "aws-issuer", jsonFiles(files));
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
