import { afterAll, beforeAll, expect, it } from "vitest";
import { type Call, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { twoAzureRequests } from "../../helpers/azure-package.ts";
import { expectTheSameEnd } from "./faults.ts";

let az: StubAz;
beforeAll(async () => {
  az = await StubAz.start();
});
afterAll(() => az?.stop());

// A request with a custom role: a second one would add no other kind of call.
const requests = twoAzureRequests.slice(0, 1);

it("apply.sh leads to the same tenant wherever it was interrupted", () => {
  const goal = expectTheSameEnd(az, { out: exportedAzure({}, requests), script: "apply.sh" });
  expect(Object.keys(goal.identities)).toHaveLength(1);
  expect(Object.keys(goal.assignments)).toHaveLength(1);
});

it("also where it uses a key of the storage account", () => {
  const out = exportedAzure({ issuerHosting: { type: "BlobPublic", uploadAuth: "key" } }, requests);
  const at = ({ command, path }: Call) => command !== "rest" || path.endsWith("/listKeys");
  expectTheSameEnd(az, { out, script: "apply.sh", at });
});

it("apply.sh repeats every call that Azure refuses for a moment, and continues when a policy or a lacking role is gone", () => {
  const one = new AzureAdministrator(az, exportedAzure({}, requests));
  az.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  const applied = az.state();
  az.reset();
  for (let call = 2; call < 100; call += 2) az.failAt(call, call % 4 === 0 ? "throttled" : "unavailable");
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  expect(az.state()).toEqual(applied);

  az.reset();
  az.settings({ publicBlobs: "denied" });
  expect(one.apply()).toMatchObject({ status: 1, stderr: expect.stringContaining("RequestDisallowedByPolicy") });
  expect(az.state()).toMatchObject({ accounts: {}, identities: {}, definitions: {} });
  az.settings({ publicBlobs: "allowed", dataPermissions: [] });
  expect(one.apply()).toMatchObject({ status: 1, stderr: expect.stringContaining("Nothing was changed") });
  az.settings({ dataPermissions: ["*"] });
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  expect(az.state()).toEqual(applied);
});
