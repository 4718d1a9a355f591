import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";

const packages = fileURLToPath(new URL("../../../testdata/packages", import.meta.url));
const samples = { a: "aws-s3-public", b: "azure-blob-government", c: "gcp-pool" } as const;

function makeFleet(root: string): void {
  for (const [name, sample] of Object.entries(samples))
    cpSync(join(packages, sample), join(root, "clusters", name), { recursive: true });
  const set = (name: string, ...fields: string[]) =>
    expect(run(["set", ...fields, join("clusters", name)], { cwd: root }).stderr).toBe("");
  set("a", "metadata.labels.wave=1", "metadata.labels.owner=ads");
  set("b", "metadata.labels.wave=2");
}

const kept = keptTemporary();
const fleet = kept.directory;
beforeAll(() => {
  makeFleet(fleet);
  return () => kept.remove();
});

const all = ["--recursive", "clusters"];
const shown = (selector: string, more: readonly string[] = []) =>
  run(["report", ...all, "-l", selector, "-o", "json", ...more], { cwd: fleet })
    .stdout.split("\n")
    .flatMap((line) => (line === "" ? [] : JSON.parse(line).package));

describe("--selector", () => {
  it.each([
    ["wave=1", ["clusters/a"]],
    ["wave", ["clusters/a", "clusters/b"]],
    ["owner!=ads", ["clusters/b", "clusters/c"]],
    ["platform in (gcp,aws)", ["clusters/a", "clusters/c"]],
    ["account=123456789012,region=us-east-2", ["clusters/a"]],
    ["platform=azure,region", ["clusters/b"]],
  ])("%s", (selector, expected) => {
    expect(shown(selector)).toEqual(expected);
  });

  it.each([
    ["render", "--check"],
    ["validate"],
    ["explain"],
    ["set", "spec.tokenPath=/var/run/secrets/openshift/serviceaccount/token", "--check"],
    ["update-requests", "--check", "--from", "clusters/a/credentials-requests"],
  ])("is for %s", (...args) => {
    const { stdout, stderr } = run([...args, ...all, "-l", "wave=1"], { cwd: fleet });
    expect(`${stdout}${stderr}`).toContain("1 of 3 packages (selector wave=1)");
    expect(stdout).not.toMatch(/clusters\/[bc]/);
  });

  it("makes an export a directory for each package, also for one", () => {
    const out = temporary();
    const { status } = run(["export", ...all, "-l", "platform=aws", "--output-dir", out], { cwd: fleet });
    expect(status).toBe(0);
    expect(readFileSync(join(out, "a/SHA256SUMS"), "utf8")).toContain("aws/");
    expect(run(["report", "-l", "platform=aws,region=us-east-2", join(out, "a")]).status).toBe(0);
  });

  it("that nothing matches names the labels that exist", () => {
    const { status, stdout, stderr } = run(["render", ...all, "-l", "wave=9"], { cwd: fleet });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain('--selector "wave=9" matches none of 3 packages; labels: "account=');
    expect(stderr).toContain('"owner=ads", "platform=aws|azure|gcp"');
    expect(stderr).toContain('"wave=1|2"');
  });

  it("selects a package that cannot be read, which fails", () => {
    const root = temporary();
    makeFleet(root);
    writeFileSync(join(root, "clusters/c/cluster-identity.yaml"), "kind: ClusterIdentity\na: [\n");
    const { status, stdout } = run(["render", "--check", ...all, "-l", "wave=9"], { cwd: root });
    expect(stdout).toBe("1 of 3 packages (selector wave=9): 1 failed\n");
    expect(status).toBe(1);
  });

  it("and --touched both limit", () => {
    const touched = (path: string) =>
      run(["render", "--check", ...all, "-l", "wave=1", "--touched", "-"], { cwd: fleet, input: path });
    expect(touched("clusters/b/Kptfile\n").stdout).toBe("0 packages touched, of 3\n");
    expect(touched("clusters/a/Kptfile\n").stdout).toContain("1 of 3 packages (touched, selector wave=1)");
  });

  it("that is not one is refused", () => {
    const { status, stderr } = run(["render", ...all, "-l", "wave>1"], { cwd: fleet });
    expect(status).toBe(1);
    expect(stderr).toContain('--selector "wave>1" is not a label selector');
  });
});

describe("a label", () => {
  it.each([
    ["metadata.labels.account=1", "'account'"],
    ["metadata.labels.owner=a b", "must be a label value"],
    ['metadata.labels."-x"=a', "must be a label key"],
  ])("that cannot be one is refused: %s", (field, message) => {
    const { status, stderr } = run(["set", field, "clusters/a"], { cwd: fleet });
    expect(stderr).toContain(message);
    expect(status).toBe(1);
  });
});

describe("report --label-columns", () => {
  const report = (...args: string[]) => run(["report", ...all, ...args], { cwd: fleet });

  it("adds a column for each label", () => {
    const rows = report("-L", "owner,wave", "-L", "platform", "-o", "csv").stdout.split("\r\n");
    expect(rows.map((row) => row.split(",").slice(-3).join(","))).toEqual([
      "owner,wave,platform",
      "ads,1,aws",
      ",2,azure",
      ",,gcp",
      "",
    ]);
  });

  it("adds labels to JSON", () => {
    const labels = report("-L", "owner", "-o", "json")
      .stdout.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).labels);
    expect(labels).toEqual([{ owner: "ads" }, { owner: null }, { owner: null }]);
  });

  it.each([
    [["-L", "-x"], "--label-columns=KEYS"],
    [["-L", "a,,b"], 'names "", which cannot be the key of a label'],
    [["-L", "owner", "--reach"], "--label-columns has no effect with --reach"],
  ])("%s is refused", (args, message) => {
    const { status, stderr } = report(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(1);
  });
});
