import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { planPrevious } from "../../src/apply/plan-destroy.ts";
import { pace } from "../../src/apply/requests.ts";
import { type Outcome, runPlan } from "../../src/apply/run.ts";
import type { State, Value } from "../helpers/arm/types.ts";
import { oidcGroup, twoAzureRequests } from "../helpers/azure-package.ts";
import { signerKeyFile } from "../helpers/cluster-package.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { accountOf, apply, destroy, differences, exportedFiles, open, plan, usual } from "./azure-engine.ts";

/*
 * A cluster that moves from one issuer to another: both are trusted, then the old one is removed.
 */

const requests = twoAzureRequests.slice(0, 1);
const oldIssuer = "https://oldaccount.blob.core.windows.net/demo";
const sameAccount = (container: string) => ({ issuerHosting: { storageAccount: "oldaccount", container } });
const signingKeys = [{ publicKey: readFileSync(signerKeyFile, "utf8") }];
const trustingOld = { signingKeys, previous: [oldIssuer] };
const prune = { ...usual, prune: true };

let cloud: AzureCloud;
let before: State;

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  expect((await apply(cloud, exportedFiles(sameAccount("demo"), requests))).failed).toEqual([]);
  before = structuredClone(cloud.state);
});
beforeEach(() => {
  cloud.reset();
  cloud.world.state = structuredClone(before);
});
afterAll(() => cloud.stop());

const quiet = { isStopped: () => false, done: () => undefined, failed: () => undefined, waiting: () => undefined };
const succeeds = (outcome: Outcome | undefined) => expect(outcome?.failed).toEqual([]);

async function removePrevious(files: ReadonlyMap<string, string>, fetch = true): Promise<Outcome | undefined> {
  const target = open(cloud, files);
  const made = await planPrevious(target, await target.read({ fetch, progress: () => undefined }));
  return made && runPlan(target, made, quiet);
}

function trusted(): string[] {
  const all = Object.values(cloud.state.identities).flatMap(({ credentials }) => Object.values(credentials) as Value[]);
  return [...new Set(all.map(({ issuer }) => issuer))].sort();
}

const containers = () =>
  Object.entries(cloud.state.accounts).flatMap(([name, one]) =>
    Object.keys(one.containers).map((container) => `https://${name}.blob.core.windows.net/${container}`),
  );

const elsewhere = "https://oidc.example.com/demo";
const moves = [
  ["another account", {}, {}],
  ["another container", sameAccount("new"), {}],
  ["documents elsewhere", { issuerHosting: { type: "External" } }, { url: elsewhere }],
] as const;

describe.each(moves)("a cluster that moves to %s", (where, azure, url) => {
  const files = (issuer: object) => exportedFiles(azure, requests, { issuer: { ...issuer, ...url } });

  it("keeps the old issuer until it is removed, and is then in sync without it", async () => {
    const [moving, moved] = [files(trustingOld), files({ signingKeys })];
    const { issuer } = JSON.parse(moving.get("azure/cluster.json") ?? "") as { issuer: string };
    expect(await removePrevious(moving)).toBeUndefined();
    succeeds(await apply(cloud, moving, prune));
    expect(trusted()).toEqual([issuer, oldIssuer].sort());
    expect(containers()).toContain(oldIssuer);
    succeeds(await removePrevious(moving));
    expect(trusted()).toEqual([issuer]);
    expect(containers()).toEqual(where === "documents elsewhere" ? [] : [issuer]);
    expect((await removePrevious(moving))?.done ?? []).toEqual([]);
    expect(await differences(cloud, moved)).toEqual([]);
  });
});

it("a package that no longer names the old issuer removes it with --prune, after the new one is in effect", async () => {
  const moved = exportedFiles({}, requests);
  // All trust of the identity is in the old issuer.
  const allowing = { ...prune, allow: ["replace-issuer"] };
  const target = open(cloud, moved);
  const waited: number[] = [];
  const waiting = (seconds: number) => void waited.push(seconds);
  const outcome = await runPlan(target, await plan(target, allowing), { ...quiet, waiting });
  succeeds(outcome);
  expect(waited).toEqual([120]);
  const actions = outcome.done.map(({ action }) => action);
  expect(actions.indexOf("remove")).toBeGreaterThan(actions.lastIndexOf("create"));
  expect(Object.keys(cloud.state.accounts)).not.toContain("oldaccount");
  expect(await differences(cloud, moved)).toEqual([]);
});

it("keeps the old storage account with what others have in it, and then its resource group", async () => {
  const moved = exportedFiles({}, requests);
  const [old] = Object.values(cloud.state.accounts);
  Object.assign(old?.containers as Value, { other: { publicAccess: "None", blobs: {} } });
  await apply(cloud, moved, { ...prune, allow: ["replace-issuer"] });
  expect(Object.keys(cloud.state.accounts)).toContain("oldaccount");
  await destroy(cloud, moved);
  expect(Object.keys(cloud.state.accounts)).toEqual(["oldaccount"]);
  expect(Object.keys(cloud.state.groups)).toContain(oidcGroup.toLowerCase());
});

it("removes the trust of an identity that the package lost, and keeps the account that one of others trusts", async () => {
  const moving = exportedFiles({}, requests, { issuer: trustingOld });
  succeeds(await apply(cloud, moving));
  const add = (name: string, tags: Record<string, string>) => {
    const id = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
    const subject = `system:serviceaccount:${name}:a`;
    const credentials = { old: { issuer: oldIssuer, subject, audiences: ["openshift"] } };
    const [one] = Object.values(cloud.state.identities);
    cloud.state.identities[id.toLowerCase()] = { ...(one as Value), id, tags, credentials, principalId: name };
  };
  add("lost", { "openshift.io_cloud-credential-operator_demo": "owned" });
  add("team", {});
  await removePrevious(moving);
  const trusting = Object.values(cloud.state.identities).filter(({ credentials }) =>
    (Object.values(credentials) as Value[]).some(({ issuer }) => issuer === oldIssuer),
  );
  expect(trusting.map(({ id }) => id.replace(/.*\//, ""))).toEqual(["team"]);
  expect(Object.keys(cloud.state.accounts)).toContain("oldaccount");
});

it("signs requests for the blobs of each account with the key of that account", async () => {
  const byKey = { type: "BlobPublic", uploadAuth: "key" };
  const old = { issuerHosting: { ...byKey, storageAccount: "oldaccount", container: "demo" } };
  const moving = exportedFiles({ issuerHosting: byKey }, requests, { issuer: trustingOld });
  cloud.reset({}, { dataPermissions: [] });
  succeeds(await apply(cloud, exportedFiles(old, requests)));
  succeeds(await apply(cloud, moving));
  cloud.received.length = 0;
  // Without --no-fetch, the documents of the package are read without credentials.
  succeeds(await removePrevious(moving, false));
  const asked = cloud.received.flatMap(({ url }) => /storageAccounts\/(\w+)\/listKeys/.exec(url)?.[1] ?? []);
  expect(asked.sort()).toEqual([accountOf(moving), "oldaccount"].sort());
  expect(Object.keys(cloud.state.accounts)).not.toContain("oldaccount");
});
