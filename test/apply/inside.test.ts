import { describe, expect, it } from "vitest";
import { planDestroy } from "../../src/apply/plan-destroy.ts";
import * as azure from "./azure-engine.ts";
import { carriedOut } from "./carried-out.ts";
import * as gcp from "./gcp-engine.ts";
import { runningClouds } from "./running-clouds.ts";

// On AWS, see aws-ownership.test.ts.
const running = runningClouds();

describe("what others have inside a resource keeps it when the package is destroyed:", () => {
  it("a federated credential of another issuer", async () => {
    const files = azure.exportedFiles();
    running.azure.reset();
    await azure.apply(running.azure, files);
    const [id = ""] = Object.keys(running.azure.state.identities);
    const credentials = running.azure.state.identities[id]?.credentials ?? {};
    credentials["ci"] = { issuer: "https://ci.example", subject: "repo:team", audiences: ["a"] };
    credentials["old"] = {
      ...(Object.values(credentials)[0] as object),
      subject: "left",
    } as (typeof credentials)[string];
    const target = azure.open(running.azure, files);
    const made = await azure.destroyPlan(target);
    const kept = made.steps.find(({ action, kind }) => action === "keep" && kind === "managed identity");
    expect(kept?.reason).toMatch(
      /^it contains federated credential .*: repo:team of https:\/\/ci\.example, which the package does not have;/,
    );
    const flag = /--include-foreign '(.*)'$/.exec(kept?.reason ?? "")?.[1] ?? "";
    expect(flag).toMatch(/^federated credential\/.*: repo:team of https:\/\/ci\.example$/);
    expect((await carriedOut(target, made)).failed).toEqual([]);
    expect(Object.keys(running.azure.state.identities[id]?.credentials ?? {})).toContain("ci");
    const again = azure.open(running.azure, files);
    const state = await again.read({ fetch: false, progress: () => undefined });
    expect((await carriedOut(again, await planDestroy(again, state, [flag]))).failed).toEqual([]);
    expect(running.azure.state.identities).toEqual({});
  });

  it("a member of the policy of a service account, or of the bucket", async () => {
    const files = gcp.exportedFiles({ keyStorage: "Bucket" });
    running.gcp.reset();
    await gcp.apply(running.gcp, files);
    const [account] = Object.values(running.gcp.state.accounts);
    const [bucket] = Object.values(running.gcp.state.buckets);
    account?.policy.bindings.push({ role: "roles/iam.serviceAccountTokenCreator", members: ["user:kim@example.com"] });
    bucket?.policy.bindings.push({
      role: "roles/storage.objectViewer",
      members: ["user:lee@example.com", "projectViewer:demo-project"],
    });
    const target = gcp.open(running.gcp, files, true);
    const made = await gcp.destroyPlan(target);
    const reasons = made.steps.flatMap(({ action, kind, reason = "" }) =>
      action === "keep" ? [`${kind}: ${reason}`] : [],
    );
    expect(reasons).toContainEqual(
      expect.stringMatching(/^service account: it contains policy member .*kim@example\.com/),
    );
    expect(reasons).toContainEqual(
      expect.stringMatching(/^bucket: (it contains policy member .*lee@example\.com|.* stays$)/),
    );
    expect(gcp.problems(await carriedOut(target, made))).toBe("");
    expect(Object.values(running.gcp.state.accounts)).toContain(account);
    expect(Object.values(running.gcp.state.buckets)).toContain(bucket);
    const flags = [
      ...reasons.flatMap((reason) => /--include-foreign '(.*)'$/.exec(reason)?.[1] ?? []),
      "policy member/demo-oidc: roles/storage.objectViewer for user:lee@example.com",
    ];
    const again = gcp.open(running.gcp, files, true);
    const state = await again.read({ fetch: false, progress: () => undefined });
    const whole = await planDestroy(again, state, flags);
    expect(gcp.problems(await carriedOut(again, whole))).toBe("");
    expect([running.gcp.state.accounts, running.gcp.state.buckets]).toEqual([{}, {}]);
  });
});
