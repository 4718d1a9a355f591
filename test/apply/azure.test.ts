import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unexpected } from "../../src/apply/approval.ts";
import type { Options } from "../../src/apply/plan.ts";
import { planDestroy, planPrevious } from "../../src/apply/plan-destroy.ts";
import { pace } from "../../src/apply/requests.ts";

import { type Outcome, runPlan } from "../../src/apply/run.ts";
import { planJson } from "../../src/apply/show.ts";
import type { State, Value } from "../helpers/arm/types.ts";
import { installGroup, oidcGroup, subscription } from "../helpers/azure-package.ts";
import { signerKeyFile } from "../helpers/cluster-package.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { accountOf, apply, destroy, differences, exportedFiles, open, plan, usual } from "./azure-engine.ts";

const publicKey = readFileSync(signerKeyFile, "utf8");
let cloud: AzureCloud;
let files: Map<string, string>;
let healthy: State;
let account: string;

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  files = exportedFiles();
  account = accountOf(files);
  cloud.world.settings.pending = 0;
  expect((await apply(cloud, files)).failed).toEqual([]);
  healthy = structuredClone(cloud.state);
});
beforeEach(() => {
  cloud.reset();
  cloud.world.state = structuredClone(healthy);
});
afterAll(() => cloud.stop());

