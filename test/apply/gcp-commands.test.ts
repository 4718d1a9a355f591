import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { commandLine } from "../helpers/ccf.ts";
import { renderedGcpPackage, twoGcpRequests } from "../helpers/gcp-package.ts";
import { answerOf } from "../helpers/in-process.ts";
import { readTree, temporary, writeTree } from "../helpers/temporary.ts";
import { GcpCloud } from "./gcp-cloud.ts";

let cloud: GcpCloud;
let environment: Record<string, string>;
const names = ["one", "two", "three"] as const;
const trees = new Map<string, Record<string, string>>();
let root: string;

beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
  const issuer = readFileSync(new URL("../../testdata/sample-cluster/serviceaccount-signer.public", import.meta.url));
  for (const name of names) {
    const spec = {
      issuer: { signingKeys: [{ publicKey: String(issuer) }], url: `https://${name}.example` },
    };
    trees.set(name, readTree(renderedGcpPackage({}, twoGcpRequests.slice(0, 1), spec, `demo-${name}`)));
  }
});
beforeEach(() => {
  cloud.reset();
  environment = cloud.environment(temporary());
  Object.assign(process.env, environment);
  root = temporary();
  for (const [name, tree] of trees) writeTree(join(root, name), tree);
});
afterAll(async () => {
  for (const name of Object.keys(environment)) delete process.env[name];
  await cloud.stop();
});

const of = (name: string) => join(root, name);
const command = (...args: string[]) => answerOf([...args, "--recursive", root, "--jobs", "2"]);
const requests = (part: string) => cloud.received.filter(({ url }) => url.includes(part)).length;

