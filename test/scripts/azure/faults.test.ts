import { afterAll, beforeAll, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { installGroup, twoAzureRequests } from "../../helpers/azure-package.ts";
import { expectTheSameEnd } from "../faults.ts";
import { faultyAzure } from "./faults.ts";

// A request with a custom role: a second one would add no other kind of call.
const requests = twoAzureRequests.slice(0, 1);

let az: StubAz;
let cloud: ReturnType<typeof faultyAzure>;
let out: string;
let applied: State;
beforeAll(async () => {
  az = await StubAz.start();
  cloud = faultyAzure(az);
  out = exportedAzure({}, requests);
});
afterAll(() => az?.stop());

it("apply.sh leads to the same tenant wherever it is interrupted", () => {
  applied = expectTheSameEnd(cloud, { out, script: "apply.sh", seed: {} });
  expect(Object.keys(applied.identities)).toHaveLength(1);
  expect(Object.keys(applied.assignments)).toHaveLength(1);
});

it("apply.sh uploads with a key of the storage account wherever it is interrupted", () => {
  const goal = structuredClone(applied);
  for (const { properties } of Object.values(goal.accounts)) properties.allowSharedKeyAccess = true;
  const seed = structuredClone(goal);
  for (const { containers } of Object.values(seed.accounts)) {
    for (const container of Object.values(containers)) container.blobs = {};
  }
  const withKey = exportedAzure({ issuerHosting: { type: "BlobPublic", uploadAuth: "key" } }, requests);
  expect(expectTheSameEnd(cloud, { out: withKey, script: "apply.sh", seed: seed as Seed })).toEqual(goal);
});

it("destroy.sh leads to the same tenant wherever it is interrupted, and apply.sh restores it from there", () => {
  const goal = expectTheSameEnd(cloud, { out, script: "destroy.sh", flags: ["--yes"], seed: applied as Seed });
  expect(goal).toMatchObject({ accounts: {}, identities: {}, definitions: {}, assignments: {} });
  expect(Object.values(goal.groups).map(({ id }) => id)).toEqual([installGroup]);

  az.reset(goal as Seed);
  expect(new AzureAdministrator(az, out).apply()).toMatchObject({ status: 0, stderr: "" });
  expect(az.state()).toEqual(applied);
});

it("apply.sh repeats every call that Azure refuses for a moment, and continues when a policy or a lacking role is gone", () => {
  const one = new AzureAdministrator(az, out);
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