const ingress = "demo-openshift-ingress-operator-cloud-credentials";
const registry = "demo-openshift-image-registry-installer-cloud-credentials";
const idOf = (name: string) => `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const identity = (name: string): Value => cloud.state.identities[idOf(name).toLowerCase()];
const theAccount = (): Value => cloud.state.accounts[account];
const prune: Options = { ...usual, prune: true };
const problems = ({ failed }: Outcome) =>
  failed.map(({ step, problem }) => `${step.kind} ${step.name}: ${problem}`).join("\n");
const changes = () => cloud.received.filter((one) => one.changes).map(({ method }) => method);
const ownerTag = "openshift.io_cloud-credential-operator_demo";

describe("what is the package's", () => {
  it("is not a storage account without the owner tag, and then nothing that depends on it is done", async () => {
    theAccount().tags = {};
    for (const one of Object.keys(cloud.state.identities)) delete cloud.state.identities[one];
    const said = await differences(cloud, files);
    expect(said).toContainEqual(
      expect.stringContaining(`refuse storage account ${account} it exists without the owner mark`),
    );
    expect(said).toContainEqual(
      expect.stringContaining(
        `refuse managed identity ${ingress} storage account ${account}, which it needs, is refused`,
      ),
    );
    await apply(cloud, files, prune);
    expect(changes().filter((method) => method !== "DELETE")).toEqual([]);
    expect(theAccount().tags).toEqual({});
  });

  it("is adopted by name, keeps its other tags, and stays another prefix's", async () => {
    identity(ingress).tags = { team: "a" };
    expect((await apply(cloud, files, { ...usual, adopt: [`managed identity/${ingress}`] })).failed).toEqual([]);
    expect(identity(ingress).tags).toEqual({ team: "a", [ownerTag]: "owned" });
    identity(ingress).tags = { [`${ownerTag}-2`]: "owned" };
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringContaining(`refuse managed identity ${ingress} another resource prefix owns it`),
    );
    await apply(cloud, files, { ...prune, adopt: [`managed identity/${ingress}`] });
    expect(identity(ingress).tags).toEqual({ [`${ownerTag}-2`]: "owned" });
  });

  it("is read again before each write", async () => {
    identity(ingress).tags[ownerTag] = "owned";
    identity(ingress).tags["x"] = "y";
    delete identity(ingress).credentials[Object.keys(identity(ingress).credentials)[0] as string];
    const target = open(cloud, files);
    const made = await plan(target);
    expect(made.steps.filter(({ action }) => action === "create")).toHaveLength(1);
    identity(ingress).tags = {};
    const outcome = await runPlan(target, made, {
      isStopped: () => false,
      done: () => undefined,
      failed: () => undefined,
      waiting: () => undefined,
    });
    expect(outcome.done).toEqual([]);
    expect(changes()).toEqual([]);
  });

  it("is not another cluster of the same prefix: other keys, other issuers", async () => {
    theAccount().containers.demo.blobs["openid/v1/jwks"].body = '{"keys":[{"kid":"stranger"}]}';
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(/refuse document openid\/v1\/jwks none of the keys.*stranger.*--allow replace-key/),
    );
    expect((await apply(cloud, files, { ...usual, allow: ["replace-key"] })).failed).toEqual([]);
    for (const one of Object.values(identity(ingress).credentials) as Value[]) one.issuer = "https://stranger.example";
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(
        /refuse managed identity .*trusts only https:\/\/stranger\.example.*--allow replace-issuer/,
      ),
    );
    expect((await apply(cloud, files, { ...usual, allow: ["replace-issuer"] })).failed).toEqual([]);
  });
});

describe("what is not known", () => {
  it("leads to no removal: a list that the reader may not see whole", async () => {
    identity(ingress).credentials["extra-one"] = {
      issuer: "https://x.example",
      subject: "s",
      audiences: ["openshift"],
    };
    cloud.world.settings.permissions = ["Microsoft.*/read"]
      .concat(["Microsoft.ManagedIdentity/*"])
      .map((one) => one.replace("Microsoft.*/read", "*/read"));
    expect(await differences(cloud, files)).toContainEqual(expect.stringContaining("remove federated credential"));
    cloud.world.settings.permissions = [
      "Microsoft.Resources/*",
      "Microsoft.Storage/*",
      "Microsoft.ManagedIdentity/*",
      "Microsoft.Authorization/permissions/read",
      "Microsoft.Authorization/roleDefinitions/read",
    ];
    const said = await differences(cloud, files);
    expect(said).toContainEqual(
      expect.stringMatching(/unknown resources that are not in the package .*roleAssignments\/read/),
    );
    expect(said.filter((line) => line.startsWith("remove"))).toEqual([]);
    await apply(cloud, files, prune);
    expect(changes()).toEqual([]);
  });

  it("is an error that names the request, the code, and its cure: one identity cannot be read", async () => {
    cloud.world.settings.permissions = ["*/read", "Microsoft.ManagedIdentity/userAssignedIdentities/read"]
      .filter((one) => one !== "*/read")
      .concat(["Microsoft.Resources/*", "Microsoft.Storage/*", "Microsoft.Authorization/*"]);
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(
        /unknown federated credential .*GET http.*federatedIdentityCredentials: 403 AuthorizationFailed .*admin-role\.json/,
      ),
    );
  });

  it("is what everyone reads if nothing answers: no run stops, and no document is taken for read", async () => {
    cloud.isHidden = true;
    const { steps } = await plan(open(cloud, files));
    const different = steps.filter(({ action }) => action !== "none");
    expect(different.map(({ action, extra }) => [action, extra?.unread])).toEqual([
      ["keep", true],
      ["keep", true],
    ]);
    expect(different[0]?.reason).toMatch(/without credentials \(GET .*[^.]\); to omit this check, use --no-fetch$/);
    cloud.reset();
    cloud.isHidden = true;
    expect(problems(await apply(cloud, files))).toBe("");
    expect(Object.keys(cloud.state.identities)).toHaveLength(2);
  });

  it("is a list on several pages until all are read", async () => {
    cloud.world.settings.page = 1;
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("is another tenant and another subscription", async () => {
    cloud.state.tenant = "99999999-9999-4999-8999-999999999999";
    await expect(plan(open(cloud, files))).rejects.toThrow(
      /is in the tenant 99999999-.*, but the package is for 11111111-/,
    );
    cloud.reset({ subscriptions: ["88888888-8888-4888-8888-888888888888"] });
    await expect(plan(open(cloud, files))).rejects.toThrow(/404 SubscriptionNotFound .*do not reach the subscription/);
    expect(changes()).toEqual([]);
  });
});

describe("apply", () => {
  it("waits for what Azure does not know everywhere yet", async () => {
    cloud.reset(
      {},
      {
        pending: 2,
        hiddenPrincipals: 2,
        hiddenDefinitions: 2,
        hiddenParents: 2,
        conflicts: 2,
        throttled: 3,
        hiddenDataRoles: 2,
      },
    );
    expect(problems(await apply(cloud, files))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("replaces what a deleted identity left behind", async () => {
    delete cloud.state.identities[idOf(ingress).toLowerCase()];
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringContaining(`update role assignment ${ingress}`),
    );
    expect(problems(await apply(cloud, files))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
    expect(Object.keys(cloud.state.assignments)).toHaveLength(2);
  });

  it("accepts what ccoctl made: other names of credentials, other GUIDs of assignments", async () => {
    const [[name = "", credential] = []] = Object.entries(identity(ingress).credentials) as [string, Value][];
    delete identity(ingress).credentials[name];
    identity(ingress).credentials["ingress-operator"] = credential;
    const [[id = "", assignment] = []] = Object.entries(cloud.state.assignments);
    delete cloud.state.assignments[id];
    cloud.state.assignments[id.replace(/[^/]+$/, "99999999-0000-4000-8000-00000000000a")] = {
      ...(assignment as Value),
      name: "99999999-0000-4000-8000-00000000000a",
    };
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("never writes over a credential that something else uses, and removes nothing without --prune", async () => {
    const [[name = ""] = []] = Object.entries(identity(ingress).credentials) as [string, Value][];
    const other = { issuer: "https://other.example", subject: "s", audiences: ["openshift"] };
    identity(ingress).credentials[name] = other;
    expect(problems(await apply(cloud, files))).toBe("");
    expect(identity(ingress).credentials[name]).toEqual(other);
    expect(identity(ingress).credentials[`${name}-2`]).toBeDefined();
    expect(await differences(cloud, files)).toEqual([expect.stringContaining("remove federated credential")]);
    expect(problems(await apply(cloud, files, prune))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("repairs a condition, by a new assignment", async () => {
    for (const one of Object.values(cloud.state.assignments)) one.condition = "@Resource[x] StringEquals 'y'";
    expect(problems(await apply(cloud, files))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("with --prune removes a role assignment at the root, and goes on if it may not", async () => {
    const at = (scope: string, name: string) => {
      cloud.state.assignments[`${scope}/providers/microsoft.authorization/roleassignments/${name}`] = {
        ...{ scope, name, role: "acdd72a7-3385-48ef-bd42-f606fba81ae7", principalId: identity(ingress).principalId },
        principalType: "ServicePrincipal",
      };
    };
    at("", "99999999-0000-4000-8000-000000000001");
    at(`/subscriptions/${subscription}`, "99999999-0000-4000-8000-000000000002");
    expect(problems(await apply(cloud, files, prune))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("does nothing beyond a failure that depends on it, and names both", async () => {
    cloud.reset({
      accounts: {
        [account]: {
          id: "/subscriptions/77777777-7777-4777-8777-777777777777/resourceGroups/x/providers/Microsoft.Storage/storageAccounts/a",
        },
      },
    });
    const outcome = await apply(cloud, files);
    expect(problems(outcome)).toMatch(
      /storage account .*409 StorageAccountAlreadyTaken.*Set spec\.platform\.azure\.issuerHosting\.storageAccount/,
    );
    expect(outcome.skipped.map(({ kind }) => kind)).toContain("managed identity");
    expect(Object.keys(cloud.state.identities)).toEqual([]);
  });

  it.each([
    ["denied", /403 RequestDisallowedByPolicy .*issuerHosting\.type to External/],
    ["modified", /properties\.allowBlobPublicAccess is false instead of true.*policy/],
  ] as const)("says what a policy did: public blobs are %s", async (publicBlobs, expected) => {
    cloud.reset({}, { publicBlobs });
    expect(problems(await apply(cloud, files))).toMatch(expected);
  });

  it("says which role the upload lacks", async () => {
    cloud.reset({}, { dataPermissions: [] });
    expect(problems(await apply(cloud, files))).toMatch(
      /document .*403 AuthorizationPermissionMismatch .*Storage Blob Data Contributor/,
    );
    cloud.world.settings.dataPermissions = ["*"];
    expect(problems(await apply(cloud, files))).toBe("");
  });

  it("uploads with a key of the account, if the package says so", async () => {
    const byKey = exportedFiles({ issuerHosting: { type: "BlobPublic", uploadAuth: "key" } });
    cloud.reset({}, { dataPermissions: [] });
    expect(problems(await apply(cloud, byKey))).toBe("");
    expect(await differences(cloud, byKey)).toEqual([]);
  });

  it("refuses a role whose name another one has, and says how to use it if it is the package's", async () => {
    const [[guid = "", role] = []] = Object.entries(cloud.state.definitions);
    delete cloud.state.definitions[guid];
    cloud.state.definitions["99999999-0000-4000-8000-000000000009"] = role as Value;
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringContaining('"roleDefinitionID: 99999999-0000-4000-8000-000000000009"'),
    );
    (role as Value).description = "mine";
    expect(await differences(cloud, files)).toContainEqual(expect.stringContaining("another role has this name"));
    await apply(cloud, files, prune);
    expect(Object.keys(cloud.state.definitions)).toEqual(["99999999-0000-4000-8000-000000000009"]);
  });

  it("refuses what Azure cannot change", async () => {
    identity(ingress).location = "westus";
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(/refuse managed identity .*location differs: Azure cannot change the location/),
    );
  });

  it("uses an existing resource group as it is, in any region", async () => {
    cloud.reset({ groups: { [oidcGroup]: { location: "westus", tags: { a: "b" } }, [installGroup]: {} } });
    expect(problems(await apply(cloud, files))).toBe("");
    expect(cloud.state.groups[oidcGroup.toLowerCase()]?.tags).toEqual({ a: "b" });
  });

  it("ends after the request under way, and a second run completes it", async () => {
    cloud.reset();
    const target = open(cloud, files);
    let done = 0;
    const outcome = await runPlan(target, await plan(target), {
      isStopped: () => done >= 3,
      done: () => void done++,
      failed: () => undefined,
      waiting: () => undefined,
    });
    expect([outcome.isStopped, outcome.skipped.length > 5]).toEqual([true, true]);
    expect(problems(await apply(cloud, files))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("does what another run has done once, and refuses what another run has changed", async () => {
    cloud.reset();
    const target = open(cloud, files);
    const made = await plan(target);
    await apply(cloud, files);
    const run = { isStopped: () => false, done: () => undefined, failed: () => undefined, waiting: () => undefined };
    expect(problems(await runPlan(target, made, run))).toBe("");
    theAccount().properties.minimumTlsVersion = "TLS1_0";
    const repair = await plan(target);
    theAccount().properties.allowBlobPublicAccess = false;
    expect(problems(await runPlan(target, repair, run))).toMatch(
      /It changed after the plan was made: it differs in another way now/,
    );
  });

  it("is expected: the same plan, fewer steps after an interruption, but none more", async () => {
    cloud.reset();
    const first = planJson(await plan(open(cloud, files)));
    cloud.world.state = structuredClone(healthy);
    delete cloud.state.identities[idOf(ingress).toLowerCase()];
    for (const [id, one] of Object.entries(cloud.state.assignments))
      if (one.role === "b24988ac-6180-42a0-ab88-20f7382dd24c") delete cloud.state.assignments[id];
    expect(unexpected(await plan(open(cloud, files)), first)).toBeUndefined();
    theAccount().properties.minimumTlsVersion = "TLS1_0";
    expect(unexpected(await plan(open(cloud, files)), first)).toMatch(/does not contain "update storage account/);
    expect(unexpected(await plan(open(cloud, files), prune), first)).toBe("its options differ");
  });
});

describe("destroy", () => {
  it.each([
    ["a file share", () => Object.assign(theAccount(), { others: { shares: ["data"] } }), "it has the file share data"],
    ["a table", () => Object.assign(theAccount(), { others: { tables: ["data"] } }), "it has the table data"],
    ["a queue", () => Object.assign(theAccount(), { others: { queues: ["data"] } }), "it has the queue data"],
    [
      "a container",
      () => Object.assign(theAccount().containers, { data: { publicAccess: "None", blobs: {} } }),
      "it has the container data",
    ],
    [
      "a blob",
      () => Object.assign(theAccount().containers.demo.blobs, { "a & b": { body: "", contentType: "", changes: 1 } }),
      "has the blob a & b",
    ],
  ])("keeps a storage account with %s", async (_, add, reason) => {
    add();
    const before = structuredClone(theAccount());
    const target = open(cloud, files);
    const made = await planDestroy(target, await target.read({ fetch: true, progress: () => undefined }));
    expect(made.steps.find(({ kind }) => kind === "storage account")).toMatchObject({
      action: "keep",
      reason: expect.stringContaining(reason),
    });
    await destroy(cloud, files);
    expect(theAccount()).toEqual(before);
  });

  it("keeps what is not the package's, and the storage account whose issuer it trusts", async () => {
    identity(registry).tags = {};
    await destroy(cloud, files);
    expect(Object.keys(cloud.state.identities)).toEqual([idOf(registry).toLowerCase()]);
    expect(theAccount()).toBeDefined();
    identity(registry).tags = { [ownerTag]: "owned" };
    await destroy(cloud, files);
    expect(cloud.state).toMatchObject({ identities: {}, accounts: {}, definitions: {}, assignments: {} });
    expect(Object.keys(cloud.state.groups)).toEqual([installGroup.toLowerCase()]);
  });

  it("keeps a resource group that contains anything else, or that the package did not create", async () => {
    (cloud.state.groups[oidcGroup.toLowerCase()] as Value).others = [
      `${oidcGroup}/providers/Microsoft.Network/virtualNetworks/x`,
    ];
    await destroy(cloud, files);
    expect(Object.keys(cloud.state.groups)).toContain(oidcGroup.toLowerCase());
  });

  it("removes what the package lost, too", async () => {
    const lost = idOf("demo-lost");
    cloud.state.identities[lost.toLowerCase()] = {
      ...identity(ingress),
      id: lost,
      principalId: "dddddddd-0000-4000-8000-000000000001",
      credentials: {},
    };
    await destroy(cloud, files);
    expect(cloud.state.identities).toEqual({});
  });
});

describe("destroy --previous", () => {
  const previous = "https://oldaccount.blob.core.windows.net/old";
  const oldAccount = () => ({
    ...structuredClone(theAccount()),
    id: theAccount().id.replace(account, "oldaccount"),
    containers: {
      old: { publicAccess: "Blob", blobs: { "openid/v1/jwks": { body: "", contentType: "", changes: 1 } } },
    },
  });
  let moved: Map<string, string>;
  beforeAll(() => {
    moved = exportedFiles({}, undefined, { issuer: { signingKeys: [{ publicKey }], previous: [previous] } });
  });

  async function removePrevious(): Promise<Outcome | undefined> {
    const target = open(cloud, moved);
    const made = await planPrevious(target, await target.read({ fetch: true, progress: () => undefined }));
    const run = { isStopped: () => false, done: () => undefined, failed: () => undefined, waiting: () => undefined };
    return made && runPlan(target, made, run);
  }

  it("removes the trust in previous issuers, then what hosts them, when the cluster does not depend on them", async () => {
    expect(await removePrevious()).toBeUndefined();
    cloud.state.accounts["oldaccount"] = oldAccount();
    expect(problems(await apply(cloud, moved))).toBe("");
    const trusts = () =>
      Object.values(cloud.state.identities).flatMap((one) =>
        Object.values(one.credentials).map(({ issuer }) => issuer),
      );
    expect(trusts()).toContain(previous);
    const outcome = await removePrevious();
    expect(outcome && problems(outcome)).toBe("");
    expect(trusts()).not.toContain(previous);
    expect(Object.keys(cloud.state.accounts)).toEqual([account]);
    expect(Object.keys(cloud.state.identities)).toHaveLength(2);
  });

  it("keeps a previous storage account that contains anything else", async () => {
    cloud.state.accounts["oldaccount"] = { ...oldAccount(), others: { shares: ["data"] } };
    expect(problems(await apply(cloud, moved))).toBe("");
    await removePrevious();
    expect(Object.keys(cloud.state.accounts).sort()).toEqual([account, "oldaccount"].sort());
  });
});
