import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { signerKeyFile } from "../helpers/cluster-package.ts";
import type { Value } from "../helpers/google/types.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import { apply, destroy, differences, exportedFiles, problems, usual } from "./gcp-engine.ts";

let cloud: GcpCloud;
beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
});
afterAll(() => cloud.stop());

it.each(["Bucket", "PoolJWKFile", "External"])(
  "the role of the administrator has exactly the permissions that are used: %s",
  async (keyStorage) => {
    const url = "https://issuer.example";
    const spec = keyStorage === "External" ? { issuer: { ...issuer(), url } } : {};
    const files = exportedFiles({ keyStorage }, undefined, spec);
    const role = JSON.parse(files.get("gcp/admin-role.json") ?? "") as { includedPermissions: string[] };
    cloud.reset({}, { permissions: role.includedPermissions });
    const { settings, state } = cloud.world;
    expect(problems(await apply(cloud, files))).toBe("");
    // What an interrupted run or another administrator leaves behind.
    const [account] = Object.values(state.accounts) as [Value];
    Object.assign(account, { disabled: true, displayName: "x" });
    Object.assign(state.pools["demo"] as Value, { displayName: "x" });
    Object.assign((state.pools["demo"] as Value).providers.demo, { displayName: "x" });
    for (const one of Object.values(state.roles)) one.title = "x";
    for (const one of Object.values(state.buckets)) one.iamConfiguration = {};
    expect(problems(await apply(cloud, files, { ...usual, prune: true }))).toBe("");
    for (const one of Object.values((state.pools["demo"] as Value).providers) as Value[]) one.state = "DELETED";
    expect(problems(await apply(cloud, files))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
    if (keyStorage === "PoolJWKFile") {
      // The bucket that the issuer had before.
      const old = exportedFiles({ keyStorage: "Bucket" });
      delete settings.permissions;
      const before = new Set(cloud.world.used);
      expect(problems(await apply(cloud, old))).toBe("");
      settings.permissions = role.includedPermissions;
      for (const one of cloud.world.used) if (!before.has(one)) cloud.world.used.delete(one);
      expect(problems(await apply(cloud, files, { ...usual, prune: true }))).toBe("");
      expect(cloud.state.buckets).toEqual({});
    }
    expect(problems(await destroy(cloud, files, true))).toBe("");
    expect(problems(await apply(cloud, files))).toBe("");
    expect([...cloud.world.used].sort()).toEqual([...role.includedPermissions].sort());
  },
);

function issuer() {
  return { signingKeys: [{ publicKey: readFileSync(signerKeyFile, "utf8") }] };
}
