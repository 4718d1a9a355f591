import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure, saidAzure } from "../../helpers/azure-administrator.ts";
import { oidcGroup, subscription } from "../../helpers/azure-package.ts";

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

type Edit = (state: State) => void;
type Drift = readonly [name: string, line: string, edit: Edit];

const account = (state: State) => Object.values(state.accounts)[0] as State["accounts"][string];
const container = (state: State) =>
  account(state).containers["demo"] as State["accounts"][string]["containers"][string];
const named = <T>(map: Record<string, T>, part: string): T =>
  Object.entries(map).find(([key]) => key.includes(part))?.[1] as T;
const registry = (state: State) => named(state.identities, "image-registry");
const ingress = (state: State) => named(state.identities, "ingress");
const role = (state: State) => Object.values(state.definitions)[0] as State["definitions"][string];
const assignmentOf = (state: State, principalId: string) =>
  Object.entries(state.assignments).find(([, found]) => found.principalId === principalId)?.[0] ?? "";
const issuer = (state: State) => Object.values(registry(state).credentials)[0]?.issuer ?? "";
const stranger = "99999999-0000-4000-8000-000000000001";
const foreign = "one, \"two\" & 'ü' \\";
const add = (state: State, assignment: State["assignments"][string]) => {
  const { scope, name } = assignment;
  state.assignments[`${scope.toLowerCase()}/providers/microsoft.authorization/roleassignments/${name}`] = assignment;
};
const registryName = "managed identity demo-openshift-image-registry-installer-cloud-credentials";
const ingressName = "managed identity demo-openshift-ingress-operator-cloud-credentials";

/** What was changed by hand at the same time, and the beginnings of the lines that report it. */
const drifts: Readonly<Record<string, readonly Drift[]>> = {
  "one setting of each kind of resource": [
    [
      "the oldest TLS version of the account",
      "differs       storage account demo",
      (state) => {
        account(state).properties.minimumTlsVersion = "TLS1_0";
      },
    ],
    [
      "a container that can be listed",
      "differs       container demo: public access",
      (state) => {
        container(state).publicAccess = "Container";
      },
    ],
    [
      "an old document",
      "differs       document openid/v1/jwks",
      (state) => {
        container(state).blobs["openid/v1/jwks"] = { body: "{}", contentType: "application/json", changes: 1 };
      },
    ],
    [
      "no document",
      "missing       document .well-known/openid-configuration",
      (state) => void delete container(state).blobs[".well-known/openid-configuration"],
    ],
    [
      "one more action of a role",
      "differs       role demo-openshift-image-registry",
      (state) => void role(state).permissions[0].actions.push("*"),
    ],
    [
      "one more credential",
      `extra         ${registryName}: federated credential other for `,
      (state) => {
        const subject = "system:serviceaccount:other:one";
        registry(state).credentials["other"] = { issuer: issuer(state), subject, audiences: ["openshift"] };
      },
    ],
    [
      "another case of a subject",
      `missing       ${ingressName}: federated credential for `,
      (state) => {
        const [first] = Object.values(ingress(state).credentials);
        if (first !== undefined) first.subject = first.subject.toUpperCase();
      },
    ],
    [
      "no assignment",
      `missing       ${ingressName}: role b24988ac-6180-42a0-ab88-20f7382dd24c at `,
      (state) => void delete state.assignments[assignmentOf(state, ingress(state).principalId)],
    ],
  ],
  "more settings": [
    [
      "a firewall",
      "differs       storage account demo",
      (state) => {
        account(state).properties.networkAcls.defaultAction = "Deny";
      },
    ],
    [
      "public access that is not allowed",
      "differs       storage account demo",
      (state) => {
        account(state).properties.allowBlobPublicAccess = false;
      },
    ],
    ["no container", "missing       container demo", (state) => void delete account(state).containers["demo"]],
    [
      "one action less",
      "differs       role demo-openshift-image-registry",
      (state) => void role(state).permissions[0].actions.pop(),
    ],
    [
      "no identity, whose assignments Azure keeps",
      `missing       ${registryName}`,
      (state) => void delete state.identities[registry(state).id.toLowerCase()],
    ],
    [
      "another audience",
      `missing       ${ingressName}: federated credential for `,
      (state) => {
        for (const each of Object.values(ingress(state).credentials)) each.audiences = ["api://AzureADTokenExchange"];
      },
    ],
  ],
  "what is not there": [
    [
      "no account",
      "missing       storage account demo",
      (state) => {
        state.accounts = {};
      },
    ],
    [
      "no role",
      "missing       role demo-openshift-image-registry",
      (state) => {
        state.definitions = {};
        state.assignments = {};
      },
    ],
    [
      "no credentials",
      `missing       ${registryName}: federated credential for `,
      (state) => {
        registry(state).credentials = {};
      },
    ],
  ],
};

