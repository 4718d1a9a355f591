import { type Finding, finding } from "../../../core/finding.ts";
import { sha256 } from "../../../core/hash.ts";
import { compactJson, jsonFile } from "../../../core/json.ts";
import type { Value, ValueMap } from "../../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../../core/text.ts";
import type { Template } from "../../inspector.ts";
import { clientIdKey } from "../cluster/client-ids.ts";
import { apiVersions } from "../cluster/resource-names.ts";
import {
  type ClusterFacts,
  type ExportedRequests,
  type IdentityRequests,
  type PutResource,
  readExported,
  referenceTo,
  resourceIn,
} from "./exported-requests.ts";

/** Limits of Azure Resource Manager (Azure documentation, "Azure subscription and service limits", "Template limits"). */
export const limits = { resources: 800, templateBytes: 4_000_000, resourceBytes: 1_000_000 } as const;

/** Reports a template that Azure Resource Manager would refuse because of its size. */
function limitFindings(text: string, deployments: readonly NestedDeployment[]): Finding[] {
  return [
    ...exceeded("has", deployments.length, "nested deployments", limits.resources),
    ...exceeded("has", Buffer.byteLength(text), "bytes", limits.templateBytes),
    ...deployments.flatMap(({ name, resources, resource }) => [
      ...exceeded(
        `has, in the nested deployment ${quoteWhole(name)},`,
        resources.length,
        "resources",
        limits.resources,
      ),
      ...exceeded(
        `has, in the nested deployment ${quoteWhole(name)},`,
        Buffer.byteLength(compactJson(resource)),
        "bytes",
        limits.resourceBytes,
      ),
    ]),
  ];
}

function exceeded(has: string, count: number, noun: string, max: number): Finding[] {
  if (count <= max) return [];
  const message = `The ARM template ${has} ${count} ${noun}, but Azure Resource Manager allows at most ${max}. Export without "--arm-template", and apply the package with "ccf apply".`;
  return [finding("error", "template-too-large", message)];
}

/** Where a deployment creates resources: a subscription, or one of its resource groups. */
export interface DeploymentScope {
  readonly subscriptionId: string;
  readonly resourceGroup: string | undefined;
}

/** A deployment inside the template: resources with the same scope. */
interface NestedDeployment extends DeploymentScope {
  /** Its resource ID, for the deployments that depend on it. */
  readonly id: string;
  readonly name: string;
  readonly resources: readonly ValueMap[];
  /** The resource of the enclosing template. */
  readonly resource: ValueMap;
}

/** The scope of the resources below an ID, and whether the ID names a resource inside the scope. */
export function deploymentScopeOf(id: string): { readonly scope: DeploymentScope; readonly isInside: boolean } {
  const [, , subscriptionId = "", groups = "", group, ...more] = id.split("/");
  const isGroup = groups.toLowerCase() === "resourcegroups";
  return {
    scope: { subscriptionId: subscriptionId.toLowerCase(), resourceGroup: isGroup ? group : undefined },
    isInside: isGroup ? more.length > 0 : groups !== "",
  };
}

const maxName = 64;
const hashLength = 8;

/**
 * The name of a deployment: the text, or its beginning and a hash (Azure REST API, "Deployments - Create Or Update": 64 letters,
 * digits, `-`, `.`, `_`, and parentheses).
 */
export function deploymentName(text: string): string {
  if (text.length <= maxName) return text;
  return `${text.slice(0, maxName - hashLength - 1)}-${sha256(text).toString("hex").slice(0, hashLength)}`;
}

const schemas = "https://schema.management.azure.com/schemas";
const schemaOfSubscription = `${schemas}/2018-05-01/subscriptionDeploymentTemplate.json#`;
const schemaOfGroup = `${schemas}/2019-04-01/deploymentTemplate.json#`;

/** A template without parameters, variables and functions. */
export function templateOf(scope: DeploymentScope, resources: readonly ValueMap[]): ValueMap {
  return {
    $schema: scope.resourceGroup === undefined ? schemaOfSubscription : schemaOfGroup,
    contentVersion: "1.0.0.0",
    resources,
  };
}

/**
 * A nested deployment. It names its subscription even if that is the one of the template: if the template is deployed
 * to another subscription, nothing is created there.
 *
 * @param name a text for {@link deploymentName}.
 * @param location where the cloud keeps the record of a deployment to a subscription.
 */
function nestedDeployment(
  name: string,
  location: string,
  scope: DeploymentScope,
  resources: readonly ValueMap[],
  after: readonly NestedDeployment[] = [],
): NestedDeployment {
  const { subscriptionId, resourceGroup } = scope;
  const unique = deploymentName(name);
  const resource: ValueMap = {
    type: "Microsoft.Resources/deployments",
    apiVersion: apiVersions.groups,
    name: unique,
    subscriptionId,
    ...(resourceGroup === undefined ? { location } : { resourceGroup }),
    ...(after.length === 0 ? {} : { dependsOn: after.map(({ id }) => id) as readonly Value[] }),
    properties: {
      mode: "Incremental",
      // Otherwise the expressions would be evaluated before the resources that they refer to exist.
      expressionEvaluationOptions: { scope: "inner" },
      template: templateOf(scope, resources),
    },
  };
  const group = resourceGroup === undefined ? "" : `/resourceGroups/${resourceGroup}`;
  const id = `/subscriptions/${subscriptionId}${group}/providers/Microsoft.Resources/deployments/${unique}`;
  return { ...scope, id, name: unique, resources, resource };
}

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
  const byScope = [...assignmentsByScope(identities)].sort(([a], [b]) => compareText(a, b));
  const roles = byScope.map(([, { scope, resources }]) =>
    nestedDeployment(rolesName(cluster, scope), region, scope, resources, [subscription, ...elsewhere, group]),
  );
  return [subscription, ...elsewhere, group, ...roles];
}

// A custom role that applies only in other subscriptions is created in the first of these.
function definitionsBySubscription(identities: readonly IdentityRequests[]): Readonly<Record<string, ValueMap[]>> {
  const found: Record<string, ValueMap[]> = {};
  for (const { roleDefinition } of identities) {
    if (roleDefinition === undefined) continue;
    const { subscriptionId } = deploymentScopeOf(roleDefinition.scope).scope;
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
  readonly scope: DeploymentScope;
  readonly resources: ValueMap[];
}

// Azure compares names without case.
function assignmentsByScope(identities: readonly IdentityRequests[]): Map<string, Assignments> {
  const found = new Map<string, Assignments>();
  for (const { identity, roleAssignments } of identities) {
    for (const assignment of roleAssignments) {
      const { scope, isInside } = deploymentScopeOf(assignment.scope);
      const key = `${scope.subscriptionId}/${scope.resourceGroup ?? ""}`.toLowerCase();
      const assignments = found.get(key) ?? { scope, resources: [] };
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
  { subscriptionId, resourceGroup }: DeploymentScope,
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
