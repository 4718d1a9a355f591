import type { V1Secret } from "@kubernetes/client-node";
import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, Value } from "../../../core/resource.ts";
import { discoveryDocument } from "../../../oidc/issuer-url.ts";
import type { PublicJwk } from "../../../oidc/public-key.ts";
import type { AzureCluster, BlobPublic } from "../cluster/cluster.ts";
import { resourceUrl, storageAccountId } from "../cluster/resource-names.ts";
import { azureBundles, webhookSecretPath } from "../rendered/facts.ts";

/** The path of the keys, relative to the issuer: ccoctl's, so that its clusters keep their documents. */
const azureKeysPath = "openid/v1/jwks";

/** The bundle of the issuer: its documents, and the requests that create the storage account and the container. */
export function issuerBundle(cluster: AzureCluster, keys: readonly PublicJwk[]): GeneratedObject {
  const algorithms = keys.map(({ alg }) => alg);
  const files: Record<string, Value> = {
    "openid-configuration": { ...discoveryDocument(cluster.issuerUrl, algorithms, azureKeysPath) },
    "keys.json": { keys },
    ...(cluster.hosting.type === "External" ? {} : storageFiles(cluster, cluster.hosting)),
  };
  return bundle(azureBundles.issuer, "azure-issuer", jsonFiles(files));
}

// Azure REST API, Storage Accounts - Create, and Blob Containers - Create. A firewall would keep Microsoft Entra from reading
// the documents. The public access "Blob" allows reading single blobs, but not listing them.
function storageFiles(cluster: AzureCluster, hosting: BlobPublic): Record<string, Value> {
  const account = storageAccountId(cluster, hosting.storageAccount);
  return {
    "storage-account.json": {
      url: resourceUrl(account, "storage"),
      body: {
        kind: "StorageV2",
        location: cluster.region,
        sku: { name: hosting.sku },
        properties: {
          allowBlobPublicAccess: true,
          allowSharedKeyAccess: hosting.uploadAuth === "key",
          minimumTlsVersion: "TLS1_2",
          networkAcls: { defaultAction: "Allow" },
          publicNetworkAccess: "Enabled",
          supportsHttpsTrafficOnly: true,
        },
        tags: cluster.tags,
      },
    },
    "container.json": {
      url: resourceUrl(`${account}/blobServices/default/containers/${hosting.container}`, "storage"),
      body: { properties: { publicAccess: "Blob" } },
    },
  };
}

/** The Secret with which the cloud-credential-operator deploys the webhook that gives pods their federated tokens. */
export function webhookSecret({ tenantId, secretEncoding }: AzureCluster): GeneratedObject {
  const text = secretEncoding === "data" ? Buffer.from(tenantId, "utf8").toString("base64") : tenantId;
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "azure-credentials", namespace: "openshift-cloud-credential-operator" },
    type: "Opaque",
    [secretEncoding]: { azure_tenant_id: text },
  } satisfies V1Secret;
  return { path: webhookSecretPath, object };
}

/** How managed identities keep trusting an issuer while the cluster moves to another one. */
export function keepIssuer(): { readonly cure: string; readonly field: string } {
  const field = "spec.issuer.previous";
  return { field, cure: `Add it to "${field}" while the cluster moves.` };
}
