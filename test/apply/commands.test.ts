import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";

import { renderedAzurePackage } from "../helpers/azure-package.ts";
import { commandLine } from "../helpers/ccf.ts";
import { answerOf } from "../helpers/in-process.ts";
import { expectFits } from "../helpers/schema.ts";
import { readTree, temporary, writeTree } from "../helpers/temporary.ts";
import { AzureCloud } from "./azure-cloud.ts";

let cloud: AzureCloud;
let rendered: Record<string, string>;
let pkg: string;
const account = "demo01f5430bc3";
const ownerTag = "openshift.io_cloud-credential-operator_demo";

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  rendered = readTree(renderedAzurePackage());
  Object.assign(process.env, cloud.environment());
});
beforeEach(() => {
  cloud.reset();
  pkg = join(temporary(), "package");
  writeTree(pkg, rendered);
});
afterAll(async () => {
  for (const name of Object.keys(cloud.environment())) delete process.env[name];
  await cloud.stop();
});

const changes = () => cloud.received.filter((one) => one.changes);

describe("ccf apply", () => {
  it("plans, applies, stores the client IDs, is in sync, and is destroyed", async () => {
    const dry = await answerOf(["apply", "--dry-run", pkg]);
    expect([dry.status, dry.stderr]).toEqual([2, ""]);
    expect(dry.stdout).toMatch(/^demo {2}Azure subscription 22222222-.*, eastus\n {2}\+ resource group demo-oidc\n/);
    expect(dry.stdout).toMatch(/\n14 to create\. Digest sha256:[0-9a-f]{64}\n$/);
    expect(changes()).toEqual([]);
    const done = await answerOf(["apply", "--yes", pkg]);
    expect([done.status, done.stdout]).toEqual([0, expect.stringMatching(/demo: the cloud matches the package\.\n$/)]);
    expect(done.stdout).toContain("azure/identities.yaml: contains 2 client IDs (2 added).\n");
    const secret = readTree(pkg)["manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml"];
    expect(secret).toMatch(/azure_client_id: aaaaaaaa-0000-4000-8000-00000000000\d/);
    expect(await answerOf(["status", pkg])).toEqual({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(/ {2}= 14 in sync\ndemo: in sync\. Not checked: which key /),
    });
    expect(await answerOf(["apply", "--dry-run", pkg])).toMatchObject({ status: 0 });
    expect(await answerOf(["destroy", "--dry-run", pkg])).toMatchObject({ status: 2 });
    const wrong = await answerOf(["destroy", "--yes", "other", pkg]);
    expect([wrong.status, wrong.stderr]).toEqual([
      1,
      expect.stringContaining("--yes must be the name of the cluster, demo. Nothing was removed"),
    ]);
    expect(await answerOf(["destroy", "--yes", "demo", pkg])).toMatchObject({ status: 0 });
    expect(cloud.state).toMatchObject({ accounts: {}, identities: {}, assignments: {}, definitions: {} });
    expect(await answerOf(["destroy", "--yes", "demo", pkg])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Nothing to remove."),
    });
  });

  it("does not ask without a terminal, and then changes nothing", async () => {
    const { status, stderr } = await answerOf(["apply", pkg]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("nothing was changed: without a terminal, --yes is required"),
    ]);
    expect(changes()).toEqual([]);
  });

  it("does what was approved, and nothing else", async () => {
    const { stdout } = await answerOf(["apply", "--dry-run", "-o", "json", pkg]);
    const [file, digest] = [join(temporary(), "plan.json"), (JSON.parse(stdout) as { digest: string }).digest];
    writeFileSync(file, stdout);
    expectFits("plan", stdout);
    cloud.reset({ groups: { "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/demo": {} } });
    const other = await answerOf(["apply", "--yes", "--expect", digest, pkg]);
    expect([other.status, other.stderr]).toEqual([
      1,
      expect.stringMatching(/The digest of the plan is sha256:.* Nothing was changed\. .*\[plan-unexpected\]/),
    ]);
    const pruned = await answerOf(["apply", "--yes", "--prune", "--expect", file, pkg]);
    expect([pruned.status, pruned.stderr]).toEqual([1, expect.stringContaining("its options differ")]);
    expect(changes()).toEqual([]);
    expect(await answerOf(["apply", "--yes", "--expect", file, pkg])).toMatchObject({ status: 0 });
  });

  it("prints the plan as Markdown, as commands, and as JSON", async () => {
    expect((await answerOf(["apply", "--dry-run", "-o", "markdown", pkg])).stdout).toMatch(
      /^### demo: 14 to create, 0 to update, 0 to remove\n\nAzure subscription .*\n\n```diff\n\+ resource group demo-oidc\n/,
    );
    const { stdout } = await answerOf(["apply", "--dry-run", "-o", "commands", pkg]);
    expect(stdout.split("\n").filter((line) => /^az (rest|storage blob upload) /.test(line))).toHaveLength(14);
    expect(stdout).toContain('principalId = "<the principal ID of demo-openshift-ingress-operator-cloud-credentials>"');
    expect(await answerOf(["apply", "-o", "commands", pkg])).toMatchObject({ status: 1 });
    const applied = await answerOf(["apply", "--yes", "-o", "json", pkg]);
    expectFits("plan", applied.stdout);
    const report = JSON.parse(applied.stdout) as { outcome: { done: string[] } };
    expect(report.outcome.done).toHaveLength(14);
  });

  it("shows only differences, and removes only with --prune", async () => {
    await answerOf(["apply", "--yes", "--quiet", pkg]);
    for (const one of Object.values(cloud.state.accounts)) one.properties.minimumTlsVersion = "TLS1_0";
    for (const one of Object.values(cloud.state.definitions)) one.permissions[0].actions = ["*"];
    for (const one of Object.values(cloud.state.identities))
      one.credentials["x-y"] = { issuer: "https://x.example", subject: "s", audiences: ["a"] };
    const status = await answerOf(["status", pkg]);
    expect(status.stdout).toContain("      properties.minimumTlsVersion  TLS1_0; in the package: TLS1_2\n");
    expect(status.stdout).toContain("      actions  missing: Microsoft.Storage/storageAccounts/read\n");
    expect(status.stdout).toContain("      actions  not in the package: *\n");
    expect(status.stdout).toContain("\n  ! not in the package: federated credential ");
    expect(status.stdout).toContain("\n      lets tokens of https://x.example for s act as ");
    const json = await answerOf(["status", "-o", "json", pkg]);
    expectFits("plan", json.stdout);
    expect(json.stdout).toContain('"is": "extra"');
    const applied = await answerOf(["apply", "--yes", pkg]);
    expect([applied.status, applied.stdout]).toEqual([
      0,
      expect.stringContaining("demo: the cloud matches the package, except for 2 resources that only --prune removes."),
    ]);
    expect(applied.stdout).toContain("2 to update, 2 to remove only with --prune.\n");
    const last = `2 resources that the package does not have stay in the cloud. To remove them, review: ccf apply --dry-run --prune ${pkg}\n`;
    expect(applied.stdout).toMatch(new RegExp(`\n${last}$`));
    expect(await answerOf(["apply", "--yes", "--quiet", pkg])).toEqual({ status: 0, stdout: "", stderr: last });
    const fleet = await answerOf(["apply", "--yes", "-o", "json", "-l", "platform=azure", pkg]);
    expect(fleet.stderr.endsWith(`: 1 in sync\n${last}`), fleet.stderr).toBe(true);
    expect(await answerOf(["apply", "--dry-run", pkg])).toMatchObject({ status: 0 });
    expect(await answerOf(["status", pkg])).toMatchObject({ status: 2 });
    expect(await answerOf(["apply", "--yes", "--prune", "--verbose", pkg])).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^removed federated credential .*\n2 removed\.\n$/s),
    });
    expect(await answerOf(["status", pkg])).toMatchObject({ status: 0 });
  });

  it("refuses what is not the package's, and a name that does not exist", async () => {
    cloud.reset({
      groups: { "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/demo-oidc": {} },
      accounts: { [account]: {} },
    });
    const { status, stdout } = await answerOf(["apply", "--yes", pkg]);
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining(
        `  ! storage account ${account}: it exists without the owner mark of this package; if it is the package's, use --adopt 'storage account/${account}'\n`,
      ),
    ]);
    expect(await answerOf(["apply", "--yes", "--adopt", "typo", pkg])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "--adopt typo: no resource of the package that can be adopted by itself has this name. Nothing was changed",
      ),
    });
    expect(await answerOf(["apply", "--yes", "--adopt", `storage account/${account}`, pkg])).toMatchObject({
      status: 0,
    });
  });
});

