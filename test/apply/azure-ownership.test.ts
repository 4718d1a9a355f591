import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { planDestroy } from "../../src/apply/plan-destroy.ts";
import { pace } from "../../src/apply/requests.ts";
import { type Outcome, runPlan } from "../../src/apply/run.ts";
import { azureEngine } from "../../src/clouds/azure/apply/engine.ts";
import type { State, Value } from "../helpers/arm/types.ts";
import { installGroup, oidcGroup, subscription, tenAzureRequests, twoAzureRequests } from "../helpers/azure-package.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { accountOf, apply, destroy, differences, exportedFiles, open, plan, usual } from "./azure-engine.ts";

/*
 * Whose resources are, in more cases than azure.test.ts has: each kind that carries a mark, and what others attached.
 */

const oneRequest = twoAzureRequests.slice(0, 1);
const otherSubscription = "33333333-3333-4333-8333-333333333333";
const network = `/subscriptions/${otherSubscription}/resourceGroups/network`;
const stranger = "99999999-0000-4000-8000-000000000001";
const guid = "12345678-0000-4000-8000-000000000009";
const name = "demo-openshift-image-registry-installer-cloud-credentials";
const ownerTag = "openshift.io_cloud-credential-operator_demo";
const role = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const idOf = (identity: string) =>
  `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${identity}`;
const only = <T>(map: Record<string, T>): T => Object.values(map)[0] as T;
const prune = { ...usual, prune: true };
const quiet = { isStopped: () => false, done: () => undefined, failed: () => undefined, waiting: () => undefined };

let cloud: AzureCloud;
let files: Map<string, string>;
let account: string;
let healthy: State;

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start({ subscriptions: [subscription, otherSubscription], groups: { [network]: {} } });
  files = exportedFiles({ networkResourceGroup: network }, oneRequest);
  account = accountOf(files);
  expect((await apply(cloud, files)).failed).toEqual([]);
  healthy = structuredClone(cloud.state);
});
beforeEach(() => {
  cloud.reset();
  cloud.world.state = structuredClone(healthy);
});
afterAll(() => cloud.stop());

const problems = ({ failed }: Outcome) =>
  failed.map(({ step, problem }) => `${step.kind} ${step.name}: ${problem}`).join("\n");
const changing = () => cloud.received.filter((one) => one.changes).map(({ method, url }) => `${method} ${url}`);

function assign(scope: string, id: string, one: { role: string; principalId: string }): void {
  const key = `${scope}/providers/microsoft.authorization/roleassignments/${id}`.toLowerCase();
  cloud.state.assignments[key] = { scope, name: id, ...one, principalType: "ServicePrincipal" };
}

type Mark = (owner: string | undefined) => void;
const tags = (owner: string | undefined) => (owner === undefined ? {} : { [ownerTag.replace("demo", owner)]: "owned" });

/** How each kind shows its owner, and what else differs then. */
const marked: readonly (readonly [kind: string, map: "accounts" | "identities" | "definitions", mark: Mark])[] = [
  [
    "storage account",
    "accounts",
    (owner) => {
      only(cloud.state.accounts).tags = tags(owner);
      only(cloud.state.accounts).properties.minimumTlsVersion = "TLS1_0";
    },
  ],
  [
    "managed identity",
    "identities",
    (owner) => {
      only(cloud.state.identities).tags = tags(owner);
      only(cloud.state.identities).credentials = {};
    },
  ],
  [
    "custom role",
    "definitions",
    (owner) => {
      const description = owner === undefined ? "" : `Custom role for OpenShift. Owned by: ${owner}`;
      Object.assign(only(cloud.state.definitions), { description, permissions: [{ actions: ["*/read"] }] });
    },
  ],
];