describe("status.sh reports, and apply.sh mends", () => {
  it.each(Object.entries(drifts))("%s", (_, list) => {
    const state = structuredClone(applied);
    for (const [, , edit] of list) edit(state);
    az.reset(state as Seed);
    const status = one.status();
    expect(status).toMatchObject({ status: 2, stderr: "" });
    const { lines } = saidAzure(status);
    for (const [name, line] of list) {
      expect(lines.filter((given) => given.startsWith(line)).length, `${name}\n${status.stdout}`).toBeGreaterThan(0);
    }
    expect(az.calls().filter(({ changes }) => changes)).toEqual([]);
    az.reset(state as Seed);
    const dryRun = one.apply("--dry-run");
    expect(dryRun.status).toBe(2);
    expect(az.calls().filter(({ changes }) => changes)).toEqual([]);
    const changed = one.apply();
    expect(changed).toMatchObject({ status: 0, stderr: "" });
    const count = (text: string) => /^(\d+) changes? (?:would be )?made/m.exec(text)?.[1];
    expect(count(changed.stdout), `${dryRun.stdout}${changed.stdout}`).toBe(count(dryRun.stdout));
    expect(az.state()).toEqual(applied);
    expect(one.status()).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("what others may set stays", () => {
  it("is right as it is", () => {
    const state = structuredClone(applied);
    // ccoctl's assignments have random names, and its credentials those of the service accounts.
    const key = assignmentOf(state, registry(state).principalId);
    const found = state.assignments[key] as State["assignments"][string];
    delete state.assignments[key];
    add(state, { ...found, name: "12345678-0000-4000-8000-000000000001" });
    ingress(state).credentials = Object.fromEntries(
      Object.entries(ingress(state).credentials).map(([long, each]) => [long.replace(/-[0-9a-f]{8}$/, ""), each]),
    );
    // What Azure and others add: tags, and the case of IDs and locations.
    for (const each of [account(state), registry(state)]) each.tags["team"] = foreign;
    registry(state).location = "East US";
    registry(state).id = registry(state).id.toUpperCase().replace("/SUBSCRIPTIONS/", "/subscriptions/");
    account(state).properties.accessTier = "Cool";
    az.reset(state as Seed);
    expect(one.apply()).toMatchObject({ status: 0, stdout: expect.stringContaining("No changes"), stderr: "" });
    expect(one.status()).toMatchObject({ status: 0, stderr: "" });
    expect(az.calls().filter(({ changes }) => changes)).toEqual([]);
  });

  it("foreign tags remain when others are added, and existing groups are never changed", () => {
    const state = structuredClone(applied);
    for (const each of [account(state), registry(state)]) each.tags["team"] = foreign;
    const out = exportedAzure({ tags: { cost: "center" } });
    az.reset(state as Seed);
    expect(new AzureAdministrator(az, out).apply()).toMatchObject({ status: 0, stderr: "" });
    const now = az.state();
    const tags = { "openshift.io_cloud-credential-operator_demo": "owned", cost: "center", team: foreign };
    for (const each of [account(now), registry(now)]) expect(each.tags).toEqual(tags);
    expect(now.groups).toEqual(applied.groups);
  });
});

it("apply.sh replaces the assignments of deleted identities", () => {
  const state = structuredClone(applied);
  for (const assignment of Object.values(state.assignments)) assignment.principalId = stranger;
  az.reset(state as Seed);
  const done = one.apply();
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toContain(`of the deleted principal ${stranger}`);
  expect(az.state()).toEqual(applied);
});

it("apply.sh --prune removes what the package lost, with its assignments, and nothing of others", () => {
  const state = structuredClone(applied);
  const lost = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo-lost`;
  const other = lost.replace("demo-lost", "other");
  const clientId = "aaaaaaaa-2222-4000-8000-000000000001";
  const each = { location: "eastus", clientId, credentials: {}, hidden: 0, unready: 0 };
  state.identities[lost.toLowerCase()] = { ...each, id: lost, tags: registry(state).tags, principalId: stranger };
  state.identities[other.toLowerCase()] = { ...each, id: other, tags: {}, principalId: stranger.replace("1", "2") };
  const guid = "12345678-0000-4000-8000-000000000009";
  state.definitions[guid] = { ...role(state), roleName: "demo-lost" };
  const scope = `/subscriptions/${subscription}`;
  add(state, { scope, name: guid, role: guid, principalId: stranger, principalType: "ServicePrincipal" });
  az.reset(state as Seed);
  const before = az.state();
  const applying = one.apply();
  expect(applying).toMatchObject({ status: 0, stderr: "" });
  expect(applying.stdout).toContain("demo-lost");
  expect(az.state()).toEqual(before);
  expect(one.apply("--prune")).toMatchObject({ status: 0, stderr: "" });
  const { [other.toLowerCase()]: kept, ...rest } = az.state().identities;
  expect(kept).toMatchObject({ id: other });
  expect({ ...az.state(), identities: rest }).toEqual(applied);
});