describe("a managed identity that was deleted and created again", () => {
  it("has another client ID, which is stored when the package forgets the former one", async () => {
    await answerOf(["apply", "--yes", "--quiet", pkg]);
    const [id] = Object.keys(cloud.state.identities).filter((one) => one.includes("ingress"));
    delete cloud.state.identities[id ?? ""];
    const again = await answerOf(["apply", "--yes", pkg]);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("[assigned-id-changed]")]);
    expect(await answerOf(["apply", "--yes", pkg])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("remove its ID from the package"),
    });
    const ids = join(pkg, "azure/identities.yaml");
    writeFileSync(ids, readFileSync(ids, "utf8").replace(/\n {2}openshift-ingress-operator_.*/, ""));
    rmSync(join(pkg, "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml"));
    expect((await answerOf(["render", pkg])).stderr).toContain("[client-id-unknown]");
    expect(await answerOf(["apply", "--yes", pkg])).toMatchObject({ status: 0 });
    expect(await answerOf(["status", pkg])).toMatchObject({ status: 0 });
  });
});

describe("what a command prints", () => {
  it("contains nothing that a terminal would interpret", async () => {
    await answerOf(["apply", "--yes", "--quiet", pkg]);
    for (const one of Object.values(cloud.state.identities)) one.tags["x"] = "\u001b[31mred\nnext";
    for (const one of Object.values(cloud.state.definitions)) one.permissions[0].actions.push("A/\u001b]0;title\u0007");
    for (const output of ["text", "markdown", "json"]) {
      const { stdout, stderr } = await answerOf(["status", "-o", output, pkg]);
      expect(`${stdout}${stderr}`).toMatch(/^[\n -~]*$/);
      expect(stdout).toContain("title");
    }
  });

  it("is JSON for programs, also of an error", async () => {
    cloud.state.tenant = "99999999-9999-4999-8999-999999999999";
    const { status, stdout } = await answerOf(["status", "-o", "json", pkg]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ findings: [{ message: expect.stringContaining("99999999-") }] });
  });
});

