import { afterAll, beforeAll, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { subscription, twoAzureRequests } from "../../helpers/azure-package.ts";

let az: StubAz;
let one: AzureAdministrator;
let applied: State;
beforeAll(async () => {
  az = await StubAz.start();
  one = new AzureAdministrator(az, exportedAzure({}, twoAzureRequests.slice(0, 1)));
  az.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = az.state();
});
afterAll(() => az?.stop());

const other = "33333333-3333-4333-8333-333333333333";

it("the output is JSON for programs, also of an error", () => {
  az.reset({ tenant: other });
  const { status, stdout } = one.status("-o", "json");
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ status: "failed", error: expect.stringContaining(other) });
  az.reset();
  expect(JSON.parse(one.status("-o", "json").stdout)).toMatchObject({ account: subscription, status: "differs" });
});

it("the output contains nothing that a terminal would interpret", () => {
  const state = structuredClone(applied);
  for (const identity of Object.values(state.identities)) identity.tags["x"] = "\u001b[31mred\nnext";
  for (const role of Object.values(state.definitions)) role.permissions[0].actions.push("A/\u001b]0;title\u0007");
  az.reset(state as Seed);
  const { stdout, stderr } = one.status();
  expect(`${stdout}${stderr}`).toMatch(/^[\n -~]*$/);
  expect(stdout).toContain("permissions");
});

it("says what is missing if there is no az", () => {
  const { status, stderr } = new AzureAdministrator(az, one.out, { PATH: "/nowhere" }).status();
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/\baz\b|not found/);
});
