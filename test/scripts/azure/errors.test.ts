import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Settings, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure, saidAzure } from "../../helpers/azure-administrator.ts";
import { installGroup, oidcGroup, subscription } from "../../helpers/azure-package.ts";

let az: StubAz;
let one: AzureAdministrator;
let applied: State;
beforeAll(async () => {
  az = await StubAz.start();
  one = new AzureAdministrator(az, exportedAzure());
  az.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = az.state();
});
afterAll(() => az?.stop());

const changing = () => az.calls().filter(({ changes }) => changes);
const account = (state: State) => Object.values(state.accounts)[0] as State["accounts"][string];
const registry = "demo-openshift-image-registry-installer-cloud-credentials";
const other = "99999999-0000-4000-8000-000000000001";
const nothingChanges = (...flags: string[]) => {
  const before = az.state();
  az.forgetCalls();
  const said = saidAzure(one.apply(...flags));
  expect(changing()).toEqual([]);
  expect(az.state()).toEqual(before);
  return said;
};

describe("nothing is changed", () => {
  it.each<[string, Partial<State>, RegExp]>([
    ["in another subscription", { subscription: other }, /for the subscription 9{8}-.*az account set --subscription 2/],
    ["in another tenant", { tenant: other }, /for the tenant 9{8}-.*az login --tenant 1/],
    ["in another cloud", { cloud: "AzureChinaCloud" }, /the cloud AzureChinaCloud.*az cloud set --name AzureCloud/],
  ])("%s", (_, state, message) => {
    az.reset({ ...applied, ...state, subscriptions: [subscription, other] });
    for (const script of ["apply.sh", "status.sh", "destroy.sh"]) {
      const { status, stderr } = one.run(script, script === "destroy.sh" ? ["--yes"] : []);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) });
    }
    expect(az.calls().map(({ command }) => command)).toEqual(Array(3).fill("account show"));
  });

  it("if Azure cannot change what differs", () => {
    const state = structuredClone(applied);
    account(state).location = "westus";
    az.reset(state);
    const { status, stderr } = nothingChanges();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: the storage account \w+ has the location westus, but the package has eastus/);
    expect(saidAzure(one.status()).lines.join("\n")).toMatch(/^refused +storage account \w+: its location is westus/m);
  });

  it("if the caller lacks the role for the upload", () => {
    const state = structuredClone(applied);
    for (const container of Object.values(account(state).containers)) container.blobs = {};
    az.reset(state);
    az.settings({ dataPermissions: [] });
    const { status, stderr } = nothingChanges();
    expect(status).toBe(1);
    expect(stderr).toContain('az role assignment create --role "Storage Blob Data Contributor" --assignee');
    expect(nothingChanges("--dry-run")).toMatchObject({ status: 2, stderr: "" });
    // Without documents to upload, the role is not needed.
    az.reset(applied);
    az.settings({ dataPermissions: [] });
    expect(nothingChanges()).toMatchObject({ status: 0, stderr: "" });
  });
});

it("what Azure refuses for a moment is repeated", () => {
  az.reset();
  az.settings({
    ...{ hiddenPrincipals: 3, hiddenDefinitions: 3, hiddenParents: 2, hiddenDataRoles: 3 },
    ...{ conflicts: 3, throttled: 3, pending: 3 },
  });
  const { status, stderr } = one.apply();
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^waiting for .* upload .*\n$/) });
  expect(az.state()).toEqual(applied);
  az.settings({ conflicts: 1000 });
  const state = structuredClone(applied);
  for (const identity of Object.values(state.identities)) identity.credentials = {};
  az.reset(state);
  az.settings({ conflicts: 1000 });
  const failed = one.apply();
  expect(failed.status).toBe(1);
  expect(failed.stderr).toMatch(/^error: az rest --method put .*ConcurrentFederatedIdentityCredentialsWrites/m);
});