describe("ccf apply --remove-tag", () => {
  it("removes the tag, and refuses one that the package states", async () => {
    await answerOf(["apply", "--yes", "--quiet", pkg]);
    for (const one of Object.values(cloud.state.accounts)) one.tags["team"] = "a";
    expect(await answerOf(["apply", "--dry-run", pkg])).toMatchObject({ status: 0 });
    const { status, stdout } = await answerOf(["apply", "--yes", "--remove-tag", "Team", pkg]);
    expect([status, stdout]).toEqual([0, expect.stringContaining("      tags.team  a -> (none)\n")]);
    expect(Object.values(cloud.state.accounts).map(({ tags }) => Object.keys(tags))).toEqual([[ownerTag]]);
    const stated = await answerOf(["apply", "--yes", "--remove-tag", ownerTag, pkg]);
    expect([stated.status, stated.stderr]).toEqual([
      1,
      expect.stringContaining(`--remove-tag ${ownerTag}: the package still has this tag.`),
    ]);
  });
});

describe("before any request", () => {
  it.each([
    ["a package that is not rendered", (path: string) => writeFileSync(join(path, "azure/cluster.yaml"), "")],
    [
      "a package that was edited",
      (path: string) => {
        const file = join(path, "azure/issuer.yaml");
        writeFileSync(file, readFileSync(file, "utf8").replace("TLS1_2", "TLS1_0"));
      },
    ],
  ])("refuses %s", async (_, damage) => {
    damage(pkg);
    for (const command of ["apply", "status", "destroy"]) {
      const { status, stderr } = await answerOf([command, pkg]);
      expect([status, stderr]).toEqual([1, expect.stringContaining("nothing was read or changed in the cloud")]);
    }
    expect(cloud.received).toEqual([]);
  });

  it("refuses an edited export, and applies an unchanged one and prints its client IDs", async () => {
    const out = join(temporary(), "out");
    await answerOf(["export", pkg, "--output-dir", out]);
    const { status, stdout } = await answerOf(["apply", "--yes", out]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/kind: ConfigMap\n[\s\S]*openshift-ingress-operator_cloud-credentials: aaaaaaaa-/),
    ]);
    // What another command reads is all of standard output.
    const map = join(temporary(), "client-ids.yaml");
    writeFileSync(map, (await answerOf(["apply", "--yes", "--quiet", out])).stdout);
    expect(await answerOf(["set-identities", pkg, "--from", map])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("contains 2 client IDs (2 added)"),
    });
    cloud.received.length = 0;
    const file = join(out, "azure/identities/openshift-ingress-operator-cloud-credentials/managed-identity.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("eastus", "westus"));
    expect(await answerOf(["status", out])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is not the file that was exported"),
    });
    expect(cloud.received).toEqual([]);
  });
});

