import { afterAll, beforeAll, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";

import { AzureCloud } from "./azure-cloud.ts";
import { apply, destroy, differences, exportedFiles, usual } from "./azure-engine.ts";

let cloud: AzureCloud;

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
});
afterAll(() => cloud.stop());

// A container is removed alone only with a previous issuer.
const ofPrevious = "Microsoft.Storage/storageAccounts/blobServices/containers/delete";

it.each(["login", "key"] as const)(
  "the role of the administrator has exactly the permissions that are used: upload with %s",
  async (uploadAuth) => {
    const files = exportedFiles({ issuerHosting: { type: "BlobPublic", uploadAuth } });
    const role = JSON.parse(files.get("azure/admin-role.json") ?? "") as { Actions: string[]; DataActions: string[] };
    cloud.reset({}, { permissions: role.Actions, dataPermissions: role.DataActions });
    expect((await apply(cloud, files)).failed).toEqual([]);
    // Documents that are not public yet are read with credentials.
    for (const account of Object.values(cloud.state.accounts)) account.properties.allowBlobPublicAccess = false;
    expect(await differences(cloud, files)).toEqual([expect.stringContaining("update storage account")]);
    const [identity] = Object.values(cloud.state.identities);
    Object.assign(identity?.credentials ?? {}, {
      old: { issuer: "https://old.example", subject: "s", audiences: ["a"] },
    });
    expect((await apply(cloud, files, { ...usual, prune: true })).failed).toEqual([]);
    expect((await destroy(cloud, files)).failed).toEqual([]);
    expect([...cloud.world.used].sort()).toEqual(
      [...role.Actions, ...role.DataActions].filter((one) => one !== ofPrevious).sort(),
    );
  },
);
