import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import type { Seed } from "../helpers/arm/types.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { apply, destroy, differences, exportedFiles, usual } from "./azure-engine.ts";
import { tryAll } from "./strange-answers.ts";
import { type Asked, strangeHttp } from "./strange-http-answers.ts";

vi.setConfig({ testTimeout: 900_000 });

let cloud: AzureCloud;
let files: Map<string, string>;
let healthy: Seed;
const prune = { ...usual, prune: true };

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  // With the key of the account, the key is read, too.
  files = exportedFiles({ issuerHosting: { type: "BlobPublic", uploadAuth: "key" } }, [
    {
      namespace: "openshift-image-registry",
      secret: "installer-cloud-credentials",
      serviceAccounts: ["registry"],
      permissions: ["Microsoft.Storage/storageAccounts/read"],
    },
  ]);
  expect((await apply(cloud, files)).failed).toEqual([]);
  healthy = structuredClone(cloud.state);
});
afterAll(() => cloud.stop());

/** A request without the names of resources: `GET subscriptions/{}/resourceGroups/{}`. */
function callOf({ method, url }: Asked): string {
  const { pathname, searchParams } = new URL(url, "http://x");
  if (!pathname.startsWith("/subscriptions/"))
    return `${method} blob ${searchParams.get("comp") ?? pathname.split("/").slice(3).join("/")}`;
  const parts = pathname.slice(1).split("/");
  const shown = parts.map((part, index) => (index % 2 === 0 || parts[index - 1] === "providers" ? part : "{}"));
  return `${method} ${shown.join("/")}`;
}

const run = () => apply(cloud, files, prune);

const destroyAll = () => destroy(cloud, files);

const reset = (seed: () => Seed) => () => cloud.reset(structuredClone(seed()));
/** The same page again: by a link, or by a marker in XML. */
function endless(url: string, body: string): string | undefined {
  if (body.startsWith('{"value":[')) return body.replace(/\}$/, `,"nextLink":"${cloud.world.address}${url}"}`);
  return body.includes("<NextMarker />") ? body.replace("<NextMarker />", "<NextMarker>again</NextMarker>") : undefined;
}

const base = () => ({ ...strangeHttp({ cloud, callOf, endless }), wrong: () => differences(cloud, files) });

it("a reading that says nothing is not known", async () => {
  const calls = await tryAll({ ...base(), run, start: reset(() => healthy) }, "reads", "unknown");
  expect(calls).toMatchInlineSnapshot(`
    [
      "GET blob .well-known/openid-configuration",
      "GET blob openid/v1/jwks",
      "GET subscriptions/{}",
      "GET subscriptions/{}/providers/Microsoft.Authorization/permissions",
      "GET subscriptions/{}/providers/Microsoft.Authorization/roleAssignments",
      "GET subscriptions/{}/providers/Microsoft.Authorization/roleDefinitions",
      "GET subscriptions/{}/resourceGroups/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}/federatedIdentityCredentials",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/blobServices/{}/containers/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/managementPolicies/{}",
    ]
  `);
});

it("a write whose answer says nothing counts only if a reading shows it", async () => {
  const trial = { ...base(), run, start: reset(() => ({})) };
  const calls = await tryAll(trial, "writes", "no false success");
  expect(calls).toMatchInlineSnapshot(`
    [
      "PUT blob .well-known/openid-configuration",
      "PUT blob openid/v1/jwks",
      "PUT subscriptions/{}/providers/Microsoft.Authorization/roleDefinitions/{}",
      "PUT subscriptions/{}/resourceGroups/{}",
      "PUT subscriptions/{}/resourceGroups/{}/providers/Microsoft.Authorization/roleAssignments/{}",
      "PUT subscriptions/{}/resourceGroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}",
      "PUT subscriptions/{}/resourceGroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}/federatedIdentityCredentials/{}",
      "PUT subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}",
      "PUT subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/blobServices/{}/containers/{}",
    ]
  `);
});

it("a change whose answer says nothing counts only if a reading shows it", async () => {
  const changed = () => {
    const seed = structuredClone(healthy);
    for (const one of Object.values(seed.accounts ?? {})) {
      if (one.properties) one.properties["allowBlobPublicAccess"] = false;
      for (const container of Object.values(one.containers ?? {})) container.publicAccess = "None";
    }
    for (const one of Object.values(seed.definitions ?? {})) one.permissions = [{ actions: ["*"] }];
    for (const one of Object.values(seed.identities ?? {}))
      for (const credential of Object.values(one.credentials ?? {})) credential.audiences = ["other"];
    return seed;
  };
  const trial = { ...base(), run, start: reset(changed) };
  const calls = await tryAll(trial, "writes", "no false success");
  expect(calls).toMatchInlineSnapshot(`
    [
      "PATCH subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}",
      "PATCH subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/blobServices/{}/containers/{}",
      "PUT subscriptions/{}/providers/Microsoft.Authorization/roleDefinitions/{}",
      "PUT subscriptions/{}/resourcegroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}/federatedIdentityCredentials/{}",
    ]
  `);
});

it("a removal counts only if a reading shows it", async () => {
  const wrong = async () => {
    const { state } = cloud;
    const left = [state.groups, state.accounts, state.identities, state.definitions, state.assignments];
    return left.flatMap((one) => Object.keys(one));
  };
  const trial = { ...base(), run: destroyAll, wrong, start: reset(() => healthy) };
  const reads = await tryAll(trial, "reads", "no false success");
  expect(reads).toMatchInlineSnapshot(`
    [
      "GET blob .well-known/openid-configuration",
      "GET blob list",
      "GET blob openid/v1/jwks",
      "GET subscriptions/{}",
      "GET subscriptions/{}/providers/Microsoft.Authorization/permissions",
      "GET subscriptions/{}/providers/Microsoft.Authorization/roleAssignments",
      "GET subscriptions/{}/providers/Microsoft.Authorization/roleDefinitions",
      "GET subscriptions/{}/providers/Microsoft.Authorization/roleDefinitions/{}",
      "GET subscriptions/{}/resourceGroups/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Authorization/roleAssignments/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}/federatedIdentityCredentials",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/blobServices/{}/containers",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/blobServices/{}/containers/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/fileServices/{}/shares",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/managementPolicies/{}",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/queueServices/{}/queues",
      "GET subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/tableServices/{}/tables",
      "GET subscriptions/{}/resourceGroups/{}/resources",
      "GET subscriptions/{}/resourcegroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}/federatedIdentityCredentials",
      "POST subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}/listKeys",
    ]
  `);
  const writes = await tryAll(trial, "writes", "no false success");
  expect(writes).toMatchInlineSnapshot(`
    [
      "DELETE subscriptions/{}/providers/Microsoft.Authorization/roleDefinitions/{}",
      "DELETE subscriptions/{}/resourceGroups/{}",
      "DELETE subscriptions/{}/resourceGroups/{}/providers/Microsoft.Authorization/roleAssignments/{}",
      "DELETE subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}",
      "DELETE subscriptions/{}/resourcegroups/{}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{}",
    ]
  `);
});