describe("other accounts and previous issuers", () => {
  it("are refused with the first request", async () => {
    cloud.reset({ tenant: "99999999-9999-4999-8999-999999999999" });
    const { status, stderr } = await answerOf(["apply", "--yes", pkg]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/is in the tenant 99999999-.*\[cloud-account-other\]/)]);
    expect(cloud.received).toHaveLength(1);
  });

  it("stay while the cluster may depend on them", async () => {
    const { status, stderr } = await answerOf(["destroy", "--previous", "--yes", "demo", pkg]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("[previous-issuer-needed]")]);
    await answerOf(["apply", "--yes", pkg]);
    expect(await answerOf(["destroy", "--previous", "--yes", "demo", pkg])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Nothing to remove."),
    });
  });
});

describe("ccf status", () => {
  it("writes the result of every run", async () => {
    const file = join(temporary(), "status.json");
    const result = () => JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    expect(await answerOf(["status", "--result", file, pkg])).toMatchObject({ status: 2 });
    const { digest } = result();
    expect(result()).toEqual({
      ...{ package: pkg, prefix: "demo", account: "22222222-2222-2222-2222-222222222222", region: "eastus" },
      ...{ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/), verdict: "drift", documents: "fetched" },
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    await answerOf(["apply", "--yes", pkg]);
    expect(await answerOf(["status", "--no-fetch", "--result", file, pkg])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("The documents were not read as the cloud reads them."),
    });
    expect(result()).toMatchObject({ verdict: "in sync", documents: "not fetched" });
    // The client IDs are part of what the package wants.
    expect(result()["digest"]).not.toBe(digest);
    const results = temporary();
    await answerOf(["status", "--results", results, pkg]);
    expect((await answerOf(["report", "--status", results, pkg])).stdout).toMatch(/in sync/);
    expect(await answerOf(["upgradeable-to", "4.20", "--status", file, pkg])).toMatchObject({ status: 0 });
    cloud.fault = { at: cloud.received.length, how: "reset-before", lasting: true };
    expect(await answerOf(["status", "--result", file, pkg])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/GET http.* failed: .*\[cloud-request-failed\]/),
    });
    expect(result()).toMatchObject({ verdict: "unknown" });
    cloud.fault = undefined;
    writeFileSync(file, "{}");
    expect(await answerOf(["status", "--result", file, pkg])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[result-taken]"),
    });
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  it("replaces the result of a package that cannot be opened, so that it is no longer in sync", async () => {
    const [file, results] = [join(temporary(), "status.json"), temporary()];
    await answerOf(["apply", "--yes", pkg]);
    for (const to of [
      ["--result", file],
      ["--results", results],
    ])
      expect(await answerOf(["status", ...to, pkg])).toMatchObject({ status: 0 });
    writeTree(results, { "other.json": '{"verdict":"in sync","package":"other"}', "notes.txt": "x" });
    writeFileSync(join(pkg, "azure/cluster.yaml"), "");
    for (const to of [
      ["--result", file],
      ["--results", results],
    ])
      expect(await answerOf(["status", ...to, pkg])).toMatchObject({ status: 1 });
    const [own = "", other, notes] = Object.values(readTree(results)).sort((a, b) => b.length - a.length);
    for (const text of [readFileSync(file, "utf8"), own])
      expect(JSON.parse(text)).toMatchObject({ package: pkg, prefix: "demo", verdict: "unknown" });
    expect([other, notes]).toEqual(['{"verdict":"in sync","package":"other"}', "x"]);
    rmSync(file);
    await answerOf(["status", "--result", file, pkg]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ prefix: "", digest: "", verdict: "unknown" });
  });

  it("compares several packages, reads what they share once, and survives a failure", async () => {
    const root = temporary();
    for (const name of ["a", "b", "c"])
      writeTree(join(root, name), readTree(renderedAzurePackage({}, undefined, {}, `demo-${name}`)));
    writeTree(join(root, "c"), { "azure/cluster.yaml": "" });
    cloud.reset({ groups: { "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/demo-oidc": {} } });
    const { status, stdout } = await answerOf(["status", "-o", "json", "--recursive", root, "--jobs", "2"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { package: string; verdict?: string });
    expect([status, lines.map(({ package: path, verdict }) => [path, verdict])]).toEqual([
      1,
      [
        [join(root, "a"), "drift"],
        [join(root, "b"), "drift"],
        [join(root, "c"), undefined],
      ],
    ]);
    expect(cloud.received.filter(({ url }) => url.includes("roleAssignments?"))).toHaveLength(1);
    expect(await answerOf(["status", "--jobs", "x", pkg])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("--jobs must be a number"),
    });
  });
});

