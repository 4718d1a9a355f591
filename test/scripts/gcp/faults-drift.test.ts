import { afterAll, beforeAll, expect, it } from "vitest";
import { type State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";
import { twoGcpRequests } from "../../helpers/gcp-package.ts";
import { expectTheSameEnd } from "./faults.ts";

let gcloud: StubGcloud;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
});
afterAll(() => gcloud?.stop());

const requests = twoGcpRequests.slice(0, 1);

function applied(keyStorage: string): { out: string; state: State } {
  const out = exportedGcp({ keyStorage }, requests);
  gcloud.reset();
  expect(new Administrator(gcloud, out).apply()).toMatchObject({ status: 0, stderr: "" });
  return { out, state: gcloud.state() };
}

it("apply.sh mends what was changed by hand wherever it was interrupted", () => {
  const { out, state } = applied("PoolJWKFile");
  const seed = structuredClone(state);
  const pool = seed.pools["demo"];
  const provider = pool?.providers["demo"];
  if (pool === undefined || provider === undefined) throw new Error("it was not applied");
  pool.disabled = true;
  provider.oidc.issuerUri = "https://other.example.com";
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
  const goal = expectTheSameEnd(gcloud, { out, script: "apply.sh", seed });
  const others = { role: "roles/editor", members: ["user:a@example.com"] };
  const { policy, ...rest } = goal;
  const { policy: wanted, ...before } = state;
  expect(rest).toEqual(before);
  expect(policy.bindings).toEqual(expect.arrayContaining([...wanted.bindings, others]));
  expect(policy.bindings).toHaveLength(wanted.bindings.length + 1);
});

it("apply.sh moves the keys from the bucket to the provider, and back, wherever it was interrupted", () => {
  const bucket = applied("Bucket");
  const provider = applied("PoolJWKFile");
  const there = { out: provider.out, script: "apply.sh", flags: ["--prune"], seed: bucket.state } as const;
  expect(expectTheSameEnd(gcloud, there)).toEqual(provider.state);
  const back = { out: bucket.out, script: "apply.sh", seed: provider.state } as const;
  expect(expectTheSameEnd(gcloud, back)).toEqual(bucket.state);
});
