import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { awsEngine } from "../../src/clouds/aws/apply/engine.ts";
import { engines } from "../../src/clouds/engines.ts";
import type { Any } from "../helpers/cluster.ts";
import { type Answer, answerOf } from "../helpers/in-process.ts";
import { azureFlags, gcpFlags, initFlags } from "../helpers/sample.ts";
import { keptTemporary } from "../helpers/temporary.ts";
import { AwsCloud } from "./aws-cloud.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { GcpCloud } from "./gcp-cloud.ts";

/*
 * The package of a cluster and that of a team beside it, in one account and with one prefix: neither changes what the other one made.
 */

const [tenant, subscription] = ["55555555-6666-7777-8888-999999999999", "00000000-1111-2222-3333-444444444444"];
const services = ["cloudresourcemanager", "compute", "dns", "iam", "iamcredentials", "serviceusage", "storage", "sts"];
const kept = keptTemporary();
const root = kept.directory;
const google = await GcpCloud.start({
  project: "my-project",
  services: services.map((one) => `${one}.googleapis.com`),
});
const azure = await AzureCloud.start({ tenant, subscription });
const amazon = new AwsCloud();
const environment = { ...google.environment(root), ...azure.environment() };
const shop = `/subscriptions/${subscription}/resourceGroups/demo-oidc`;

beforeAll(() => {
  pace.second = 0;
  Object.assign(process.env, environment);
  engines["aws"] = async () => (access) => awsEngine(access, amazon.connection());
});
afterAll(async () => {
  for (const name of Object.keys(environment)) delete process.env[name];
  kept.remove();
  await Promise.all([google.stop(), azure.stop()]);
});

async function ok(...args: string[]): Promise<Answer> {
  const answer = await answerOf(args);
  expect(answer.status, `${args.join(" ")}\n${answer.stdout}${answer.stderr}`).toBe(0);
  return answer;
}

function writeWorkload(directory: string, name: string): void {
  const path = join(directory, "workloads/shop");
  mkdirSync(path, { recursive: true });
  const object = {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "WorkloadIdentity",
    metadata: { name, namespace: "shop", annotations: { "config.kubernetes.io/local-config": "true" } },
    spec: {
      serviceAccounts: [name],
      aws: { statements: [{ effect: "Allow", action: ["s3:GetObject"], resource: "arn:aws:s3:::shop/*" }] },
      gcp: { predefinedRoles: ["roles/pubsub.publisher"], permissions: ["pubsub.topics.list"] },
      azure: { roles: [{ role: "Reader", scope: shop }] },
    },
  };
  writeFileSync(join(path, `${name}.yaml`), dump(object));
}

describe.each([
  ["aws", initFlags({ name: "demo" })],
  ["gcp", gcpFlags({ name: "demo" })],
  ["azure", azureFlags({ name: "demo" })],
])("on %s", (cloud, flags) => {
  const [cluster, team, facts] = ["cluster", "shop-workloads", "facts"].map((name) => join(root, cloud, name)) as [
    string,
    string,
    string,
  ];
  const inSync = async (...directories: string[]) => {
    for (const directory of directories) {
      const { status, stdout } = await answerOf(["status", directory]);
      expect(status, stdout).toBe(0);
    }
  };
  const digest = () => (load(readFileSync(join(facts, "facts.yaml"), "utf8")) as Any).spec.facts.digest as string;

  it("a team renders and applies the identities of its workloads from the facts of the cluster", async () => {
    await ok("init", cluster, ...flags);
    const path = join(cluster, "cluster-identity.yaml");
    const config = load(readFileSync(path, "utf8")) as Any;
    config.spec.workloads = { namespaces: ["shop", "own"] };
    writeFileSync(path, dump(config));
    await ok("render", cluster);
    await ok("apply", "--yes", cluster);
    await ok("export", cluster, "--format", "facts", "--output-dir", facts);
    expect(readFileSync(join(facts, "facts.yaml"), "utf8")).not.toMatch(/publicKey|signingKeys|BEGIN/);
    await ok("init", team, "--facts", join(facts, "facts.yaml"));
    for (const name of ["cart", "queue"]) writeWorkload(team, name);
    await ok("render", team);
    await ok("apply", "--yes", "--expect-facts", digest(), team);
    await inSync(cluster, team);
  });

  it("another digest of facts, the package of the cluster, and edited facts are refused", async () => {
    for (const [expected, directory] of [
      [digest().replace(/.$/, (last) => (last === "0" ? "1" : "0")), team],
      [digest(), cluster],
    ] as const) {
      const { status, stderr } = await answerOf(["apply", "--yes", "--expect-facts", expected, directory]);
      expect([status, stderr]).toEqual([1, expect.stringContaining("[facts-unexpected]")]);
    }
    const path = join(team, "cluster-identity.yaml");
    const before = readFileSync(path, "utf8");
    writeFileSync(path, before.replace("- own", '- "*"'));
    const { status, stderr } = await answerOf(["render", team]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("[facts-edited]")]);
    writeFileSync(path, before);
  });

  it("the package of the cluster leaves what the team made, also with --prune", async () => {
    const { stdout } = await ok("apply", "--yes", "--prune", cluster);
    expect(stdout).toMatch(/^No changes\.$/m);
    await inSync(cluster, team);
  });

  it("the team removes one identity, and nothing of the cluster", async () => {
    rmSync(join(team, "workloads/shop/queue.yaml"));
    expect((await answerOf(["render", team])).status).toBe(1);
    await ok("render", "--allow", "removal:shop/queue", team);
    const { stdout } = await ok("apply", "--yes", "--prune", team);
    const removed = stdout.split("\n").filter((line) => /^ +- /.test(line));
    expect(removed.length, stdout).toBeGreaterThan(0);
    expect(removed.filter((line) => !/queue|shop/.test(line))).toEqual([]);
    await inSync(cluster, team);
  });

  it("the same identity in both packages is refused before a write", async () => {
    writeWorkload(cluster, "cart");
    await ok("render", cluster);
    const { status, stdout, stderr } = await answerOf(["apply", "--dry-run", cluster]);
    expect(status, stdout + stderr).toBe(1);
    expect(stdout).toMatch(/cart/);
    rmSync(join(cluster, "workloads"), { recursive: true });
    await ok("render", "--allow", "removal:shop/cart", cluster);
  });

  it("a destroy of the team's package leaves the cluster as it is", async () => {
    await ok("destroy", "--yes", "demo", team);
    await inSync(cluster);
    const { status } = await answerOf(["status", team]);
    expect(status).toBe(2);
  });
});