describe.each(marked)("a %s", (kind, map, mark) => {
  const named = () => (kind === "storage account" ? account : name);

  it("without a mark is changed only with --adopt", async () => {
    mark(undefined);
    const before = structuredClone(cloud.state[map]);
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(new RegExp(`^refuse ${kind} .*--adopt '${kind}/${named()}'$`)),
    );
    await apply(cloud, files);
    expect(cloud.state[map]).toEqual(before);
    expect(problems(await apply(cloud, files, { ...usual, adopt: [`${kind}/${named()}`] }))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("of another prefix is never adopted, and destroy keeps it", async () => {
    mark("other");
    const before = structuredClone(cloud.state[map]);
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(new RegExp(`^refuse ${kind} .*another resource prefix owns it`)),
    );
    await apply(cloud, files, { ...prune, adopt: [`${kind}/${named()}`] });
    await destroy(cloud, files);
    expect(cloud.state[map]).toEqual(before);
  });
});

describe("of two clusters", () => {
  it.each(["account", "identity"])("an %s with the marks of both prefixes belongs to neither", async (what) => {
    const one = only<Value>(what === "account" ? cloud.state.accounts : cloud.state.identities);
    one.tags = { ...tags("demo"), ...tags("demo2") };
    const before = structuredClone(cloud.state);
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(/^refuse .* another resource prefix owns it, and it is never adopted$/),
    );
    await apply(cloud, files, { ...prune, adopt: [`storage account/${account}`, `managed identity/${name}`] });
    expect(changing()).toEqual([]);
    await destroy(cloud, files);
    expect(only<Value>(what === "account" ? cloud.state.accounts : cloud.state.identities)).toEqual(
      only<Value>(what === "account" ? before.accounts : before.identities),
    );
  });

  it("with an endpoint of blobs for another account, nothing is sent there", async () => {
    const blobs = `${cloud.world.address}/theirs`;
    const target = azureEngine({ environment: {}, removeTags: [] }, { ...cloud.connection(), blobs })(files);
    const { steps } = await plan(target);
    const unknown = steps.filter(({ action, blocked }) => action === "unknown" && !blocked);
    expect(unknown.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual(
      Array(2).fill(expect.stringMatching(`^document: .* for another storage account than ${account}\\. Write`)),
    );
    expect(cloud.received.filter(({ url }) => url.startsWith("/theirs"))).toEqual([]);
  });

  it("with one prefix in a subscription, the second is refused", () => {
    const engine = azureEngine({ environment: {}, removeTags: [] }, cloud.connection());
    expect(engine(files).prefix).toBe("demo");
    expect(engine(files).prefix).toBe("demo");
    expect(() => engine(exportedFiles({}, twoAzureRequests))).toThrow(
      `Another of these packages has the resource prefix demo in the subscription ${subscription}, too. Nothing was changed`,
    );
  });
});

describe("apply", () => {
  it("uses the custom role of ccoctl that the configuration names", async () => {
    const { id: _, ...definition } = only(cloud.state.definitions) as Value;
    const overrides = { "openshift-image-registry/installer-cloud-credentials": { roleDefinitionID: guid } };
    const naming = exportedFiles({ networkResourceGroup: network, overrides }, oneRequest);
    cloud.world.state.definitions = { [guid]: definition };
    cloud.world.state.assignments = {};
    expect(problems(await apply(cloud, naming))).toBe("");
    expect(Object.keys(cloud.state.definitions)).toEqual([guid]);
    expect(new Set(Object.values(cloud.state.assignments).map((one) => one.role))).toEqual(new Set([guid]));
  });

  it("refuses a role with the name that can also be assigned elsewhere", async () => {
    const [[id = "", definition] = []] = Object.entries(cloud.state.definitions);
    delete cloud.state.definitions[id];
    const assignableScopes = [
      `/subscriptions/${otherSubscription}`,
      `/subscriptions/44444444-4444-4444-8444-444444444444`,
    ];
    cloud.state.definitions[guid] = { ...(definition as Value), assignableScopes };
    expect(await differences(cloud, files)).toContainEqual(expect.stringContaining("another role has this name"));
  });

  it("says what to do about a role with the name in a subscription that it does not see", async () => {
    const [[id = "", definition] = []] = Object.entries(cloud.state.definitions);
    delete cloud.state.definitions[id];
    cloud.state.assignments = {};
    const assignableScopes = ["/subscriptions/44444444-4444-4444-8444-444444444444"];
    cloud.state.definitions[guid] = { ...(definition as Value), assignableScopes };
    expect(problems(await apply(cloud, files))).toMatch(
      /custom role .*RoleDefinitionWithSameNameExists.*Set identityName in spec\.platform\.azure\.overrides/,
    );
  });

  it("waits for a resource group that is being deleted", async () => {
    cloud.reset({ groups: { [installGroup]: { deleting: 99 } }, subscriptions: [subscription, otherSubscription] });
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(/^unknown resource group demo The resource group demo is being deleted\./),
    );
  });

  it("changes a credential with another audience, because its subject cannot have two", async () => {
    const { credentials } = only(cloud.state.identities);
    const [id = ""] = Object.keys(credentials);
    credentials["mine"] = { ...(credentials[id] as Value), audiences: ["other"] };
    delete credentials[id];
    expect(problems(await apply(cloud, files))).toBe("");
    expect(Object.keys(only(cloud.state.identities).credentials)).toEqual(["mine"]);
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("with --prune removes other credentials first, if Azure allows no more", async () => {
    const one = only(cloud.state.identities);
    one.credentials = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => {
        const issuer = index === 0 ? `https://${account}.blob.core.windows.net/demo` : "https://old.example";
        return [`x${index}`, { issuer, subject: `s${index}`, audiences: ["openshift"] }];
      }),
    );
    const { notes } = await plan(open(cloud, files));
    expect(notes).toContainEqual(expect.stringMatching(/has 20 federated credentials, and Azure allows 20;.*--prune/));
    expect(problems(await apply(cloud, files, prune))).toBe("");
    expect(Object.keys(only(cloud.state.identities).credentials)).toHaveLength(1);
    expect(await differences(cloud, files)).toEqual([]);
  });

  it("leaves a further role assignment of its identity, unless --prune is given", async () => {
    assign(oidcGroup, guid, { role, principalId: only(cloud.state.identities).principalId });
    expect(await differences(cloud, files)).toEqual([
      expect.stringMatching(/^remove role assignment .*: Contributor at .*demo-oidc/),
    ]);
    await apply(cloud, files);
    expect(Object.keys(cloud.state.assignments)).toHaveLength(3);
    expect(problems(await apply(cloud, files, prune))).toBe("");
    expect(cloud.state.assignments).toEqual(healthy.assignments);
  });

  it("with --prune removes a role together with its last assignment, and names it once", async () => {
    cloud.state.definitions[guid] = { ...only(cloud.state.definitions), roleName: "demo-lost" };
    assign(installGroup, guid, { role: guid, principalId: only(cloud.state.identities).principalId });
    expect(await differences(cloud, files)).toEqual([
      expect.stringMatching(/^remove role assignment .*: demo-lost at /),
      "remove custom role demo-lost",
    ]);
    expect(problems(await apply(cloud, files, prune))).toBe("");
    expect(cloud.state.definitions).toEqual(healthy.definitions);
  });

  it("refuses a role assignment that is another one with its ID", async () => {
    Object.assign(only(cloud.state.assignments), { role, principalId: stranger });
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(/^refuse role assignment .*another role assignment has the ID/),
    );
    await apply(cloud, files, prune);
    expect(changing()).toEqual([]);
  });

  it("removes a tag that the user names from what the package owns, and no other", async () => {
    const tagged = [...Object.values(cloud.state.accounts), ...Object.values(cloud.state.identities)];
    for (const one of [...tagged, ...Object.values(cloud.state.groups)])
      Object.assign(one.tags, { Team: "a", other: "b" });
    const target = open(cloud, files, ["team"]);
    const made = await plan(target);
    expect(made.steps.flatMap(({ kind, changes }) => changes.map(({ field, found }) => [kind, field, found]))).toEqual([
      ["storage account", "tags.Team", "a"],
      ["managed identity", "tags.Team", "a"],
    ]);
    expect(problems(await runPlan(target, made, quiet))).toBe("");
    for (const one of tagged) expect(one.tags).toEqual({ [ownerTag]: "owned", other: "b" });
    expect(cloud.state.groups[oidcGroup.toLowerCase()]?.tags).toMatchObject({ Team: "a" });
    expect([ownerTag, `${ownerTag}-2`, "team"].map((key) => target.statesTag?.(key))).toEqual([true, true, false]);
  });

  it("creates at most two managed identities a second in a subscription", async () => {
    const many = exportedFiles({}, tenAzureRequests.slice(0, 4));
    cloud.reset();
    pace.second = 200;
    try {
      expect(problems(await apply(cloud, many))).toBe("");
    } finally {
      pace.second = 0;
    }
    const times = cloud.received.flatMap(({ method, url, at }) =>
      method === "PUT" && /userAssignedIdentities\/[^/]+\?/.test(url) ? [at] : [],
    );
    expect(times).toHaveLength(4);
    // Timers are a few milliseconds early or late.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(280);
  });

  it("refuses a client ID that is not the one in the cloud", async () => {
    const clientID = "aaaaaaaa-0000-4000-8000-00000000ffff";
    const overrides = { "openshift-image-registry/installer-cloud-credentials": { clientID } };
    const wrong = exportedFiles({ networkResourceGroup: network, overrides }, oneRequest);
    expect(await differences(cloud, wrong)).toContainEqual(
      expect.stringMatching(
        /^refuse managed identity .*clientId differs: it is aaaaaaaa-.*, but the package has .*ffff/,
      ),
    );
  });

  it.each(["null", "{}", '{"value": null}'])("takes %s for no list", async (text) => {
    cloud.instead = ({ url }) =>
      /userAssignedIdentities\?/.test(url) ? { status: 200, type: "application/json", body: () => text } : undefined;
    expect(await differences(cloud, files)).toContainEqual(
      expect.stringMatching(
        /^unknown resources that are not in the package .*userAssignedIdentities: the answer does not have the form/,
      ),
    );
    await apply(cloud, files, prune);
    expect(changing()).toEqual([]);
  });
});

