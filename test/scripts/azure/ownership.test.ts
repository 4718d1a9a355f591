import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { installGroup, oidcGroup, twoAzureRequests } from "../../helpers/azure-package.ts";

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

type Edit = (state: State) => void;
function started(...edits: readonly Edit[]): State {
  const state = structuredClone(applied);
  for (const edit of edits) edit(state);
  az.reset(state as Seed);
  return az.state();
}
const only = <T>(map: Record<string, T>): T => Object.values(map)[0] as T;
const changing = () => az.calls().filter(({ changes }) => changes);
const ownerTag = "openshift.io_cloud-credential-operator_demo";
const tags = (owner: string | undefined) => (owner === undefined ? {} : { [ownerTag.replace("demo", owner)]: "owned" });
const described = (owner: string | undefined) =>
  owner === undefined ? "" : `Custom role for OpenShift. Owned by: ${owner}`;
const identityName = "demo-openshift-image-registry-installer-cloud-credentials";

/** How each resource shows its owner, and what else must differ so that there is something to do. */
const owned: readonly (readonly [string, () => string, (state: State, owner: string | undefined) => void])[] = [
  [
    "storage account",
    () => Object.keys(applied.accounts)[0] ?? "",
    (state, owner) => {
      only(state.accounts).tags = tags(owner);
      only(state.accounts).properties.minimumTlsVersion = "TLS1_0";
    },
  ],
  [
    "managed identity",
    () => identityName,
    (state, owner) => {
      only(state.identities).tags = tags(owner);
      only(state.identities).credentials = {};
    },
  ],
  [
    "role",
    () => identityName,
    (state, owner) => {
      only(state.definitions).description = described(owner);
      only(state.definitions).permissions = [{ actions: ["*/read"] }];
    },
  ],
];

describe.each(owned)("a %s", (what, name, edit) => {
  it("without an owner is only taken with --adopt", () => {
    const before = started((state) => edit(state, undefined));
    const refused = one.apply();
    expect(refused.status).toBe(1);
    expect(refused.stdout).toMatch(new RegExp(`^refused +${what} .*apply\\.sh --adopt ${name()}$`, "m"));
    expect(az.state()).toEqual(before);
    expect(one.status().status).toBe(2);
    expect(changing()).toEqual([]);
    expect(one.apply("--adopt", name())).toMatchObject({ status: 0, stderr: "" });
    expect(az.state()).toEqual(applied);
  });

  it("of another prefix is never taken, and destroy.sh keeps it", () => {
    const before = started((state) => edit(state, "other"));
    const refused = one.apply("--adopt", name(), "--prune");
    expect(refused.status).toBe(1);
    expect(refused.stdout).toMatch(new RegExp(`^refused +${what} .*cannot be adopted$`, "m"));
    expect(az.state()).toEqual(before);
    const destroyed = one.destroy("--yes");
    const map = { "storage account": "accounts", "managed identity": "identities", role: "definitions" }[what];
    const left = az.state()[map as "accounts"];
    expect(left, `${destroyed.stdout}${destroyed.stderr}`).toEqual(before[map as "accounts"]);
  });
});

it("a role of ccoctl is used when the configuration names it", () => {
  const random = "12345678-0000-4000-8000-000000000005";
  const { description, permissions, assignableScopes } = only(applied.definitions);
  const definitions = { [random]: { roleName: identityName, description, permissions, assignableScopes } };
  az.reset({ definitions });
  const { status, stdout } = one.apply();
  expect(status).toBe(1);
  expect(stdout).toMatch(new RegExp(`^refused .*'roleDefinitionID: ${random}'`, "m"));
  expect(az.state().definitions).toMatchObject(definitions);
  const overrides = { "openshift-image-registry/installer-cloud-credentials": { roleDefinitionID: random } };
  const adopting = new AzureAdministrator(az, exportedAzure({ overrides }, twoAzureRequests.slice(0, 1)));
  expect(adopting.apply()).toMatchObject({ status: 0, stderr: "" });
  expect(Object.keys(az.state().definitions)).toEqual([random]);
  expect(Object.values(az.state().assignments).map(({ role }) => role)).toEqual([random]);
});

describe("destroy.sh", () => {
  it("keeps the name of the account while an identity of the package may trust it", () => {
    started();
    one.destroy("--dry-run");
    expect(changing()).toEqual([]);
    az.forgetCalls();
    one.destroy("--yes");
    const calls = az.calls();
    const index = calls.findIndex(
      ({ method, path }) => method === "DELETE" && /userAssignedIdentities\/[^/]+$/.test(path),
    );
    const account = calls.findIndex(({ method, path }) => method === "DELETE" && /storageAccounts\/[^/]+$/.test(path));
    expect(account).toBeGreaterThan(index);
    started();
    az.failAt(index + 1, "refused");
    const { status, stderr } = one.destroy("--yes");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: az rest --method delete --url .*userAssignedIdentities/m);
    expect(az.state().accounts).toEqual(applied.accounts);
  });

  it("keeps an account and a group with what others have in them, and who else is assigned the role", () => {
    const principal = "99999999-0000-4000-8000-000000000001";
    started((state) => {
      only(state.accounts).containers["team"] = { publicAccess: "None", blobs: {} };
      only(state.groups).others = [`${oidcGroup}/providers/Microsoft.Network/virtualNetworks/team`];
      const assignment = only(state.assignments);
      const name = "12345678-0000-4000-8000-000000000007";
      const id = `${assignment.scope.toLowerCase()}/providers/microsoft.authorization/roleassignments/${name}`;
      state.assignments[id] = { ...assignment, name, principalId: principal };
    });
    const done = one.destroy("--yes");
    const left = az.state();
    expect(done.stdout).toMatch(/^kept +storage account .*it has the container team/m);
    expect(left.accounts).toMatchObject({ [Object.keys(applied.accounts)[0] ?? ""]: { containers: { team: {} } } });
    expect(left.identities).toEqual({});
    expect(Object.values(left.assignments).map(({ principalId }) => principalId)).toEqual([principal]);
    expect(Object.values(left.definitions)).toHaveLength(1);
    expect(
      Object.values(left.groups)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([installGroup, oidcGroup].sort());
  });

  it("goes on when the resource group of the cluster is gone", () => {
    started((state) => {
      delete state.groups[installGroup.toLowerCase()];
      state.assignments = {};
    });
    expect(one.destroy("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(az.state()).toMatchObject({ accounts: {}, identities: {}, definitions: {}, groups: {} });
  });

  it("never deletes a group that it did not create", () => {
    started((state) => {
      for (const group of Object.values(state.groups)) group.tags = {};
    });
    expect(one.destroy("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(Object.keys(az.state().groups)).toHaveLength(2);
  });
});
