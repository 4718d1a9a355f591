import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import type { Seed } from "../helpers/google/types.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import { apply, destroy, differences, exportedFiles, usual } from "./gcp-engine.ts";
import { tryAll } from "./strange-answers.ts";
import { type Asked, strangeHttp } from "./strange-http-answers.ts";

vi.setConfig({ testTimeout: 900_000 });

let cloud: GcpCloud;
let files: Map<string, string>;
let healthy: Seed;
const prune = { ...usual, prune: true };

beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
  files = exportedFiles({ keyStorage: "Bucket" }, [
    {
      namespace: "openshift-image-registry",
      secret: "installer-cloud-credentials",
      serviceAccounts: ["registry"],
      predefinedRoles: ["roles/storage.admin"],
      permissions: ["storage.buckets.get"],
    },
    {
      namespace: "openshift-ingress-operator",
      secret: "cloud-credentials",
      serviceAccounts: ["ingress-operator"],
      predefinedRoles: ["roles/dns.admin"],
    },
  ]);
  expect((await apply(cloud, files)).failed).toEqual([]);
  healthy = structuredClone(cloud.state);
});
afterAll(() => cloud.stop());

/** A request without the names of resources: `POST v1/projects/{}/serviceAccounts/{}:getIamPolicy`. */
function callOf({ method, url }: Asked): string {
  const { pathname, searchParams } = new URL(url, "http://x");
  const query = ["alt", "versions", "softDeleted", "uploads"].filter((name) => searchParams.has(name)).join("&");
  const path = pathname
    .replace(/\/(projects|serviceAccounts|roles|workloadIdentityPools|providers|b|o)\/[^/:]+/g, "/$1/{}")
    .replace(/^\/(?!v1|storage|upload)[^/]+/, "/{}");
  return `${method} ${path.slice(1)}${query === "" ? "" : `?${query}`}`;
}

const run = () => apply(cloud, files, prune);

const destroyAll = () => destroy(cloud, files, true);

const reset = (seed: () => Seed) => () => cloud.reset(structuredClone(seed()));
// A policy does not name its resource. Its etag makes every write conditional, so that a policy of another resource is not written.
const harmless = new Map([["POST v1/projects/{}/serviceAccounts/{}:getIamPolicy", ["of another resource"]]]);
const lists = /"(accounts|roles|workloadIdentityPools|workloadIdentityPoolProviders|services)":|"storage#objects"/;
const endless = (_: string, body: string) =>
  lists.test(body) ? body.replace(/\}$/, ',"nextPageToken":"again"}') : undefined;
const base = () => ({ ...strangeHttp({ cloud, callOf, endless }), harmless, wrong: () => differences(cloud, files) });

it("a reading that says nothing is not known", async () => {
  const calls = await tryAll({ ...base(), run, start: reset(() => healthy) }, "reads", "unknown");
  expect(calls).toMatchInlineSnapshot(`
    [
      "GET storage/v1/b/{}",
      "GET storage/v1/b/{}/iam",
      "GET storage/v1/b/{}/o/{}",
      "GET storage/v1/b/{}/o/{}?alt",
      "GET v1/projects/{}",
      "GET v1/projects/{}/locations/global/workloadIdentityPools",
      "GET v1/projects/{}/locations/global/workloadIdentityPools/{}/providers",
      "GET v1/projects/{}/locations/global/workloadIdentityPools/{}/providers/{}",
      "GET v1/projects/{}/roles",
      "GET v1/projects/{}/serviceAccounts",
      "GET v1/projects/{}/services",
      "GET {}/.well-known/openid-configuration",
      "GET {}/keys.json",
      "POST v1/projects/{}/serviceAccounts/{}:getIamPolicy",
      "POST v1/projects/{}:getIamPolicy",
    ]
  `);
});

it("a write whose answer says nothing counts only if a reading shows it", async () => {
  const trial = { ...base(), run, start: reset(() => ({})) };
  const calls = await tryAll(trial, "writes", "no false success");
  expect(calls).toMatchInlineSnapshot(`
    [
      "POST storage/v1/b",
      "POST upload/storage/v1/b/{}/o",
      "POST v1/projects/{}/locations/global/workloadIdentityPools",
      "POST v1/projects/{}/locations/global/workloadIdentityPools/{}/providers",
      "POST v1/projects/{}/roles",
      "POST v1/projects/{}/serviceAccounts",
      "POST v1/projects/{}/serviceAccounts/{}:setIamPolicy",
      "POST v1/projects/{}:setIamPolicy",
      "PUT storage/v1/b/{}/iam",
    ]
  `);
});

