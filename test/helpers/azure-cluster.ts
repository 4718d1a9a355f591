import { type Any, identity, request } from "./cluster.ts";

/** The fields that a cluster on Azure requires. */
export const azureSubscription = {
  subscriptionID: "00000000-1111-2222-3333-444444444444",
  tenantID: "55555555-6666-7777-8888-999999999999",
  region: "eastus",
} as const;

/** A ClusterIdentity for Azure; `azure`, `spec` and `metadata` are merged into it. */
export function azureConfig({
  azure = {},
  spec = {},
  metadata = {},
}: {
  azure?: Any;
  spec?: Any;
  metadata?: Any;
} = {}): Any {
  const config = identity({ spec, metadata });
  return { ...config, spec: { ...config.spec, platform: { azure: { ...azureSubscription, ...azure } } } };
}

/** A ClusterIdentity for Azure with these fields in its issuer; `azure` and `spec` are merged into it. */
export function withAzureIssuer(issuer: Any, azure: Any = {}, spec: Any = {}): Any {
  return azureConfig({ azure, spec: { issuer: { ...identity().spec.issuer, ...issuer }, ...spec } });
}

/** A CredentialsRequest for Azure; `providerSpec`, `spec` and the rest are merged into it. */
export function azureRequest(name: string, { providerSpec = {}, spec = {}, ...more }: Any = {}): Any {
  const provider = { kind: "AzureProviderSpec", roleBindings: [{ role: "Contributor" }], ...providerSpec };
  return request(name, { spec: { providerSpec: provider, ...spec }, ...more });
}

/** The client ID of the request with this number, as {@link clientIds} numbers them. */
export function clientId(number: number): string {
  return `c11e4701-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** The ConfigMap with the client IDs of these Secrets, `<namespace>/<name>`, numbered from 1. */
export function clientIds(
  secretKeys: readonly string[],
  { data = {}, annotations = {}, name = "azure-identities" }: Any = {},
): Any {
  const ids = secretKeys.map((key, index) => [key.replace("/", "_"), clientId(index + 1)]);
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      annotations: {
        "config.kubernetes.io/local-config": "true",
        "fn.cloudcredential.dev/azure-tenant": azureSubscription.tenantID,
        "fn.cloudcredential.dev/azure-subscription": azureSubscription.subscriptionID,
        "fn.cloudcredential.dev/resource-prefix": "demo",
        ...annotations,
      },
    },
    data: { ...Object.fromEntries(ids), ...data },
  };
}
