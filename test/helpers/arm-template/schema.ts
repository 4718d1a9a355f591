import Ajv from "ajv";
import { expect } from "vitest";

/*
 * The structure of templates, written from the documentation: "Understand the structure and syntax of ARM templates", "Use
 * linked and nested templates when deploying Azure resources", and the ARM template reference of each type. Only what the
 * templates of an export may contain is allowed.
 */

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };
const uuid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const tags = { type: "object", additionalProperties: { type: "string", maxLength: 256 }, maxProperties: 50 };
const id = { type: "string", pattern: `^/subscriptions/${uuid}/` };

type Schema = Readonly<Record<string, unknown>>;

/** An object with these properties and no others; those after the count may be missing. */
function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", additionalProperties: false, properties, required };
}

function resource(type: string, apiVersion: string, name: string, more: Readonly<Record<string, Schema>>): Schema {
  const all = {
    type: { const: type },
    apiVersion: { const: apiVersion },
    name: { type: "string", pattern: name },
    dependsOn: { ...texts, items: id, uniqueItems: true, minItems: 1 },
    ...more,
  };
  return object(all, ["dependsOn", "scope"]);
}

const group = resource("Microsoft.Resources/resourceGroups", "2021-04-01", "^[-\\w().]{0,89}[-\\w()]$", {
  location: text,
  tags,
});

const roleDefinition = resource("Microsoft.Authorization/roleDefinitions", "2022-04-01", `^${uuid}$`, {
  properties: object({
    roleName: { type: "string", minLength: 1, maxLength: 128 },
    type: { const: "CustomRole" },
    description: text,
    assignableScopes: { ...texts, minItems: 1 },
    permissions: {
      type: "array",
      minItems: 1,
      items: object({ actions: texts, notActions: texts, dataActions: texts, notDataActions: texts }),
    },
  }),
});

const roleAssignment = resource("Microsoft.Authorization/roleAssignments", "2022-04-01", `^${uuid}$`, {
  scope: id,
  properties: object({
    roleDefinitionId: { type: "string", pattern: `/providers/Microsoft\\.Authorization/roleDefinitions/${uuid}$` },
    principalType: { const: "ServicePrincipal" },
    principalId: {
      type: "string",
      pattern: "^\\[reference\\('/subscriptions/[^']+', '2023-01-31'\\)\\.principalId\\]$",
    },
  }),
});

const identity = resource(
  "Microsoft.ManagedIdentity/userAssignedIdentities",
  "2023-01-31",
  "^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$",
  { location: text, tags },
);

const credential = resource(
  "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
  "2023-01-31",
  "^[A-Za-z0-9][A-Za-z0-9_-]{2,127}/[A-Za-z0-9][A-Za-z0-9_-]{2,119}$",
  { properties: object({ issuer: text, subject: text, audiences: { ...texts, minItems: 1, maxItems: 1 } }) },
);

const account = resource("Microsoft.Storage/storageAccounts", "2023-01-01", "^[a-z0-9]{3,24}$", {
  kind: { const: "StorageV2" },
  location: text,
  sku: object({ name: text }),
  tags,
  properties: object({
    allowBlobPublicAccess: { type: "boolean" },
    allowSharedKeyAccess: { type: "boolean" },
    minimumTlsVersion: { enum: ["TLS1_0", "TLS1_1", "TLS1_2"] },
    networkAcls: object({ defaultAction: { enum: ["Allow", "Deny"] } }),
    publicNetworkAccess: { enum: ["Disabled", "Enabled"] },
    supportsHttpsTrafficOnly: { type: "boolean" },
  }),
});

const container = resource(
  "Microsoft.Storage/storageAccounts/blobServices/containers",
  "2023-01-01",
  "^[a-z0-9]{3,24}/default/[a-z0-9-]{3,63}$",
  { properties: object({ publicAccess: { enum: ["Blob", "Container", "None"] } }) },
);

const schemas = "https://schema.management.azure.com/schemas";

function template(schema: string, resources: readonly Schema[], more: Readonly<Record<string, Schema>> = {}): Schema {
  return object({
    $schema: { const: `${schemas}/${schema}` },
    contentVersion: { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+$" },
    resources: { type: "array", maxItems: 800, items: { oneOf: resources } },
    ...more,
  });
}

const forSubscription = "2018-05-01/subscriptionDeploymentTemplate.json#";
const forGroup = "2019-04-01/deploymentTemplate.json#";

function deployment(place: Readonly<Record<string, Schema>>, inner: Schema): Schema {
  return resource("Microsoft.Resources/deployments", "2021-04-01", "^[-\\w._()]{1,64}$", {
    ...place,
    subscriptionId: { type: "string", pattern: `^${uuid}$` },
    properties: object({
      mode: { const: "Incremental" },
      expressionEvaluationOptions: object({ scope: { const: "inner" } }),
      template: inner,
    }),
  });
}

const clientIds = {
  type: "object",
  propertyNames: { pattern: "^[-a-z0-9.]+_[-a-z0-9.]+$" },
  additionalProperties: {
    type: "string",
    pattern: "^\\[reference\\('/subscriptions/[^']+', '2023-01-31'\\)\\.clientId\\]$",
  },
};

const exportedTemplate = template(
  forSubscription,
  [
    deployment({ location: text }, template(forSubscription, [group, roleDefinition, roleAssignment])),
    deployment({ resourceGroup: text }, template(forGroup, [account, container, identity, credential, roleAssignment])),
  ],
  { outputs: object({ clientIds: object({ type: { const: "object" }, value: clientIds }) }) },
);

const validate = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true }).compile(exportedTemplate);

/** Says that a template has the documented structure. */
export function expectTemplate(value: unknown): void {
  const fits = validate(value);
  expect({ fits, errors: validate.errors }).toEqual({ fits: true, errors: null });
}
