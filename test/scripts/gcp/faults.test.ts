import { afterAll, beforeAll, expect, it } from "vitest";
import { type State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { exportedGcp } from "../../helpers/gcp-administrator.ts";
import { twoGcpRequests } from "../../helpers/gcp-package.ts";
import { expectTheSameEnd } from "../faults.ts";
import { faultyGcp } from "./faults.ts";

// A request with a predefined role and a custom role: a second one would add no other kind of call.
const requests = twoGcpRequests.slice(0, 1);

let gcloud: StubGcloud;
let cloud: ReturnType<typeof faultyGcp>;
let inProvider: string;
let inBucket: string;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
  cloud = faultyGcp(gcloud);
  inProvider = exportedGcp({ keyStorage: "PoolJWKFile" }, requests);
  inBucket = exportedGcp({ keyStorage: "Bucket" }, requests);
});
afterAll(() => gcloud?.stop());

/** The projects after apply.sh, with the keys in the provider and in a bucket. */
let provider: State;
let bucket: State;

it("apply.sh leads to the same project wherever it is interrupted", () => {
  provider = expectTheSameEnd(cloud, { out: inProvider, script: "apply.sh", seed: {} });
  expect(Object.keys(provider.accounts)).toHaveLength(1);
  bucket = expectTheSameEnd(cloud, { out: inBucket, script: "apply.sh", seed: {} });
  expect(Object.keys(bucket.accounts)).toHaveLength(1);
});

it("apply.sh repairs manual changes wherever it is interrupted", () => {
  const seed = structuredClone(provider);
  const pool = seed.pools["demo"];
  const found = pool?.providers["demo"];
  if (pool === undefined || found === undefined) throw new Error("it was not applied");
  pool.disabled = true;
  found.oidc.issuerUri = "https://other.example.com";
  for (const account of Object.values(seed.accounts)) {
    Object.assign(account, { displayName: "x", disabled: true });
    account.policy.bindings = [
      {
        role: "roles/iam.workloadIdentityUser",
        members: [
          "principalSet://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/*",
        ],
      },
    ];
  }
  for (const role of Object.values(seed.roles)) role.includedPermissions = ["compute.disks.get"];
  const [email = ""] = Object.keys(seed.accounts);
  seed.policy.bindings = [{ role: "roles/editor", members: [`serviceAccount:${email}`, "user:a@example.com"] }];
  const goal = expectTheSameEnd(cloud, { out: inProvider, script: "apply.sh", seed });
  const others = { role: "roles/editor", members: ["user:a@example.com"] };
  const { policy, ...rest } = goal;
  const { policy: wanted, ...before } = provider;
  expect(rest).toEqual(before);
  expect(policy.bindings).toEqual(expect.arrayContaining([...wanted.bindings, others]));
  expect(policy.bindings).toHaveLength(wanted.bindings.length + 1);
});

it("apply.sh moves the keys from the bucket to the provider, and back, wherever it is interrupted", () => {
  const there = { out: inProvider, script: "apply.sh", flags: ["--prune"], seed: bucket } as const;
  expect(expectTheSameEnd(cloud, there)).toEqual(provider);
  expect(expectTheSameEnd(cloud, { out: inBucket, script: "apply.sh", seed: provider })).toEqual(bucket);
});

it("destroy.sh leads to the same project wherever it is interrupted, and apply.sh restores it from there", () => {
  const flags = ["--yes", "--delete-roles"];
  const goal = expectTheSameEnd(cloud, { out: inBucket, script: "destroy.sh", flags, seed: bucket });
  expect(goal).toMatchObject({ accounts: {}, buckets: {}, policy: { bindings: [] } });
  expect(goal.pools["demo"]).toMatchObject({ state: "DELETED", providers: { demo: { state: "DELETED" } } });
  expect(expectTheSameEnd(cloud, { out: inBucket, script: "apply.sh", seed: goal })).toEqual(bucket);
});
