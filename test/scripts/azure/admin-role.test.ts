import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { oidcGroup, subscription } from "../../helpers/azure-package.ts";
import { publicKey } from "../../helpers/cluster.ts";
import type { Fields } from "../../helpers/cluster-package.ts";

let az: StubAz;
beforeAll(async () => {
  az = await StubAz.start();
});
afterAll(() => az?.stop());

const other = "44444444-4444-4444-8444-444444444444";
const dns = `/subscriptions/${other}/resourceGroups/dns`;
const owned = { "openshift.io_cloud-credential-operator_demo": "owned" };
const description = "Custom role for OpenShift. Owned by: demo";
const former = "formeraccount";

interface Allowed {
  readonly Actions: readonly string[];
  readonly DataActions: readonly string[];
  readonly AssignableScopes: readonly string[];
}

/** The scripts of a package, whose caller has only the package's own role. */
function withOwnRole(azure: Fields, issuer: Fields = {}) {
  const spec = { issuer: { signingKeys: [{ publicKey }], ...issuer } };
  const one = new AzureAdministrator(az, exportedAzure(azure, undefined, spec));
  const role = one.json("admin-role.json") as unknown as Allowed;
  az.reset({ subscriptions: [subscription, other], groups: { [dns]: {} } });
  az.settings({ permissions: role.Actions, dataPermissions: role.DataActions });
  const run = (script: string, ...flags: string[]): State => {
    const { status, stdout, stderr } = one.run(script, flags);
    expect({ status, stderr }, `${script} ${flags.join(" ")}\n${stdout}`).toEqual({ status: 0, stderr: "" });
    return az.state();
  };
  return { role, run };
}

/**
 * Runs everything that the scripts can do for a package: nothing is refused, and the role contains what is needed, in
 * the subscriptions where it is needed.
 *
 * @param before what destroy.sh --previous requires.
 */
function expectExactlyEnough(azure: Fields, issuer: Fields, before: readonly string[] = []): void {
  const { role, run } = withOwnRole(azure, issuer);
  const applied = run("apply.sh");
  run("status.sh");
  leaveBehind();
  change(applied);
  const { accounts, ...pruned } = run("apply.sh", "--prune");
  // A previous issuer is still in use, until destroy.sh --previous.
  const { [former]: kept, ...own } = accounts;
  expect({ ...pruned, accounts: own }).toEqual(applied);
  expect(kept).toBeDefined();
  for (const name of Object.keys(own)) az.put(["accounts", name, "containers", "former"], { blobs: {} });
  run("destroy.sh", "--previous", ...before, "--yes");
  const gone = run("destroy.sh", "--yes");
  expect([gone.accounts, gone.identities, gone.definitions, gone.assignments]).toEqual([{}, {}, {}, {}]);
  // ccf apply needs more: test/apply/azure-admin-role.test.ts.
  expect([...role.Actions, ...role.DataActions]).toEqual(expect.arrayContaining(az.usedActions()));
  const scopes = az.calls().flatMap(({ path }) => /^\/subscriptions\/[^/]+/.exec(path) ?? []);
  expect(role.AssignableScopes).toEqual([...new Set(scopes)].sort());
}

/** Leaves resources of the prefix that the package does not contain. */
function leaveBehind(): void {
  const id = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo-former`;
  const none = { location: "eastus", tags: owned, hidden: 0, unready: 0 };
  const principalId = "cccccccc-0000-4000-8000-000000000001";
  const ids = { clientId: "dddddddd-0000-4000-8000-000000000001", principalId };
  az.put(["identities", id.toLowerCase()], { ...none, id, ...ids, credentials: {} });
  const role = "eeeeeeee-0000-5000-8000-000000000001";
  const permissions = [{ actions: ["Microsoft.Compute/disks/read"] }];
  const definition = { roleName: "demo-former", description, type: "CustomRole", permissions, hidden: 0 };
  az.put(["definitions", role], { ...definition, assignableScopes: [`/subscriptions/${subscription}`] });
  const name = "ffffffff-0000-5000-8000-000000000001";
  const assignment = { scope: oidcGroup, name, role, principalId, principalType: "ServicePrincipal" };
  az.put(
    ["assignments", `${oidcGroup}/providers/microsoft.authorization/roleassignments/${name}`.toLowerCase()],
    assignment,
  );
  const place = `${oidcGroup}/providers/Microsoft.Storage/storageAccounts/${former}`;
  const made = { id: place, kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {}, pending: 0 };
  az.put(["accounts", former], { ...made, location: "eastus", tags: owned, containers: {} });
}

/** Changes everything that the scripts compare. */
function change(applied: State): void {
  for (const [name, { containers }] of Object.entries(applied.accounts)) {
    az.put(["accounts", name, "properties", "minimumTlsVersion"], "TLS1_0");
    for (const container of Object.keys(containers))
      az.put(["accounts", name, "containers", container, "publicAccess"], "Container");
  }
  for (const [id, { credentials }] of Object.entries(applied.identities)) {
    az.put(["identities", id, "tags"], owned);
    const wrong = { issuer: "https://wrong.example.com", subject: "x", audiences: ["openshift"] };
    az.put(["identities", id, "credentials", Object.keys(credentials)[0] ?? ""], wrong);
  }
  for (const guid of Object.keys(applied.definitions)) az.put(["definitions", guid, "permissions"], []);
  for (const id of Object.keys(applied.assignments).slice(0, 1)) az.put(["assignments", id]);
}

const issuerOf = (account: string, container: string) => `https://${account}.blob.core.windows.net/${container}`;
const listKeys = "Microsoft.Storage/storageAccounts/listKeys/action";

describe("the role for the administrator contains the permissions that the scripts need", () => {
  it("with a storage account", () => {
    const azure = { issuerHosting: { storageAccount: "demoaccount" }, dnsZoneResourceGroup: dns };
    const previous = [issuerOf(former, "demo"), issuerOf("demoaccount", "former")];
    expectExactlyEnough(azure, { previous });
  }, 120_000);

  it("without a storage account, but with the one of the previous issuer", () => {
    const azure = { issuerHosting: { type: "External" }, networkResourceGroup: dns };
    const issuer = { previous: [issuerOf(former, "demo")], url: "https://oidc.example.com/demo" };
    expectExactlyEnough(azure, issuer, ["--documents-checked"]);
  }, 120_000);

  it("with a storage account whose key uploads the documents, and with the scopes of overrides", () => {
    const login = withOwnRole({}).role;
    const overrides = { "openshift-ingress-operator/cloud-credentials": { scopes: [dns] } };
    const { role, run } = withOwnRole({ issuerHosting: { uploadAuth: "key" }, overrides });
    run("apply.sh");
    expect(az.usedActions()).toContain(listKeys);
    expect(role.Actions).toEqual([...login.Actions, listKeys].sort());
    expect(role.DataActions).toEqual([]);
    expect(role.AssignableScopes).toEqual([`/subscriptions/${subscription}`, `/subscriptions/${other}`]);
  }, 120_000);
});