describe("several packages of one project", () => {
  it("are applied, each by itself, and compared with one line for each", async () => {
    const dry = await command("apply", "--dry-run");
    expect([dry.status, dry.stderr]).toEqual([2, ""]);
    expect(dry.stdout).toMatch(/\nDigest of all 3 plans: sha256:[0-9a-f]{64}\n3 packages: 3 would change\n$/);
    const done = await command("apply", "--yes");
    expect([done.status, done.stdout]).toEqual([0, expect.stringMatching(/\n3 packages: 3 applied\n$/)]);
    expect(done.stderr).toMatch(new RegExp(`^${of("two")}: \\d+ created\\.$`, "m"));
    expect(done.stderr).not.toContain("workload identity pool");
    expect(done.stdout).toContain(`${of("two")}: the cloud matches the package.\n`);
    expect(await command("apply", "--yes")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/\n3 packages: 3 in sync\n$/),
    });
    expect(await command("status")).toEqual({
      status: 0,
      stderr: "",
      stdout: `${[...names]
        .sort()
        .map((name) => `${of(name)}: in sync\n`)
        .join(
          "",
        )}Not checked: which keys the clusters sign with, and which Secrets they have.\n3 packages: 3 in sync\n`,
    });
  });

  it("read what they share once", async () => {
    await command("apply", "--yes");
    cloud.received.length = 0;
    await command("status");
    expect([requests("/serviceAccounts?"), requests("/roles?"), requests("workloadIdentityPools?")]).toEqual([1, 1, 1]);
    expect([requests("projects/demo-project:getIamPolicy"), requests("/services?")]).toEqual([1, 1]);
    expect(cloud.received.filter(({ url }) => /\/v1\/projects\/demo-project$/.test(url))).toHaveLength(1);
  });

  it("show drift before the others, and write all results", async () => {
    await command("apply", "--yes");
    const [email = ""] = Object.keys(cloud.state.accounts).filter((one) => one.startsWith("demo-two-"));
    (cloud.state.accounts[email] as { disabled?: boolean }).disabled = true;
    const results = join(root, "results");
    const { status, stdout } = await command("status", "--results", results);
    expect(status).toBe(2);
    expect(stdout).toMatch(
      new RegExp(`^${of("two")}  Google Cloud project demo-project\\n  ! differs: service account demo-two-`),
    );
    expect(stdout).toContain(`\n${of("two")}: 1 difference\n`);
    expect(stdout).toMatch(/\n3 packages: 2 in sync, 1 drift\n$/);
    expect(readdirSync(results).sort()).toEqual([...names].sort().map((name) => `demo-project-demo-${name}.json`));
    const wave = await answerOf(["upgradeable-to", "4.20", "--status", results, "--recursive", root]);
    expect([wave.status, wave.stdout]).toEqual([2, expect.stringMatching(/\n3 packages: 2 allowed, 1 refused\n$/)]);
    expect(wave.stderr.replace(/\d{4}-[^ ]*Z/, "TIME")).toBe(
      `${of("two")}:\nerror: At TIME, the cloud differed from the package; apply the package, and then run "ccf status --results DIR" again. [status-not-in-sync]\n`,
    );
    const report = await answerOf(["report", "--status", results, "--recursive", root, "-o", "csv"]);
    expect(report.stdout.match(/,"in sync"$/gm)).toHaveLength(2);
    expect(report.stdout).toMatch(/two,.*,drift$/m);
  });

  it("go on after a failure of one of them", async () => {
    writeFileSync(join(of("three"), "gcp/cluster.yaml"), "");
    const { status, stdout, stderr } = await command("apply", "--yes");
    expect([status, stdout]).toEqual([1, expect.stringMatching(/\n3 packages: 2 applied, 1 failed\n$/)]);
    expect(stderr).toContain(`${of("three")}:\nerror: `);
    expect(Object.keys(cloud.state.pools).sort()).toEqual(["demo-one", "demo-two"]);
    expect(await command("status")).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/three: not known\n[\s\S]*\n3 packages: 2 in sync, 1 cannot tell\n$/),
    });
  });

  it("are not applied, and nothing is asked for them, if two of them are one cluster", async () => {
    writeTree(join(root, "copy"), trees.get("two") ?? {});
    const conflict = (one: string, other: string) =>
      new RegExp(`${of(one)}:\nerror: cluster-identity.yaml: .* (?:is|are) also in the package of "${of(other)}/`);
    for (const args of [["apply", "--yes"], ["status"]]) {
      const { status, stdout, stderr } = await command(...args);
      expect(status).toBe(1);
      expect(stdout).toMatch(/\n4 packages: 2 (?:applied|in sync), 2 (?:failed|cannot tell)\n$/);
      expect(stderr).toMatch(conflict("copy", "two"));
      expect(stderr).toMatch(conflict("two", "copy"));
      expect(stderr).toContain("[cluster-not-unique]\n");
    }
    expect(Object.keys(cloud.state.pools).sort()).toEqual(["demo-one", "demo-three"]);
    expect(cloud.received.filter(({ url }) => /demo-two/.test(url))).toEqual([]);
    const selected = join(temporary(), "touched");
    writeFileSync(selected, `${of("two")}/cluster-identity.yaml\n`);
    const touched = await command("apply", "--yes", "--touched", selected, "-o", "json");
    expect([touched.status, touched.stdout]).toEqual([1, expect.stringContaining("cluster-not-unique")]);
    expect(Object.keys(cloud.state.pools)).not.toContain("demo-two");
    // Of one package, nothing is read outside it.
    expect(await answerOf(["apply", "--yes", of("two")])).toMatchObject({ status: 0 });
  });

  it("are compared with one that cannot be read, as far as that is known", async () => {
    const broken = (trees.get("two")?.["cluster-identity.yaml"] ?? "").replace("signingKeys", "signingKey");
    writeTree(join(root, "broken"), { ...trees.get("two"), "cluster-identity.yaml": broken });
    const selected = join(temporary(), "touched");
    writeFileSync(selected, `${of("two")}/cluster-identity.yaml\n`);
    const { status, stderr } = await command("apply", "--yes", "--touched", selected);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: .* is a copy of .*\[cluster-not-compared\]\n/),
    ]);
  });

  it("go on after a failure in the cloud of one of them", async () => {
    cloud.before = ({ method, url }) => {
      const isRefused = method === "POST" && url.includes("workloadIdentityPoolId=demo-two");
      if (isRefused) cloud.world.settings.permissions = [];
      else delete cloud.world.settings.permissions;
    };
    const { status, stdout, stderr } = await command("apply", "--yes");
    expect([status, stdout]).toEqual([1, expect.stringMatching(/\n3 packages: 2 applied, 1 failed\n$/)]);
    expect(stderr).toMatch(/two: workload identity pool demo-two: POST .* 403 PERMISSION_DENIED/);
    expect(stderr).toMatch(
      /two: \d+ resources skipped because workload identity pool demo-two failed \[steps-skipped\]$/m,
    );
    cloud.before = () => undefined;
    expect(await command("apply", "--yes")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/\n3 packages: 2 in sync, 1 applied\n$/),
    });
  });

  it("are selected by labels, parts, and touched paths", async () => {
    const touched = join(temporary(), "touched");
    writeFileSync(touched, `${of("two")}/cluster-identity.yaml\n`);
    expect(await command("apply", "--dry-run", "--touched", touched)).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/\n1 of 3 packages \(touched\): 1 would change\n$/),
    });
    writeFileSync(touched, "README.md\n");
    expect(await command("status", "--touched", touched)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/0 packages touched, of 3\n$/),
    });
    expect(cloud.received.filter(({ changes }) => changes)).toEqual([]);
    expect(await command("status", "-l", "platform=aws")).toMatchObject({ status: 1 });
    const parts = await command("status", "--shard", "1/1");
    expect(parts.stdout).toMatch(/\n3 of 3 packages \(shard 1\/1\): 3 drift\n$/);
  });

  it("adopt a resource that only one of them has", async () => {
    await command("apply", "--yes");
    const [email = ""] = Object.keys(cloud.state.accounts).filter((one) => one.startsWith("demo-two-"));
    (cloud.state.accounts[email] as { description?: string }).description = "";
    const id = email.replace(/@.*/, "");
    expect(await command("apply", "--yes")).toMatchObject({ status: 1 });
    expect(await command("apply", "--yes", "--adopt", id)).toMatchObject({ status: 0 });
    expect(await command("apply", "--yes", "--adopt", "typo")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "--adopt typo: no resource of these packages that can be adopted by itself has this name. Nothing was changed",
      ),
    });
  });

  it("adopt nothing if a name is that of two kinds", async () => {
    await command("apply", "--yes");
    for (const pool of Object.values(cloud.state.pools))
      for (const one of [pool, ...Object.values(pool.providers)]) one.description = "";
    cloud.received.length = 0;
    const refused = await command("apply", "--yes", "--adopt", "demo-two");
    expect([refused.status, refused.stdout, refused.stderr]).toEqual([
      1,
      "",
      expect.stringContaining(
        "--adopt demo-two: resources of several kinds have this name; use --adopt 'workload identity pool/demo-two' or --adopt provider/demo-two. Nothing was changed",
      ),
    ]);
    expect(cloud.received.filter(({ changes }) => changes)).toEqual([]);
  });

  it("print an object on a line for each in JSON", async () => {
    const { stdout, stderr } = await command("apply", "--yes", "-o", "json");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { package: string }).package)).toEqual([...names].sort().map(of));
    expect(stderr).toMatch(/\n3 packages: 3 applied\n$/);
  });
});

