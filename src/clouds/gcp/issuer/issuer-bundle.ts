import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, Value, ValueMap } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import { discoveryDocument, keysPath } from "../../../oidc/issuer-url.ts";
import type { PublicJwk } from "../../../oidc/public-key.ts";
import type { GcpCluster } from "../cluster/cluster.ts";
import { ownerDescription, ownerLabel, poolName, providerName, publicRole } from "../cluster/resource-names.ts";
import type { PoolBody } from "../kinds/pool.ts";
import type { ProviderBody } from "../kinds/provider.ts";
import { gcpBundles } from "../rendered/facts.ts";

/**
 * The bundle of the issuer: the workload identity pool, its provider, and the public keys in the form of the IAM API. The
 * discovery document is included unless the provider contains the keys: then Google Cloud reads no document. A bucket has
 * the form of the Cloud Storage API.
 */
export function issuerBundle(cluster: GcpCluster, keys: readonly PublicJwk[]): GeneratedObject {
  const files: Record<string, Value> = {
    "pool.json": pool(cluster),
    "provider.json": provider(cluster),
    [keysPath]: { keys },
    ...(cluster.keyStorage === "PoolJWKFile" ? {} : { "openid-configuration": discovery(cluster, keys) }),
    ...(cluster.bucket === undefined ? {} : bucketFiles(cluster, cluster.bucket)),
  };
  return bundle(gcpBundles.issuer, "gcp-issuer", jsonFiles(files));
}

function pool(cluster: GcpCluster): PoolBody & { readonly name: string } {
  return {
    name: poolName(cluster),
    displayName: cluster.poolId,
    description: ownerDescription(cluster.prefix),
    disabled: false,
  };
}

// The keys are a file of their own.
function provider(cluster: GcpCluster): ProviderBody & { readonly name: string } {
  const { attributeCondition } = cluster;
  return {
    name: providerName(cluster),
    displayName: cluster.providerId,
    description: ownerDescription(cluster.prefix),
    disabled: false,
    attributeMapping: { "google.subject": "assertion.sub" },
    ...(attributeCondition === "" ? {} : { attributeCondition }),
    oidc: { issuerUri: cluster.issuerUrl, allowedAudiences: cluster.audiences },
  };
}

function discovery(cluster: GcpCluster, keys: readonly PublicJwk[]): ValueMap {
  const algorithms = keys.map(({ alg }) => alg);
  return { ...discoveryDocument(cluster.issuerUrl, algorithms) };
}

// Cloud Storage JSON API reference, Buckets and Policy. The role allows reading single objects, but not listing them.
function bucketFiles(cluster: GcpCluster, name: string): Record<string, Value> {
  return {
    "bucket.json": {
      name,
      location: cluster.region.toUpperCase(),
      iamConfiguration: { publicAccessPrevention: "inherited", uniformBucketLevelAccess: { enabled: true } },
      labels: { [ownerLabel]: cluster.prefix },
    },
    "bucket-policy.json": { bindings: [{ role: publicRole, members: ["allUsers"] }] },
  };
}

/** How a package keeps its issuer: a provider has exactly one, and its URL need not be where the keys are. */
export function keepIssuer(issuer: string): { readonly cure: string; readonly field: string } {
  const field = "spec.issuer.url";
  return { field, cure: `Google Cloud trusts exactly one issuer at a time. Set "${field}" to ${quoteWhole(issuer)}.` };
}