describe("what is forbidden is explained", () => {
  it.each<[string, Partial<Settings>, RegExp]>([
    ["public blobs", { publicBlobs: "denied" }, /^note: a policy .*issuerHosting\.type to External/m],
    ["public blobs, without an error", { publicBlobs: "modified" }, /^error: Azure did not accept .*to External/m],
    ["everything", { permissions: ["*/read"] }, /^note: admin-role\.json/m],
  ])("%s", (_, settings, message) => {
    az.reset();
    az.settings(settings);
    const { status, stderr } = one.apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
  });

  it("a name that others have", () => {
    const id = `/subscriptions/${other}/resourceGroups/x/providers/Microsoft.Storage/storageAccounts/x`;
    const name = String(one.json("cluster.json")["storageAccount"]);
    az.reset({ accounts: { [name]: { id } } });
    const { status, stderr } = one.apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^note: the name \w+ is taken: .*issuerHosting\.storageAccount/m);
    expect(az.state()).toMatchObject({ identities: {}, definitions: {}, assignments: {} });
  });
});

describe("a custom role with the same name", () => {
  const description = "Custom role for OpenShift. Owned by: demo";
  it.each<[string, object, RegExp]>([
    [
      "of ccoctl is named",
      { description },
      /add 'roleDefinitionID: 9{8}-.*overrides for openshift-image-registry\/inst/,
    ],
    ["of others is refused", { description: "x" }, /another role has this name.*Set identityName/],
    [
      "that can be assigned elsewhere is refused",
      { description, assignableScopes: [`/subscriptions/${other}`, `/subscriptions/${subscription}`] },
      /another role has this name/,
    ],
  ])("%s", (_, definition, message) => {
    az.reset({ definitions: { [other]: { roleName: registry.toUpperCase(), permissions: [{}], ...definition } } });
    const { status, lines } = saidAzure(one.apply("--prune"));
    expect(status).toBe(1);
    expect(lines.filter((line) => line.startsWith("refused"))).toEqual([expect.stringMatching(message)]);
    const { definitions, assignments } = az.state();
    expect(Object.keys(definitions)).toEqual([other]);
    expect(Object.keys(assignments)).toHaveLength(1);
  });

  it("in another subscription is an error after some time", () => {
    const assignableScopes = [`/subscriptions/${other}`];
    az.reset({ definitions: { [other]: { roleName: registry, permissions: [{}], assignableScopes } } });
    const { status, stderr } = one.apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^note: another subscription of the tenant .*overrides for openshift-image-registry\/inst/m);
  });
});

describe("role assignments", () => {
  const role = "b24988ac-6180-42a0-ab88-20f7382dd24c";
  const under = "providers/Microsoft.Authorization/roleAssignments";
  const ingress = (state: State) =>
    Object.values(state.identities).find(({ id }) => id.includes("ingress")) as State["identities"][string];

  it("are right under any ID, and further ones stay unless --prune is given", () => {
    const state = structuredClone(applied);
    const { principalId } = ingress(state);
    for (const [key, found] of Object.entries(state.assignments))
      if (found.principalId === principalId) delete state.assignments[key];
    const add = (scope: string, name: string) => {
      const found = { scope, name, role, principalId, principalType: "ServicePrincipal" };
      state.assignments[`${scope}/${under}/${name}`.toLowerCase()] = found;
    };
    add(installGroup.replace("/demo", "/DEMO"), other);
    az.reset(state);
    expect(nothingChanges()).toMatchObject({ status: 0, stderr: "" });
    add(oidcGroup, `${other.slice(0, -1)}2`);
    az.reset(state);
    const said = nothingChanges();
    expect(said).toMatchObject({ status: 0, stderr: "" });
    expect(said.lines.at(-3)).toMatch(/^note .*demo-oidc is not in the package; --prune removes it$/);
    expect(saidAzure(one.status()).lines).toContainEqual(expect.stringMatching(/^extra .*demo-oidc: it is not in/));
    expect(saidAzure(one.apply("--prune")).lines).toContainEqual(expect.stringMatching(/^removed .*demo-oidc: it is/));
    expect(Object.keys(az.state().assignments)).toHaveLength(2);
  });

  it("of a group that no longer exists are gone", () => {
    const state = structuredClone(applied);
    delete state.groups[installGroup.toLowerCase()];
    az.reset({ ...state, definitions: {} });
    expect(one.destroy("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(az.state()).toMatchObject({ groups: {}, identities: {} });
  });
});
