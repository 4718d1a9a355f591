import { finding } from "../../../core/finding.ts";
import { isUuid } from "../../../core/hash.ts";
import { quoteWhole } from "../../../core/text.ts";
import { isFilledIn } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { GivenIdentity, OperatorSetup, OperatorWords } from "../../cloud.ts";
import { type ClusterVariable, requestChanges, variableValues } from "../../operators.ts";
import { type IdentityVariables, identityVariables, readSpec } from "../../request.ts";
import { type AzureCluster, azureNames } from "../cluster/cluster.ts";
import { type AzureManagedIdentity, credentialsSecret } from "../identities/identity.ts";
import { azureRequestForm } from "../identities/request.ts";

const fields = ["azureClientID", "azureTenantID", "azureSubscriptionID", "azureRegion"] as const;

/** Fields of an OLM operator's request that a function writes, so they may contain placeholders. */
export const writtenFields: ReadonlySet<string> = new Set(fields.map((name) => `spec.providerSpec.${name}`));

/** The variable that tells an operator its managed identity (OpenShift documentation, "Token-based authentication"). */
const clientIdVariable = "CLIENTID";

/** The variables that are the same for every operator of a cluster (OpenShift documentation, as above). */
export const clusterVariables: readonly ClusterVariable<AzureCluster>[] = [
  { name: "TENANTID", meaning: "the tenant of this cluster", value: ({ tenantId }) => tenantId },
  {
    name: "SUBSCRIPTIONID",
    meaning: "the subscription of this cluster",
    value: ({ subscriptionId }) => subscriptionId,
  },
];

/** The variables in which an operator expects the client ID of a request's managed identity. */
export function clientIdVariables(request: SelectedRequest): IdentityVariables {
  return identityVariables(request, azureNames.identityNoun, clientIdVariable, clusterVariables);
}

/**
 * How an OLM operator learns its managed identity: from variables of its Subscription, from its request, or from a Secret.
 * Until the client ID is known, the Subscription and the request stay unchanged: the cloud-credential-operator (4.14.8 and
 * later) fails if a request has some of the fields.
 */
export function operatorSetup(cluster: AzureCluster, identity: AzureManagedIdentity): OperatorSetup {
  const { clientId } = identity;
  const secret = () => credentialsSecret(cluster, identity);
  const { names, findings: variableFindings } = clientIdVariables(identity.request);
  if (clientId === undefined) return { secret, variables: [], changes: [], findings: variableFindings };
  const { changes, findings } = completeRequest(cluster, identity, clientId);
  const ids = names.map((name) => ({ name, value: clientId, meaning: "the managed identity of its request" }));
  return {
    secret,
    variables: variableValues(ids, clusterVariables, cluster),
    changes,
    findings: [...findings, ...variableFindings],
  };
}

function completeRequest(
  cluster: AzureCluster,
  { request }: AzureManagedIdentity,
  clientId: string,
): Pick<OperatorSetup, "changes" | "findings"> {
  const { resource, providerSpec: given } = request;
  const wanted = {
    azureClientID: clientId,
    azureTenantID: cluster.tenantId,
    azureSubscriptionID: cluster.subscriptionId,
    azureRegion: cluster.region,
  };
  // Azure compares UUIDs and regions without case.
  const missing = fields.filter((name) => given[name].toLowerCase() !== wanted[name].toLowerCase());
  const findings = missing.flatMap((name) => {
    const field = `spec.providerSpec.${name}`;
    // Another client ID is an identity that the request names.
    if (name === "azureClientID") return [];
    // A placeholder has neither the form of a UUID nor that of a region.
    if (!isUuid(given[name]) && !(name === "azureRegion" && /^[a-z]+[0-9]*$/.test(given[name]))) return [];
    const message = `"${field}" was ${quoteWhole(given[name])} and is replaced with ${quoteWhole(wanted[name])}; check which one is intended.`;
    return [finding("warning", "managed-identity-replaced", message, { resource, field })];
  });
  const spec = Object.fromEntries(missing.map((name) => [name, wanted[name]]));
  return { changes: requestChanges(request, spec, cluster.tokenPath), findings };
}

/** Finds the client IDs of the cluster's identities. */
export function ownVariable({ clientIds }: AzureCluster): (value: string) => string | undefined {
  const ids = new Set(clientIds.values());
  return (value) => (ids.has(value.toLowerCase()) ? "a managed identity" : undefined);
}

/** The managed identity that a request names, if it is not the one that is generated for the request. */
export function givenClientId(
  { clientIds }: AzureCluster,
  { value: request, secretKey = "" }: SelectedRequest,
): GivenIdentity | undefined {
  const value = readSpec(request, azureRequestForm).azureClientID;
  const wanted = clientIds.get(secretKey);
  if (!isFilledIn(value) || value.toLowerCase() === wanted?.toLowerCase()) return undefined;
  return { field: "spec.providerSpec.azureClientID", value, name: undefined, wanted, keep: undefined };
}

/** What messages about OLM operators say of Azure. */
export const operatorWords: OperatorWords = {
  secretsSince: "4.14.8",
  identityVariable: clientIdVariable,
  // Neither client IDs nor the IDs of tenants and subscriptions are secret.
  isName: isUuid,
};
