import { afterAll, beforeAll, expect, it } from "vitest";
import { StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";
import { twoGcpRequests } from "../../helpers/gcp-package.ts";
import { expectTheSameEnd } from "./faults.ts";

let gcloud: StubGcloud;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
});
afterAll(() => gcloud?.stop());

it("destroy.sh leads to the same project wherever it was interrupted, and apply.sh restores it from there", () => {
  const out = exportedGcp({ keyStorage: "Bucket" }, twoGcpRequests.slice(0, 1));
  const one = new Administrator(gcloud, out);
  gcloud.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  const seed = gcloud.state();
  const goal = expectTheSameEnd(gcloud, { out, script: "destroy.sh", flags: ["--yes", "--delete-roles"], seed });
  expect(goal).toMatchObject({ accounts: {}, buckets: {}, policy: { bindings: [] } });
  expect(goal.pools["demo"]).toMatchObject({ state: "DELETED", providers: { demo: { state: "DELETED" } } });

  const restored = expectTheSameEnd(gcloud, { out, script: "apply.sh", seed: goal });
  expect(restored).toEqual(seed);
});
