import { type Finding, finding } from "../../../core/finding.ts";
import { jsonFile } from "../../../core/json.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";
import type { Template } from "../../inspector.ts";
import { clientIdKey } from "../cluster/client-ids.ts";
import {
  deploymentName,
  limitFindings,
  type NestedDeployment,
  nestedDeployment,
  type Target,
  targetOf,
  templateOf,
} from "./deployment.ts";
import {
  type ClusterFacts,
  type ExportedRequests,
  type IdentityRequests,
  type PutResource,
  readExported,
  referenceTo,
  resourceIn,
} from "./exported-requests.ts";

/**
 * Composes the PUT requests of an export into one ARM template for a deployment to a subscription (Azure documentation,
 * "Understand the structure and syntax of ARM templates"). It has nested deployments, in this order: each subscription
 * with its custom roles and the resource group, the resource group with the storage account and the managed identities, and each
 * scope with its role assignments.
 *
 * The template does not contain the resource group of the cluster: a deployment replaces the tags of a resource group, and
 * `openshift-install destroy cluster` finds the cluster by a tag that the installer sets there.
 *
 * @param files the files of an export, by path.
 */
export function armTemplate(files: ReadonlyMap<string, string>): Template {
  const exported = readExported(files);
  const { cluster } = exported;
  const deployments = deploymentsOf(exported);
  const text = jsonFile({
    ...templateOf(
      { subscriptionId: cluster.subscriptionID, resourceGroup: undefined },
      deployments.map(({ resource }) => resource),
    ),
    outputs: { clientIds: { type: "object", value: clientIds(exported.identities) } },
  });
  const name = deploymentName(cluster.resourcePrefix);
  return {
    path: "azure/template.json",
    text,
    findings: [...limitFindings(text, deployments), incomplete(cluster)],
    command: (file) =>
      `az deployment sub create --name ${name} --subscription ${cluster.subscriptionID} --location ${cluster.region} --template-file ${file}`,
  };
}

function deploymentsOf({ cluster, oidcResourceGroup, storage, identities }: ExportedRequests): NestedDeployment[] {
  const { resourcePrefix: prefix, region, subscriptionID: subscriptionId } = cluster;
  const definitions = definitionsBySubscription(identities);
  const { [subscriptionId]: own = [], ...others } = definitions;
  const subscription = nestedDeployment(
    `${prefix}-subscription`,
    region,
    { subscriptionId, resourceGroup: undefined },
    [resourceIn(oidcResourceGroup), ...own],
  );
  const elsewhere = Object.entries(others).map(([subscriptionId, resources]) =>
    nestedDeployment(
      `${prefix}-subscription-${subscriptionId}`,
      region,
      { subscriptionId, resourceGroup: undefined },
      resources,
    ),
  );
  const group = nestedDeployment(
    `${prefix}-identities`,
    region,
    { subscriptionId, resourceGroup: oidcResourceGroup.name },
    [...oneAfterAnother(storage), ...identities.flatMap(identityResources)],
    [subscription],
  );
  const byTarget = [...assignmentsByTarget(identities)].sort(([a], [b]) => compareText(a, b));
  const roles = byTarget.map(([, { target, resources }]) =>
    nestedDeployment(rolesName(cluster, target), region, target, resources, [subscription, ...elsewhere, group]),
  );
  return [subscription, ...elsewhere, group, ...roles];
}

// A custom role that applies only in other subscriptions is created in the first of these.
function definitionsBySubscription(identities: readonly IdentityRequests[]): Readonly<Record<string, ValueMap[]>> {
  const found: Record<string, ValueMap[]> = {};
  for (const { roleDefinition } of identities) {
    if (roleDefinition === undefined) continue;
    const { subscriptionId } = targetOf(roleDefinition.scope).target;
    found[subscriptionId] = [...(found[subscriptionId] ?? []), resourceIn(roleDefinition)];
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => compareText(a, b)));
}

// Microsoft Entra refuses parallel writes of the credentials of an identity (Microsoft Entra documentation, "Important
// considerations and restrictions for federated identity credentials").
function identityResources({ identity, credentials }: IdentityRequests): ValueMap[] {
  return oneAfterAnother([identity, ...credentials]);
}

function oneAfterAnother(resources: readonly PutResource[]): ValueMap[] {
  return resources.map((resource, index) => resourceIn(resource, resources[index - 1]));
}

interface Assignments {
  readonly target: Target;
  readonly resources: ValueMap[];
}

// Azure compares names without case.
function assignmentsByTarget(identities: readonly IdentityRequests[]): Map<string, Assignments> {
  const found = new Map<string, Assignments>();
  for (const { identity, roleAssignments } of identities) {
    for (const assignment of roleAssignments) {
      const { target, isInside } = targetOf(assignment.scope);
      const key = `${target.subscriptionId}/${target.resourceGroup ?? ""}`.toLowerCase();
      const assignments = found.get(key) ?? { target, resources: [] };
      assignments.resources.push(assignmentResource(assignment, identity, isInside));
      found.set(key, assignments);
    }
  }
  return found;
}

function assignmentResource(assignment: PutResource, identity: PutResource, isInside: boolean): ValueMap {
  const { properties, ...resource } = resourceIn(assignment);
  const principalId = referenceTo(identity.id, identity.apiVersion, "principalId");
  return {
    ...resource,
    ...(isInside ? { scope: assignment.scope } : {}),
    properties: { ...(properties as ValueMap), principalId },
  };
}

function rolesName(
  { resourcePrefix, subscriptionID }: ClusterFacts,
  { subscriptionId, resourceGroup }: Target,
): string {
  const parts = [
    resourcePrefix,
    "roles",
    resourceGroup,
    subscriptionId === subscriptionID ? undefined : subscriptionId,
  ];
  return parts.filter((part) => part !== undefined).join("-");
}

function clientIds(identities: readonly IdentityRequests[]): ValueMap {
  return Object.fromEntries(
    identities.map(({ secret, identity }) => [
      clientIdKey(secret),
      referenceTo(identity.id, identity.apiVersion, "clientId"),
    ]),
  );
}

function incomplete({ installResourceGroup, storageAccount }: ClusterFacts): Finding {
  const group = `The ARM template does not contain the resource group ${quote(installResourceGroup)}. Create it before the deployment, if it does not exist.`;
  const documents =
    storageAccount === undefined
      ? ""
      : ' The template does not contain the documents of the issuer. Upload them after the deployment, with "ccf apply" or "az storage blob upload".';
  return finding("info", "template-incomplete", `${group}${documents}`);
}
