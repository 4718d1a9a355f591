import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { type GeneratedObject, refOf, type ValueMap } from "../../../core/resource.ts";
import { baseName } from "../../../requests/credentials-request.ts";
import { identityFile } from "../../rendered.ts";
import { secretOf } from "../../secret.ts";
import type { AzureCluster } from "../cluster/cluster.ts";
import { identityBundleName, pathOfIdentity } from "../rendered/facts.ts";
import type { AzureManagedIdentity } from "./identity.ts";

/**
 * The bundle of a managed identity: which Secret it is for, its client ID if it is known, and the requests that create the
 * identity, its federated credentials, its custom role and its role assignments.
 */
export function identityBundle(identity: AzureManagedIdentity): GeneratedObject {
  const { clientId } = identity;
  const { secretNamespace, secretName, resource } = identity.request;
  const name = baseName(secretNamespace, secretName);
  const files: Record<string, ValueMap> = {
    [identityFile]: {
      secret: `${secretNamespace}/${secretName}`,
      ...(clientId === undefined ? {} : { clientID: clientId }),
    },
    "managed-identity.json": identity.identity,
    ...named("federated-credential", identity.credentials),
    ...(identity.roleDefinition === undefined ? {} : { "role-definition.json": identity.roleDefinition }),
    ...named("role-assignment", identity.roleAssignments),
  };
  return bundle(pathOfIdentity(name), `${identityBundleName}${name}`, jsonFiles(files), refOf(resource));
}

function named(kind: string, requests: Readonly<Record<string, ValueMap>>): Record<string, ValueMap> {
  return Object.fromEntries(Object.entries(requests).map(([name, request]) => [`${kind}-${name}.json`, request]));
}

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
