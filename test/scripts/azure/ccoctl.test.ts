import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Seed, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { installGroup, oidcGroup, subscription, twoAzureRequests } from "../../helpers/azure-package.ts";

let az: StubAz;
beforeAll(async () => {
  az = await StubAz.start();
});
afterAll(() => az?.stop());

const tags = { "openshift.io_cloud-credential-operator_demo": "owned" };
const identity = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo-openshift-image-registry-installer-cloud-credentials`;
const role = "12345678-0000-4000-8000-000000000001";
const assignment = `${installGroup}/providers/Microsoft.Authorization/roleAssignments/12345678-0000-4000-8000-000000000002`;
const principalId = "99999999-0000-4000-8000-000000000001";
const issuer = "https://demo.blob.core.windows.net/demo";
const subject = "system:serviceaccount:openshift-image-registry:cluster-image-registry-operator";

/** What `ccoctl azure create-all` leaves in a subscription, for one request. */
const byCcoctl: Seed = {
  groups: { [oidcGroup]: { tags }, [installGroup]: { tags } },
  accounts: {
    demo: {
      tags,
      properties: { allowBlobPublicAccess: true, minimumTlsVersion: "TLS1_0", supportsHttpsTrafficOnly: true },
      containers: {
        demo: {
          publicAccess: "Container",
          blobs: {
            ".well-known/openid-configuration": { body: "{}", contentType: "application/octet-stream", changes: 1 },
            "openid/v1/jwks": { body: "{}", contentType: "application/octet-stream", changes: 1 },
          },
        },
      },
    },
  },
  identities: {
    [identity]: {
      ...{ tags, principalId },
      credentials: { "cluster-image-registry-operator": { issuer, subject, audiences: ["openshift"] } },
    },
  },
  definitions: {
    [role]: {
      roleName: "demo-openshift-image-registry-installer-cloud-credentials",
      description: "Custom role for OpenShift. Owned by: demo",
      permissions: [{ actions: ["Microsoft.Storage/storageAccounts/read"] }],
      assignableScopes: [`/subscriptions/${subscription}`],
    },
  },
  assignments: { [assignment]: { role, principalId } },
};

it("apply.sh takes over what ccoctl made: the same identity, credential, role and assignment", () => {
  const azure = {
    issuerHosting: { type: "BlobPublic", storageAccount: "demo" },
    overrides: { "openshift-image-registry/installer-cloud-credentials": { roleDefinitionID: role } },
  };
  const one = new AzureAdministrator(az, exportedAzure(azure, twoAzureRequests.slice(0, 1)));
  az.reset(byCcoctl);
  const before = az.state();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  const { accounts, definitions, ...rest } = az.state();
  const { accounts: _, definitions: _before, ...restBefore } = before;
  expect(rest).toEqual(restBefore);
  const body = (name: string) => readFileSync(join(one.out, "azure/issuer", name), "utf8");
  expect(accounts).toMatchObject({
    demo: {
      properties: { allowBlobPublicAccess: true, allowSharedKeyAccess: false, minimumTlsVersion: "TLS1_2" },
      containers: {
        demo: {
          publicAccess: "Blob",
          blobs: {
            ".well-known/openid-configuration": { body: body("openid-configuration"), contentType: "application/json" },
            "openid/v1/jwks": { body: body("keys.json"), contentType: "application/json" },
          },
        },
      },
    },
  });
  expect(definitions[role]?.permissions).toMatchObject([{ actions: twoAzureRequests[0]?.permissions }]);
  expect(one.status()).toMatchObject({ status: 0, stderr: "" });
});