it("a change whose answer says nothing counts only if a reading shows it", async () => {
  const changed = () => {
    const seed = structuredClone(healthy);
    for (const one of Object.values(seed.pools ?? {})) one.state = "DELETED";
    for (const one of Object.values(seed.roles ?? {})) one.deleted = true;
    for (const one of Object.values(seed.accounts ?? {})) Object.assign(one, { disabled: true, displayName: "x" });
    for (const one of Object.values(seed.buckets ?? {})) {
      one.policy = { bindings: [], changes: 0 };
      one.billing = { requesterPays: true };
    }
    return seed;
  };
  const trial = { ...base(), run, start: reset(changed) };
  const calls = await tryAll(trial, "writes", "no false success");
  expect(calls).toMatchInlineSnapshot(`
    [
      "PATCH storage/v1/b/{}",
      "PATCH v1/projects/{}/locations/global/workloadIdentityPools/{}",
      "PATCH v1/projects/{}/roles/{}",
      "PATCH v1/projects/{}/serviceAccounts/{}",
      "POST v1/projects/{}/locations/global/workloadIdentityPools/{}:undelete",
      "POST v1/projects/{}/roles/{}:undelete",
      "POST v1/projects/{}/serviceAccounts/{}:enable",
      "PUT storage/v1/b/{}/iam",
    ]
  `);
});

describe("a removal", () => {
  const left = async () => {
    const { pools, accounts, roles, buckets, policy } = cloud.state;
    const there = [pools, roles].flatMap((all) =>
      Object.entries(all).flatMap(([name, one]) => (one.state === "DELETED" || one.deleted ? [] : name)),
    );
    const members = policy.bindings.flatMap(({ members }) => members).filter((one) => !one.startsWith("deleted:"));
    return [...there, ...Object.keys(accounts), ...Object.keys(buckets), ...members];
  };
  const trial = () => ({ ...base(), run: destroyAll, wrong: left, start: reset(() => healthy) });

  it("does not begin with a reading that says nothing", async () => {
    const calls = await tryAll(trial(), "reads", "no false success");
    expect(calls).toMatchInlineSnapshot(`
      [
        "GET storage/v1/b/{}",
        "GET storage/v1/b/{}/iam",
        "GET storage/v1/b/{}/o/{}",
        "GET storage/v1/b/{}/o/{}?alt",
        "GET storage/v1/b/{}/o?softDeleted",
        "GET storage/v1/b/{}/o?versions",
        "GET v1/projects/{}",
        "GET v1/projects/{}/locations/global/workloadIdentityPools",
        "GET v1/projects/{}/locations/global/workloadIdentityPools/{}",
        "GET v1/projects/{}/locations/global/workloadIdentityPools/{}/providers",
        "GET v1/projects/{}/locations/global/workloadIdentityPools/{}/providers/{}",
        "GET v1/projects/{}/roles",
        "GET v1/projects/{}/roles/{}",
        "GET v1/projects/{}/serviceAccounts",
        "GET v1/projects/{}/serviceAccounts/{}",
        "GET v1/projects/{}/services",
        "GET {}/.well-known/openid-configuration",
        "GET {}/keys.json",
        "GET {}?uploads",
        "POST v1/projects/{}/serviceAccounts/{}:getIamPolicy",
        "POST v1/projects/{}:getIamPolicy",
      ]
    `);
  });

  it("counts only if a reading shows it", async () => {
    const calls = await tryAll(trial(), "writes", "no false success");
    expect(calls).toMatchInlineSnapshot(`
      [
        "DELETE storage/v1/b/{}",
        "DELETE storage/v1/b/{}/o/{}",
        "DELETE v1/projects/{}/locations/global/workloadIdentityPools/{}",
        "DELETE v1/projects/{}/locations/global/workloadIdentityPools/{}/providers/{}",
        "DELETE v1/projects/{}/roles/{}",
        "DELETE v1/projects/{}/serviceAccounts/{}",
        "POST v1/projects/{}:setIamPolicy",
      ]
    `);
  });
});