describe("a package that Terraform applies", () => {
  const byTerraform = () => renderedAzurePackage({}, undefined, { applier: "Terraform" }, "demo-t");
  const note = (directory: string) => `${directory}: skipped, because "spec.applier" is "Terraform".\n`;

  it("is skipped among others, whose plan and approval do not depend on it", async () => {
    const other = byTerraform();
    const dry = await answerOf(["apply", "--dry-run", "-o", "json", other, pkg]);
    expect([dry.status, dry.stderr]).toEqual([2, `${note(other)}2 packages: 1 would change, 1 skipped\n`]);
    expect(dry.stdout).toBe((await answerOf(["apply", "--dry-run", "-o", "json", pkg, "-l", "platform"])).stdout);
    const plan = join(temporary(), "plan.json");
    writeFileSync(plan, dry.stdout);
    const done = await answerOf(["apply", "--yes", "--expect", plan, other, pkg]);
    expect([done.status, done.stdout]).toEqual([0, expect.stringMatching(/\n2 packages: 1 applied, 1 skipped\n$/)]);
    expect((await answerOf(["apply", "--dry-run", other, pkg])).status).toBe(0);
    expect(JSON.stringify(cloud.state)).not.toContain("demo-t");
    const status = await answerOf(["status", "-o", "json", other, pkg]);
    expect([status.status, status.stdout.trim().split("\n").length]).toEqual([2, 2]);
  });

  it("is skipped if it is the only one that is selected, and has no plan to approve", async () => {
    const other = byTerraform();
    const plan = join(temporary(), "plan.json");
    writeFileSync(plan, "");
    for (const flags of [["--dry-run"], ["--dry-run", "-o", "markdown"], ["--yes"], ["--yes", "--expect", plan]])
      expect(await answerOf(["apply", ...flags, "--selector", "platform=azure", other])).toMatchObject({
        status: 0,
        stderr: expect.stringContaining(note(other)),
      });
    expect(cloud.received).toEqual([]);
    const refused = await answerOf(["apply", "--yes", "--expect", plan, pkg]);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("contains 0 plans for demo in")]);
    expect(changes()).toEqual([]);
  });

  it("is an error if the command line names only this package", async () => {
    const { status, stderr } = await answerOf(["apply", "--dry-run", byTerraform()]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("[applier-other]")]);
  });
});

describe("ccf destroy", () => {
  it("fails if a resource of the package stays, and not because of what is not the package's", async () => {
    await answerOf(["apply", "--yes", "--quiet", pkg]);
    for (const one of Object.values(cloud.state.accounts))
      one.containers["other"] = { publicAccess: "None", blobs: {} };
    const destroyed = await answerOf(["destroy", "--yes", "demo", pkg]);
    expect([destroyed.status, destroyed.stderr]).toEqual([
      1,
      expect.stringContaining(
        "error: demo: 2 resources of the package stay, or are not known. The plan gives the reasons.\n",
      ),
    ]);
    // Everything is kept now.
    const again = await answerOf(["destroy", "--yes", "demo", pkg]);
    expect([again.status, again.stdout]).toEqual([1, expect.not.stringContaining("Nothing to remove.")]);
    expect(Object.keys(cloud.state.accounts)).toEqual([account]);
    for (const one of [...Object.values(cloud.state.accounts), ...Object.values(cloud.state.groups)]) one.tags = {};
    expect(await answerOf(["destroy", "--yes", "demo", pkg])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Nothing to remove."),
    });
  });
});

describe("the built program", () => {
  it("loads the client libraries of the cloud, and applies", async () => {
    const env = { PATH: process.env["PATH"], ...cloud.environment() };
    cloud.world.settings.pending = 0;
    const { stdout } = await promisify(execFile)(...commandLine("apply", "--yes", pkg), { env });
    expect(stdout).toContain("demo: the cloud matches the package.");
  });

  it("says that it has no credentials", async () => {
    const { CCF_AZURE_ARM_ENDPOINT = "" } = cloud.environment();
    const env = {
      PATH: temporary(),
      CCF_AZURE_ARM_ENDPOINT,
      AZURE_TOKEN_CREDENTIALS: "dev",
    };
    const failed = await promisify(execFile)(...commandLine("status", pkg), { env }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /Azure gave no access token for the tenant .*az login --tenant .*\[cloud-credentials\]/,
      ),
    });
    expect(cloud.received).toEqual([]);
  });
});
