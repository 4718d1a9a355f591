import { afterAll, beforeAll, expect, it } from "vitest";
import { StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { exportedGcp } from "../../helpers/gcp-administrator.ts";
import { twoGcpRequests } from "../../helpers/gcp-package.ts";
import { expectTheSameEnd } from "./faults.ts";

let gcloud: StubGcloud;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
});
afterAll(() => gcloud?.stop());

// A request with a predefined role and a custom role: a second one would add no other kind of call.
const requests = twoGcpRequests.slice(0, 1);

it.each(["PoolJWKFile", "Bucket"])(
  "apply.sh leads to the same project wherever it was interrupted: %s",
  (keyStorage) => {
    const goal = expectTheSameEnd(gcloud, { out: exportedGcp({ keyStorage }, requests), script: "apply.sh" });
    expect(Object.keys(goal.accounts)).toHaveLength(1);
  },
);