describe("destroy", () => {
  it("removes the storage account after every identity, and keeps it if one of them stays", async () => {
    expect(problems(await destroy(cloud, files))).toBe("");
    const removed = changing().filter((one) =>
      /^DELETE .*(?:userAssignedIdentities|storageAccounts)\/[^/]+\?/.test(one),
    );
    expect(removed.map((one) => /userAssignedIdentities|storageAccounts/.exec(one)?.[0])).toEqual([
      "userAssignedIdentities",
      "storageAccounts",
    ]);
    cloud.reset();
    cloud.world.state = structuredClone(healthy);
    cloud.world.settings.permissions = ["*/read", "Microsoft.Storage/*", "Microsoft.Authorization/*"];
    expect(problems(await destroy(cloud, files))).toMatch(/managed identity .*403 AuthorizationFailed/);
    expect(cloud.state.accounts).toEqual(healthy.accounts);
  });

  it("keeps the storage account that an identity of others trusts", async () => {
    const { credentials } = only(cloud.state.identities);
    const team = idOf("Team");
    const foreign = { ...only(cloud.state.identities), id: team, tags: {}, principalId: stranger, credentials };
    cloud.state.identities[team.toLowerCase()] = structuredClone(foreign);
    const target = open(cloud, files);
    const made = await planDestroy(target, await target.read({ fetch: true, progress: () => undefined }));
    expect(made.steps.find(({ kind }) => kind === "storage account")).toMatchObject({
      action: "keep",
      reason: expect.stringContaining("trusts its issuer"),
    });
    await destroy(cloud, files);
    expect(cloud.state.accounts).toEqual(healthy.accounts);
    expect(Object.values(cloud.state.identities)).toEqual([foreign]);
  });

  it("keeps a custom role that is assigned to others", async () => {
    const { role: own } = only(cloud.state.assignments);
    assign(installGroup, guid, { role: own, principalId: stranger });
    await destroy(cloud, files);
    expect(cloud.state.identities).toEqual({});
    expect(Object.values(cloud.state.assignments).map(({ principalId }) => principalId)).toEqual([stranger]);
    expect(cloud.state.definitions).toEqual(healthy.definitions);
  });

  it("goes on if the resource group of the cluster is gone, and its assignments with it", async () => {
    delete cloud.state.groups[installGroup.toLowerCase()];
    for (const [id, { scope }] of Object.entries(cloud.state.assignments))
      if (scope.toLowerCase() === installGroup.toLowerCase()) delete cloud.state.assignments[id];
    expect(problems(await destroy(cloud, files))).toBe("");
    expect(cloud.state).toMatchObject({ identities: {}, accounts: {} });
  });

  it("never removes a resource group that it did not create", async () => {
    Object.assign(cloud.state.groups[oidcGroup.toLowerCase()] as Value, { tags: {} });
    expect(problems(await destroy(cloud, files))).toBe("");
    expect(Object.keys(cloud.state.groups)).toContain(oidcGroup.toLowerCase());
  });
});

it("a document that is no longer JSON is drift, and is mended", async () => {
  const own = exportedFiles();
  cloud.reset();
  expect((await apply(cloud, own)).failed).toEqual([]);
  for (const account of Object.values(cloud.state.accounts))
    for (const { blobs } of Object.values(account.containers))
      for (const blob of Object.values(blobs)) blob.body += "x";
  const changed = await differences(cloud, own);
  expect(changed).toEqual([
    expect.stringMatching(/^update document .*openid-configuration/),
    expect.stringMatching(/^refuse document .*jwks|^update document .*jwks/),
  ]);
  expect((await apply(cloud, own, { ...prune, allow: ["replace-key"] })).failed).toEqual([]);
  expect(await differences(cloud, own)).toEqual([]);
});
