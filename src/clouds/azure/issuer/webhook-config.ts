import type { V1Secret } from "@kubernetes/client-node";
import type { GeneratedObject } from "../../../core/resource.ts";
import type { AzureCluster } from "../cluster/cluster.ts";
import { webhookSecretPath } from "../rendered/bundle-paths.ts";

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
