import { afterAll, beforeAll, expect, it } from "vitest";
import { type Seed, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { installGroup, twoAzureRequests } from "../../helpers/azure-package.ts";
import { expectTheSameEnd } from "./faults.ts";

let az: StubAz;
beforeAll(async () => {
  az = await StubAz.start();
});
afterAll(() => az?.stop());

it("destroy.sh leads to the same tenant wherever it was interrupted, and apply.sh restores it from there", () => {
  const out = exportedAzure({}, twoAzureRequests.slice(0, 1));
  const one = new AzureAdministrator(az, out);
  az.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  const applied = az.state();

  const goal = expectTheSameEnd(az, { out, script: "destroy.sh", flags: ["--yes"], seed: applied as Seed });
  expect(goal).toMatchObject({ accounts: {}, identities: {}, definitions: {}, assignments: {} });
  expect(Object.values(goal.groups).map(({ id }) => id)).toEqual([installGroup]);

  az.reset(goal as Seed);
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  expect(az.state()).toEqual(applied);
});
