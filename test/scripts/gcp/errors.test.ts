import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Settings, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";
import { twoGcpRequests } from "../../helpers/gcp-package.ts";

let gcloud: StubGcloud;
let pooled: Administrator;
let bucketed: Administrator;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
  pooled = new Administrator(gcloud, exportedGcp());
  bucketed = new Administrator(gcloud, exportedGcp({ keyStorage: "Bucket" }));
});
afterAll(() => gcloud?.stop());

describe("what Google refuses for a moment is repeated", () => {
  it.each<[string, Partial<Settings>]>([
    ["concurrent changes of a policy", { conflicts: 3 }],
    ["an account that is not known everywhere", { hidden: 3 }],
    ["both", { conflicts: 2, hidden: 2 }],
  ])("%s", (_, settings) => {
    for (const one of [pooled, bucketed]) {
      gcloud.reset();
      expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
      const applied = gcloud.state();
      gcloud.reset();
      gcloud.settings(settings);
      expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
      expect(gcloud.state()).toEqual(applied);
      gcloud.reset(applied);
      gcloud.settings(settings);
      expect(one.destroy("--yes")).toMatchObject({ status: 0, stderr: "" });
    }
  });

  it("but not without end", () => {
    gcloud.reset();
    gcloud.settings({ conflicts: 1000 });
    const { status, stderr } = pooled.apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: gcloud iam service-accounts add-iam-policy-binding: .*concurrent policy changes/m);
  });
});

describe("what an organization forbids is explained", () => {
  it.each<[string, "pooled" | "bucketed", Partial<Settings>, RegExp]>([
    [
      "the issuer",
      "pooled",
      { constraints: ["iam.workloadIdentityPoolProviders"] },
      /^note: .*constraints\/iam\.workloadIdentityPoolProviders.*https:\/\/storage\.googleapis\.com\/demo-oidc/m,
    ],
    [
      "public buckets",
      "bucketed",
      { constraints: ["storage.publicAccessPrevention"] },
      /^note: .*public access prevention.*PoolJWKFile/m,
    ],
    [
      "members of other domains, and everyone",
      "bucketed",
      { constraints: ["iam.allowedPolicyMemberDomains"] },
      /^note: .*constraints\/iam\.allowedPolicyMemberDomains.*PoolJWKFile/m,
    ],
    [
      "service accounts",
      "pooled",
      { constraints: ["iam.disableServiceAccountCreation"] },
      /^note: .*constraints\/iam\.disableServiceAccountCreation/m,
    ],
  ])("%s", (_, which, settings, note) => {
    gcloud.reset();
    gcloud.settings(settings);
    const one = which === "pooled" ? pooled : bucketed;
    const { status, stderr } = one.apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(note);
    expect(stderr).toMatch(/^error: gcloud /m);
    // Nothing is lost: it goes on when the constraint is gone.
    gcloud.settings({ constraints: [] });
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(one.status()).toMatchObject({ status: 0 });
  });

  it("an unknown constraint is printed whole", () => {
    gcloud.reset();
    gcloud.failAt(4, {
      error: "FAILED_PRECONDITION: violated\n- '@type': x\n  violations:\n  - type: constraints/custom.other",
    });
    const { stderr } = pooled.apply();
    expect(stderr).toContain("constraints/custom.other");
  });

  it("a permission that Google does not know", () => {
    const [request] = twoGcpRequests;
    const requests = [{ ...request, permissions: ["compute.disks.invalid"] }] as typeof twoGcpRequests;
    gcloud.reset();
    const { status, stderr } = new Administrator(gcloud, exportedGcp({}, requests)).apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^note: a request lists a permission that Google does not know/m);
    expect(stderr).toContain("compute.disks.invalid");
  });
});

describe("the output", () => {
  it("is JSON for programs, also of an error", () => {
    gcloud.reset({ project: "demo-other" });
    const { status, stdout } = pooled.status("-o", "json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("gcloud projects describe"),
    });
    gcloud.reset();
    const found = JSON.parse(pooled.status("-o", "json").stdout);
    expect(found).toMatchObject({ account: "demo-project", status: "differs", changes: 5 });
  });

  it("contains nothing that a terminal would interpret", () => {
    gcloud.reset();
    expect(pooled.apply()).toMatchObject({ status: 0 });
    gcloud.put(["pools", "demo", "displayName"], "\u001b[31mred\nnext");
    gcloud.put(["accounts", pooled.emails()[0] ?? "", "displayName"], "\u001b]0;title\u0007");
    const { stdout, stderr } = pooled.status();
    expect(`${stdout}${stderr}`).toMatch(/^[\n -~]*$/);
    expect(stdout).toContain("demo: settings");
  });

  it("names what is missing if there is no gcloud", () => {
    const { status, stderr } = new Administrator(gcloud, pooled.out, { PATH: "/nowhere" }).status();
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/gcloud|not found/);
  });
});
