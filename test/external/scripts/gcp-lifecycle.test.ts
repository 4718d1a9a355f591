import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { exportGcpTo, type GcpRequest, twoGcpRequests } from "../../helpers/gcp-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { type Answer, RealGcloud } from "../../helpers/real-gcloud.ts";
import { temporary } from "../../helpers/temporary.ts";

// A hundred calls of gcloud, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

// Both kinds of roles, in one account.
const requests: readonly GcpRequest[] = twoGcpRequests.slice(0, 1);
const email = /^demo-image-[a-z0-9-]+@demo-project\.iam\.gserviceaccount\.com$/;

describeWith(["gcloud"], "the scripts, with the real gcloud and a stand-in for Google", () => {
  let google: StubGcloud;
  let real: RealGcloud;
  beforeAll(async () => {
    google = await StubGcloud.start();
    real = await RealGcloud.start(google.address);
  });
  afterAll(async () => {
    await Promise.all([google?.stop(), real?.stop()]);
  });

  it.each(["PoolJWKFile", "Bucket"])(
    "create a cluster's resources, mend them, and delete them: %s",
    async (keyStorage) => {
      const out = join(temporary(), "out");
      exportGcpTo(out, { keyStorage }, requests);
      expect(existsSync(join(out, "gcp/apply.sh"))).toBe(true);
      const script = async (name: string, ...args: string[]): Promise<Answer> => {
        const answer = await real.run(join(out, "gcp", name), args, { env: { CCF_WAIT: "0", TMPDIR: temporary() } });
        expect(answer.stderr, `${name}\n${answer.stdout}`).toBe("");
        return answer;
      };
      google.reset({ policy: { bindings: [{ role: "roles/owner", members: ["user:a@example.com"] }] } });

      const first = await script("apply.sh");
      expect(first).toMatchObject({ status: 0 });
      expect(first.stdout).toMatch(/^\d changes made\. Another run would make none\.$/m);
      const applied = google.state();
      const [account = ""] = Object.keys(applied.accounts);
      expect(account).toMatch(email);

      // What was changed by hand: a setting, a permission, a subject, and a document or a key.
      google.put(["pools", "demo", "displayName"], "other");
      google.put(["accounts", account, "policy", "bindings"], []);
      for (const id of Object.keys(applied.roles))
        google.put(["roles", id, "includedPermissions"], ["compute.disks.get"]);
      if (keyStorage === "Bucket") google.put(["buckets", "demo-oidc", "objects", "keys.json", "body"], "{}");
      else google.put(["pools", "demo", "providers", "demo", "oidc", "jwksJson"]);
      const report = await script("status.sh", "-o", "json");
      expect(report.status).toBe(2);
      expect(JSON.parse(report.stdout)).toMatchObject({ account: "demo-project", status: "differs", changes: 4 });
      expect((await script("apply.sh")).stdout).toContain("4 changes made.");
      expect(google.state()).toEqual(applied);

      const status = await script("status.sh", "-o", "json");
      expect(JSON.parse(status.stdout)).toMatchObject({ status: "in sync", changes: 0, refused: 0 });
      expect(await script("destroy.sh", "--yes")).toMatchObject({ status: 0 });
      const left = google.state();
      expect(left).toMatchObject({ accounts: {}, buckets: {}, pools: { demo: { state: "DELETED" } } });
      expect(left.policy.bindings).toEqual([{ role: "roles/owner", members: ["user:a@example.com"] }]);
    },
  );
});
