import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { type Answer, answerOf } from "../helpers/in-process.ts";
import { azureFlags, azureSample, gcpFlags, gcpSample } from "../helpers/sample.ts";
import { readTree, temporary } from "../helpers/temporary.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { GcpCloud } from "./gcp-cloud.ts";

/*
 * The steps of docs/guides/upgrade-fleet.md for clusters of two clouds in one wave. The page itself is run on one cloud.
 */

const [tenant, subscription] = ["55555555-6666-7777-8888-999999999999", "00000000-1111-2222-3333-444444444444"];
const services = ["cloudresourcemanager", "compute", "dns", "iam", "iamcredentials", "serviceusage", "storage", "sts"];
const google = await GcpCloud.start({
  project: "my-project",
  services: services.map((one) => `${one}.googleapis.com`),
});
const azure = await AzureCloud.start({ tenant, subscription });
const root = temporary();
const [clusters, next, results] = ["clusters", "next", "results"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const environment = { ...google.environment(root), ...azure.environment() };
const names = ["azure-1", "azure-2", "shop-1", "shop-2"];
const wave = ["--recursive", clusters, "-l", "wave=1"];

beforeAll(async () => {
  pace.second = 0;
  Object.assign(process.env, environment);
  for (const name of names) {
    const flags = name.startsWith("azure") ? azureFlags({ name }) : gcpFlags({ name });
    await ok("init", join(clusters, name), ...flags);
    await ok("set", `metadata.labels.wave=${name.slice(-1)}`, join(clusters, name));
  }
  await ok("render", "--recursive", clusters);
  await ok("apply", "--yes", "--recursive", clusters);
  release();
});
afterAll(async () => {
  for (const name of Object.keys(environment)) delete process.env[name];
  await Promise.all([google.stop(), azure.stop()]);
});

async function ok(...args: string[]): Promise<Answer> {
  const answer = await answerOf(args);
  expect({ args, ...answer }).toMatchObject({ args, status: 0 });
  return answer;
}

/** In the next release, an operator of each cloud asks for something else, and another one is gone. */
function release(): void {
  mkdirSync(next);
  for (const [cloud, sample] of Object.entries({ gcp: gcpSample, azure: azureSample })) {
    cpSync(join(sample, "credentials-requests"), join(next, cloud), { recursive: true });
    rmSync(join(next, cloud, "20-ingress.yaml"));
  }
  const storage = join(next, "gcp/30-storage.yaml");
  writeFileSync(storage, readFileSync(storage, "utf8").replace("compute.disks.use, ", "compute.snapshots.create, "));
  const registry = join(next, "azure/10-registry.yaml");
  const more = "permissions:\n    - Microsoft.Storage/storageAccounts/delete";
  writeFileSync(registry, readFileSync(registry, "utf8").replace("permissions:", more));
}

const lastLine = ({ stdout }: Answer) => stdout.trimEnd().split("\n").at(-1);

it("upgrades a cluster of each cloud, and finishes what failed", { timeout: 60_000 }, async () => {
  await ok("update-requests", "--from", next, "--recursive", clusters);
  await ok("render", "--recursive", clusters);
  const review = await answerOf(["apply", "--dry-run", "--recursive", clusters, "-o", "markdown"]);
  expect(review.status).toBe(2);
  expect(review.stdout.match(/^### .*$/gm)).toEqual(Array(2).fill(expect.stringMatching(/^### 2 packages, each: /)));

  const plan = join(root, "plan.json");
  writeFileSync(plan, (await answerOf(["apply", "--dry-run", ...wave, "-o", "json"])).stdout);
  const apply = ["apply", "--yes", ...wave, "--expect", plan];
  // What the first run needed does not include the update of a role.
  google.world.settings.permissions = [...google.world.used];
  const failed = await answerOf(apply);
  expect([failed.status, lastLine(failed)]).toEqual([1, "2 of 4 packages (selector wave=1): 1 applied, 1 failed"]);
  const allow = ["upgradeable-to", "4.20", ...wave, "--status", results, "--credentials-requests", next];
  expect(await answerOf(["status", ...wave, "--results", results])).toMatchObject({ status: 2 });
  const partly = await answerOf(allow);
  expect([partly.status, lastLine(partly)]).toEqual([2, "2 of 4 packages (selector wave=1): 1 allowed, 1 refused"]);

  delete google.world.settings.permissions;
  await ok(...apply);
  await ok("status", ...wave, "--results", results);
  expect(lastLine(await ok(...allow))).toBe("2 of 4 packages (selector wave=1): 2 allowed");

  await ok("update-requests", "--final", "--from", next, ...wave);
  const stopped = await answerOf(["render", ...wave]);
  expect([stopped.status, stopped.stderr.match(/\[identities-lost\]/g)]).toEqual([1, Array(2).fill(expect.anything())]);
  await ok("render", ...wave, "--allow", "removal:openshift-ingress-operator/cloud-credentials");
  await ok("apply", "--yes", "--prune", ...wave);
  expect(lastLine(await ok("status", ...wave))).toBe("2 of 4 packages (selector wave=1): 2 in sync");
  expect(lastLine(await answerOf(["status", "--recursive", clusters]))).toBe("4 packages: 2 in sync, 2 drift");
  const allowed = names.filter((name) => "manifests/cluster-cloudcredential.yaml" in readTree(join(clusters, name)));
  expect(allowed).toEqual(["azure-1", "shop-1"]);
});