describe("the built program", () => {
  it("uses the proxy of the environment, except for what NO_PROXY names", async () => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request, client) => {
      asked.push(String(request.url));
      const [host, port] = String(request.url).split(":");
      const server = connect(Number(port), host, () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        server.pipe(client).pipe(server);
      });
      server.on("error", () => client.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const run = (more: Record<string, string>) =>
      promisify(execFile)(...commandLine("apply", "--yes", of("one")), {
        env: { PATH: process.env["PATH"], ...environment, HTTPS_PROXY, ...more },
      });
    const { host } = new URL(cloud.world.address);
    expect((await run({})).stdout).toContain("demo-one: the cloud matches the package.");
    expect(new Set(asked)).toEqual(new Set([host]));
    asked.length = 0;
    expect((await run({ NO_PROXY: "127.0.0.1" })).stdout).toContain("demo-one: the cloud matches the package.");
    expect(asked).toEqual([]);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
});

describe("what is refused", () => {
  it("is named once, with how many resources need it, and with an error", async () => {
    await answerOf(["apply", "--yes", of("one")]);
    for (const one of Object.values(cloud.state.pools)) one.description = "";
    const { status, stdout, stderr } = await answerOf(["apply", "--yes", of("one")]);
    expect([status, stderr]).toEqual([
      1,
      "error: demo-one: 7 resources were refused or could not be read. The plan gives the reasons. The command did not change them.\n",
    ]);
    expect(stdout).toMatch(
      /^demo-one {2}Google Cloud project demo-project\n {2}! workload identity pool demo-one: it exists without .*\n {2}! and 6 resources that need one of these\n7 refused\.\n$/,
    );
  });

  it("is what another program added, and apply says that it stays", async () => {
    await answerOf(["apply", "--yes", of("one")]);
    for (const { policy } of Object.values(cloud.state.accounts))
      policy.bindings.push({ role: "roles/iam.serviceAccountTokenCreator", members: ["allUsers"] });
    const { status, stdout } = await answerOf(["apply", "--yes", "--prune", of("one")]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(
        "demo-one: the cloud matches the package, except for 1 difference that ccf apply does not change.\n",
      ),
    ]);
    expect(stdout).toMatch(
      /\n {2}! policy member .* for allUsers of service account \S+: the package does not have it/,
    );
    expect(await answerOf(["status", of("one")])).toMatchObject({ status: 2 });
  });
});

describe("a destroy", () => {
  it("says what it removed and what stays, also in JSON", async () => {
    await answerOf(["apply", "--yes", of("one")]);
    const json = await answerOf(["destroy", "--yes", "demo-one", "-o", "json", of("one")]);
    expect(JSON.parse(json.stdout)).toMatchObject({ cluster: "demo-one", outcome: { failed: [], skipped: [] } });
    expect((JSON.parse(json.stdout) as { outcome: { done: unknown[] } }).outcome.done).toHaveLength(5);
    const again = await answerOf(["destroy", "--yes", "demo-one", "-o", "json", of("one")]);
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: { done: [] } });
    await answerOf(["apply", "--yes", of("one")]);
    expect((await answerOf(["destroy", "--yes", "demo-one", of("one")])).stdout).toMatch(
      /\ndemo-one: what the package created is removed, except for 1 resource that stays\.\n$/,
    );
  });

  it("asks for the name, removes, and finds nothing a second time", async () => {
    await answerOf(["apply", "--yes", of("one")]);
    const first = await answerOf(["destroy", "--yes", "demo-one", "--delete-roles", of("one")]);
    expect([first.status, first.stdout]).toEqual([
      0,
      expect.stringContaining("note: Google blocks the ID of a custom role until 37 days after its removal"),
    ]);
    expect(await answerOf(["destroy", "--yes", "demo-one", "--delete-roles", of("one")])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Nothing to remove."),
    });
  });
});
