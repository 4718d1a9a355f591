import { type Finding, finding } from "../../../core/finding.ts";
import { sha256 } from "../../../core/hash.ts";
import { compactJson } from "../../../core/json.ts";
import type { Value, ValueMap } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import { apiVersions } from "../cluster/resource-names.ts";

/** Limits of Azure Resource Manager (Azure documentation, "Azure subscription and service limits", "Template limits"). */
export const limits = { resources: 800, templateBytes: 4_000_000, resourceBytes: 1_000_000 } as const;

/** Reports a template that Azure Resource Manager would refuse because of its size. */
export function limitFindings(text: string, deployments: readonly NestedDeployment[]): Finding[] {
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
export interface Target {
  readonly subscriptionId: string;
  readonly resourceGroup: string | undefined;
}

/** A deployment inside the template: resources with the same target. */
export interface NestedDeployment extends Target {
  /** Its resource ID, for the deployments that depend on it. */
  readonly id: string;
  readonly name: string;
  readonly resources: readonly ValueMap[];
  /** The resource of the enclosing template. */
  readonly resource: ValueMap;
}

/** The target of the resources below an ID, and whether the ID names a resource inside the target. */
export function targetOf(id: string): { readonly target: Target; readonly isInside: boolean } {
  const [, , subscriptionId = "", groups = "", group, ...more] = id.split("/");
  const isGroup = groups.toLowerCase() === "resourcegroups";
  return {
    target: { subscriptionId: subscriptionId.toLowerCase(), resourceGroup: isGroup ? group : undefined },
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
export function templateOf(target: Target, resources: readonly ValueMap[]): ValueMap {
  return {
    $schema: target.resourceGroup === undefined ? schemaOfSubscription : schemaOfGroup,
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
export function nestedDeployment(
  name: string,
  location: string,
  target: Target,
  resources: readonly ValueMap[],
  after: readonly NestedDeployment[] = [],
): NestedDeployment {
  const { subscriptionId, resourceGroup } = target;
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
      template: templateOf(target, resources),
    },
  };
  const group = resourceGroup === undefined ? "" : `/resourceGroups/${resourceGroup}`;
  const id = `/subscriptions/${subscriptionId}${group}/providers/Microsoft.Resources/deployments/${unique}`;
  return { ...target, id, name: unique, resources, resource };
}
