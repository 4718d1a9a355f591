import { expect, it } from "vitest";
import { explainJson, explainMarkdown } from "../../../src/cli/explain/explain-output.ts";
import { explainText } from "../../../src/cli/explain/explain-text.ts";
import type { Explained } from "../../../src/cli/explain/explained.ts";
import { azureInspector as azure } from "../../../src/clouds/azure/inspector.ts";
import { readManagedIdentity } from "../../../src/clouds/azure/rendered/rendered.ts";
import type { Value } from "../../../src/core/resource.ts";
import { expectFits } from "../../helpers/schema.ts";

const subscription = "/subscriptions/11111111-1111-4111-8111-111111111111";
const id = `${subscription}/resourceGroups/demo-oidc/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo`;
const role = "99999999-9999-5999-8999-999999999999";
const assignment = (guid: string, definition: string): Record<string, Value> => ({
  [`role-assignment-${guid}.json`]: {
    url: `${subscription}/resourceGroups/demo/providers/Microsoft.Authorization/roleAssignments/${guid}?api-version=2022-04-01`,
    body: { properties: { roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${definition}` } },
  },
});
const properties = {
  issuer: "https://demo.blob.core.windows.net/demo",
  subject: "system:serviceaccount:ns:one",
  audiences: ["openshift"],
};
const permission = {
  actions: ["M.C/disks/*", "M.N/read"],
  notActions: ["M.C/disks/delete"],
  dataActions: ["M.S/blobs/read"],
  notDataActions: [],
};
const files: Record<string, Value> = {
  "identity.json": { secret: "ns/secret" },
  "managed-identity.json": { url: `${id}?api-version=2023-01-31`, body: {} },
  "federated-credential-one.json": { url: "", body: { properties } },
  "role-definition.json": {
    url: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}?api-version=2022-04-01`,
    body: { properties: { permissions: [permission] } },
  },
  ...assignment("10000000-0000-5000-8000-000000000000", "acdd72a7-3385-48ef-bd42-f606fba81ae7"),
  ...assignment("20000000-0000-5000-8000-000000000000", role),
};
const texts = new Map(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]));
const identity = readManagedIdentity({ directory: "azure/identities/ns-secret", resource: undefined, files: texts });
const explained = (ids: readonly (readonly [string, string])[]): Explained => ({
  identities: [identity],
  noun: "managed identity",
  boundaries: undefined,
  reach: new Map(),
  escalations: new Map(),
  serviceOf: azure.serviceOf,
  account: "11111111-1111-4111-8111-111111111111",
  assigned: { noun: "client ID", ids: new Map(ids) },
});

it("a managed identity is explained with its client ID, its subjects, its roles and actions, and their scopes", () => {
  const group = `${subscription}/resourceGroups/demo`;
  const lines = explainText(explained([["ns/secret", "33333333-3333-4333-8333-333333333333"]]), 200);
  expect(lines.map((line) => line.replace(/ {2,}/g, " ").trim())).toEqual([
    "ns/secret",
    `Managed identity: ${id}`,
    "Client ID: 33333333-3333-4333-8333-333333333333",
    "Who: ns/one",
    "with tokens of https://demo.blob.core.windows.net/demo for the audience openshift",
    "Allows: M.C permission: M.C/disks/* (except M.C/disks/delete)",
    "M.N permission: M.N/read",
    `on ${group}`,
    "M.S data permission: M.S/blobs/read",
    `on ${group}`,
    "role: Reader",
    `on ${group}`,
    "Escalation: none known",
    "Reach: none known beyond the cluster",
  ]);
  expect(explainText(explained([]), 200).join("\n")).toMatch(/Client ID: +not in the package yet/);
  expect(explainMarkdown(explained([])).join("\n")).toContain("- Client ID: not in the package yet");
});

it("the explanation for programs has the client ID, or null", () => {
  for (const [ids, expected] of [
    [[["ns/secret", "x"]], "x"],
    [[], null],
  ] as const) {
    const json = explainJson(explained(ids));
    expectFits("explain", JSON.stringify(json));
    expect(json).toMatchObject({ identities: [{ kind: "managed identity", id, assignedId: expected }] });
  }
});
