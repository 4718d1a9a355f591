import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { installGroup, subscription, twoAzureRequests } from "../../helpers/azure-package.ts";

const otherSubscription = "33333333-3333-3333-3333-333333333333";
const network = `/subscriptions/${otherSubscription}/resourceGroups/network`;
const stranger = "99999999-0000-4000-8000-000000000001";
const lost = "12345678-0000-4000-8000-000000000009";

let az: StubAz;
let one: AzureAdministrator;
let applied: State;
beforeAll(async () => {
  az = await StubAz.start();
  const out = exportedAzure({ networkResourceGroup: network }, twoAzureRequests.slice(0, 1));
  one = new AzureAdministrator(az, out);
  az.reset({ subscriptions: [subscription, otherSubscription], groups: { [network]: {} } });
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = az.whole();
});
afterAll(() => az?.stop());

function started(edit: (state: State) => void): void {
  const state = structuredClone(applied);
  edit(state);
  az.reset(state as Seed);
}
const only = <T>(map: Record<string, T>): T => Object.values(map)[0] as T;
const changing = () => az.calls().filter(({ changes }) => changes);
const linesWith = (stdout: string, part: string) => stdout.split("\n").filter((line) => line.includes(part));

describe("before anything is written", () => {
  it("a group that is being deleted is an error", () => {
    az.reset({ subscriptions: [subscription, otherSubscription], groups: { [installGroup]: { deleting: 99 } } });
    const { status, stderr } = one.apply();
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/the resource group demo is being deleted.*Nothing was changed$/m),
    });
    expect(changing()).toEqual([]);
  });

  it("nobody is told to delete an account of others in another location", () => {
    started((state) => Object.assign(only(state.accounts), { location: "westus", tags: {} }));
    const { status, stdout, stderr } = one.apply();
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toMatch(/^refused +storage account .*without the owner tag/m);
    expect(changing()).toEqual([]);
  });
});

it("what Azure cannot change is reported once", () => {
  started((state) => Object.assign(only(state.accounts), { location: "westus" }));
  expect(linesWith(one.status().stdout, "its location is westus")).toHaveLength(1);
});

it("a role that two subscriptions list is one role", () => {
  started((state) => {
    state.definitions[lost] = { ...only(state.definitions), roleName: "demo-lost" };
  });
  const { stdout } = one.apply("--prune");
  expect(linesWith(stdout, "demo-lost")).toHaveLength(1);
  expect(stdout).toMatch(/^1 change made/m);
});

it("--prune removes a role together with its last assignment", () => {
  started((state) => {
    state.definitions[lost] = { ...only(state.definitions), roleName: "demo-lost" };
    const { principalId } = only(state.identities);
    const assignment = { scope: installGroup, name: lost, role: lost, principalId, principalType: "ServicePrincipal" };
    state.assignments[`${installGroup}/providers/microsoft.authorization/roleassignments/${lost}`.toLowerCase()] =
      assignment;
  });
  expect(one.apply("--prune", "--dry-run").stdout).toMatch(/^2 changes would be made/m);
  expect(one.apply("--prune").stdout).toMatch(/^2 changes made/m);
  expect(one.apply("--prune").stdout).toMatch(/^No changes/m);
  expect(az.whole().definitions).toEqual(applied.definitions);
});

it("an assignment that is refused is not reported as created", () => {
  started((state) => Object.assign(only(state.assignments), { role: lost, principalId: stranger }));
  const { status, stdout } = one.apply();
  expect(status).toBe(1);
  expect(stdout).toMatch(/^refused +managed identity .* which another role assignment has$/m);
  expect(linesWith(stdout, "created")).toEqual([]);
  expect(changing()).toEqual([]);
});

it("destroy.sh frees no name that an identity of others trusts", () => {
  const id = only(applied.identities).id.replace(/[^/]+$/, "Team");
  started((state) => {
    const { credentials } = only(state.identities);
    state.identities[id.toLowerCase()] = {
      ...only(state.identities),
      id,
      tags: {},
      principalId: stranger,
      credentials,
    };
  });
  const dry = one.destroy("--dry-run");
  const { status, stdout } = one.destroy("--yes");
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^kept +storage account .*: the managed identity team, .* trusts its issuer$/m),
  });
  expect(linesWith(dry.stdout, "kept")).toEqual(linesWith(stdout, "kept"));
  expect(az.whole().accounts).toEqual(applied.accounts);
  expect(Object.keys(az.whole().identities)).toEqual([id.toLowerCase()]);
  started(({ identities }) => {
    identities[id.toLowerCase()] = { ...only(identities), id, tags: {}, principalId: stranger, credentials: {} };
  });
  expect(one.destroy("--yes").status).toBe(0);
  expect(az.whole().accounts).toEqual({});
});
