import type { GeneratedObject } from "../../../core/resource.ts";
import { secretOf } from "../../secret.ts";
import type { AzureCluster } from "../cluster/cluster.ts";
import type { AzureManagedIdentity } from "./identity.ts";

/**
 * The Secret of a request, with the values that the cloud-credential-operator writes; undefined until Azure has assigned the
 * client ID.
 */
export function credentialsSecret(
  cluster: AzureCluster,
  { request, clientId }: AzureManagedIdentity,
): GeneratedObject | undefined {
  if (clientId === undefined) return undefined;
  const values = {
    azure_client_id: clientId,
    azure_federated_token_file: request.tokenPath ?? cluster.tokenPath,
    azure_region: cluster.region,
    azure_subscription_id: cluster.subscriptionId,
    azure_tenant_id: cluster.tenantId,
  };
  return secretOf(request, values, cluster.secretEncoding);
}
