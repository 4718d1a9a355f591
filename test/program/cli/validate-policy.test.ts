import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { newPackage } from "../../helpers/cluster-package.ts";
import { temporary } from "../../helpers/temporary.ts";

const head = "apiVersion: fn.cloudcredential.dev/v1alpha1\nkind: ReviewPolicy\nmetadata:\n  name: company\n";
const strict = `${head}spec:\n  severities:\n    pass-role-any: error\n`;
const off = `${head}spec:\n  severities:\n    pass-role-any: "off"\n`;

/** A repository with a package whose request may pass any role. */
let root: string;

beforeEach(() => {
  root = temporary();
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  packageAt("repo/clusters/demo");
});

function packageAt(path: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  cpSync(newPackage(), join(root, path), { recursive: true });
  edit(join(root, path), "credentials-requests/10-registry.yaml", "action: [", 'action: ["iam:PassRole", ');
}

function edit(directory: string, path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(directory, path), "utf8");
  expect(text).toMatch(from);
  writeFileSync(join(directory, path), text.replace(from, to));
}

function put(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

function validate(...args: string[]) {
  return run(["validate", ...args], { cwd: join(root, "repo") });
}

const demo = "clusters/demo";

function accept(path: string, entry: string): void {
  edit(join(root, path), "cluster-identity.yaml", "spec:\n", `spec:\n  accept:\n  - ${entry}\n`);
}

const entry = "{rule: pass-role-any, object: openshift-image-registry/installer-cloud-credentials, reason: reviewed}";

describe("the policy of a package", () => {
  it.each<[string, Record<string, string>, string, number]>([
    ["none", {}, "no policy", 0],
    ["of the repository", { "repo/review-policy.yaml": strict }, 'policy: "review-policy.yaml"', 2],
    ["with the other extension", { "repo/review-policy.yml": strict }, 'policy: "review-policy.yml"', 2],
    [
      "of the nearest directory",
      { "repo/review-policy.yaml": strict, "repo/clusters/review-policy.yaml": `${head}spec: {}\n` },
      'policy: "clusters/review-policy.yaml"',
      0,
    ],
    ["not above the repository", { "review-policy.yaml": strict }, "no policy", 0],
    ["not beside", { "repo/other/review-policy.yaml": strict }, "no policy", 0],
  ])("%s", (_, files, said, status) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    const text = validate(demo);
    expect([text.status, text.stderr.split("\n").at(-2)]).toEqual([status, said]);
    const file = said === "no policy" ? null : said.slice(9, -1);
    expect(JSON.parse(validate(demo, "-o", "json").stdout).policy).toBe(file);
    const sarif = JSON.parse(validate(demo, "-o", "sarif").stdout);
    expect(sarif.runs[0].properties).toEqual({ policies: [file] });
    expect(validate(demo, "--quiet").stderr).not.toContain("policy:");
    const fleet = validate("--recursive", "clusters");
    expect(fleet.stderr).toContain(said);
  });

  it("is the one that --policy names", () => {
    put("repo/review-policy.yaml", strict);
    put("repo/own.yaml", off);
    expect(validate(demo, "--policy", "own.yaml")).toMatchObject({ status: 0, stderr: 'policy: "own.yaml"\n' });
  });

  it("in its own directory breaks no render and reaches no cluster, and needs the annotation", () => {
    put(`repo/${demo}/review-policy.yaml`, strict);
    const { status, stderr } = validate(demo);
    expect(status).toBe(2);
    expect(stderr).toContain("[policy-misplaced]");
    const local = '  annotations:\n    config.kubernetes.io/local-config: "true"\n';
    put(`repo/${demo}/review-policy.yaml`, strict.replace("spec:", `${local}spec:`));
    expect(validate(demo).stderr).not.toContain("[policy-misplaced]");
    expect(validate(demo).stderr).toContain("[pass-role-any]");
    const cwd = join(root, "repo");
    for (const args of [["render"], ["render", "--check"]]) expect(run([...args, demo], { cwd }).status).toBe(0);
    expect(run(["export", demo, "--output-dir", "out"], { cwd }).status).toBe(0);
    expect(run(["argo-cd-generate", demo], { cwd }).stdout).not.toContain("ReviewPolicy");
  });

  it("in another file of a package is not read, which is said", () => {
    put(`repo/${demo}/policy.yaml`, strict);
    const { status, stderr } = validate(demo);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/policy\.yaml: ReviewPolicy company: is not read\..*\[policy-misplaced\]/),
    ]);
  });

  it.each<[string, Record<string, string>, string[], string]>([
    ["a --policy that is missing", {}, ["--policy", "none.yaml"], '--policy "none.yaml" cannot be read (ENOENT)'],
    ["a directory as --policy", {}, ["--policy", "clusters"], '--policy "clusters" cannot be read (EISDIR)'],
    ["not YAML", { "repo/review-policy.yaml": "a: [" }, [], "is not YAML"],
    ["an empty file", { "repo/review-policy.yaml": "" }, [], "must contain one object of the kind ReviewPolicy"],
    ["another kind", { "repo/review-policy.yaml": strict.replace("ReviewPolicy", "Policy") }, [], "must contain one"],
    [
      "another group",
      { "repo/review-policy.yaml": strict.replace("fn.cloud", "cloud") },
      [],
      "must contain one object",
    ],
    [
      "another version",
      { "repo/review-policy.yaml": strict.replace("v1alpha1", "v1") },
      [],
      '"apiVersion" is "fn.cloud',
    ],
    [
      "two objects",
      { "repo/review-policy.yaml": `${strict}---\n${strict}` },
      [],
      "must contain one object of the kind",
    ],
    ["two files", { "repo/review-policy.yaml": strict, "repo/review-policy.yml": strict }, [], "contains two policies"],
    ["an unknown field", { "repo/review-policy.yaml": strict.replace("severities", "severity") }, [], "unknown field"],
    ["an unknown rule", { "repo/review-policy.yaml": strict.replace("role-any", "role-an") }, [], "unknown rule"],
    ["a repeated key", { "repo/review-policy.yaml": `${strict}    pass-role-any: "off"\n` }, [], "pass-role-any"],
  ])("passes nothing with %s", (_, files, args, message) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    for (const target of [[demo], ["--recursive", "clusters"]]) {
      const { status, stdout, stderr } = validate(...target, ...args);
      expect(status).toBe(1);
      expect(stderr).toContain(message);
      expect(stdout).not.toContain("0 errors");
    }
  });

  it("is not read through a link to nothing", () => {
    symlinkSync("nowhere.yaml", join(root, "repo/review-policy.yaml"));
    expect(validate(demo).status).toBe(1);
  });

  it("is the only one that counts with --ignore-accept", () => {
    accept("repo/clusters/demo", entry);
    expect(validate(demo, "--strict").status).toBe(0);
    const { status, stderr } = validate(demo, "--strict", "--ignore-accept");
    expect([status, stderr]).toEqual([2, expect.stringContaining('"spec.accept[0]" does not count: --ignore-accept')]);
  });

  it("names its line in the findings", () => {
    put(
      "repo/review-policy.yaml",
      `${head}spec:\n  platform:\n    aws:\n      forbiddenActions:\n      - ec2:*\n      - iam:*\n`,
    );
    expect(validate(demo).stderr).toMatch(
      /^error: .*"iam:PassRole".* review-policy\.yaml:10 forbids it\. \[policy-forbidden\]$/m,
    );
  });
});

describe("--against", () => {
  beforeEach(() => {
    cpSync(join(root, "repo"), join(root, "base"), { recursive: true });
  });
  const base = "../base/clusters/demo";

  it("shows only what is new", () => {
    expect(validate(demo, "--against", base, "--strict")).toEqual({
      status: 0,
      stdout: "1 finding is in the base, too.\n0 errors, 0 warnings, 0 accepted.\n",
      stderr: "no policy\n",
    });
    edit(
      join(root, "repo", demo),
      "credentials-requests/10-registry.yaml",
      '"iam:PassRole", ',
      '"iam:PassRole", "sts:AssumeRole", ',
    );
    const { status, stdout, stderr } = validate(demo, "--against", base, "--strict");
    expect(status).toBe(2);
    expect(stdout).toBe("1 finding is in the base, too.\n0 errors, 1 warning, 0 accepted.\n");
    expect(stderr).toContain("[assume-role-any]");
    expect(stderr).not.toContain("[pass-role-any]");
    const json = JSON.parse(validate(demo, "--against", base, "-o", "json").stdout);
    expect(json).toMatchObject({ warnings: 1, against: { known: 1, acceptances: [] } });
    expect(json.findings).toHaveLength(1);
  });

  it("counts a new acceptance like the finding that it accepts", () => {
    accept("repo/clusters/demo", entry);
    const { status, stdout } = validate(demo, "--against", base, "--strict");
    expect(status).toBe(2);
    expect(stdout).toBe(
      'new acceptance: "pass-role-any" in "openshift-image-registry/installer-cloud-credentials", without an end: "reviewed"\n0 errors, 1 warning, 1 accepted.\n',
    );
    expect(validate(demo, "--against", base).status).toBe(0);
    put("base/review-policy.yaml", strict);
    put("repo/review-policy.yaml", strict);
    expect(validate(demo, "--against", base).status).toBe(2);
    accept("base/clusters/demo", entry);
    expect(validate(demo, "--against", base, "--strict").status).toBe(0);
  });

  it("shows a longer acceptance, another reason, and an annotation as new", () => {
    accept("base/clusters/demo", entry.replace("}", ', until: "2999-01-01"}'));
    accept("repo/clusters/demo", entry);
    expect(validate(demo, "--against", base, "--strict").status).toBe(2);
    edit(join(root, "base/clusters/demo"), "cluster-identity.yaml", 'reviewed, until: "2999-01-01"', "other");
    expect(validate(demo, "--against", base).stdout).toMatch(/^new acceptance: /);
    cpSync(
      join(root, "base/clusters/demo/cluster-identity.yaml"),
      join(root, "repo/clusters/demo/cluster-identity.yaml"),
    );
    const annotations =
      "  annotations:\n    fn.cloudcredential.dev/accept: pass-role-any\n    fn.cloudcredential.dev/accept-reason: mine\n";
    edit(join(root, "repo", demo), "credentials-requests/10-registry.yaml", "  annotations:\n", annotations);
    expect(validate(demo, "--against", base).stdout).toMatch(
      /^new acceptance: "pass-role-any" in "CredentialsRequest .*"mine"/,
    );
  });

  it("shows a finding whose acceptance is removed", () => {
    accept("base/clusters/demo", entry);
    const { status, stderr } = validate(demo, "--against", base, "--strict");
    expect([status, stderr]).toEqual([2, expect.stringContaining("[pass-role-any]")]);
  });

  it("shows everything in a package that the base does not have", () => {
    packageAt("repo/clusters/new");
    const { status, stderr, stdout } = validate("--recursive", "clusters", "--against", "../base/clusters", "--strict");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^clusters\/new:\n(?:.*\n)*warning: .*\[pass-role-any\]$/m);
    expect(stdout).toContain("clusters/demo: 1 finding is in the base, too.\n");
    mkdirSync(join(root, "empty"));
    expect(validate(demo, "--against", "../empty", "--strict").status).toBe(2);
  });

  it("does not mind other lines, nor another directory", () => {
    edit(join(root, "repo", demo), "credentials-requests/10-registry.yaml", "apiVersion", "# a comment\napiVersion");
    renameSync(join(root, "repo/clusters/demo"), join(root, "repo/a"));
    expect(validate("a", "--against", base, "--strict").status).toBe(0);
    // The error names a command with the directory.
    for (const path of ["repo/a", "base/clusters/demo"]) {
      expect(run(["render", join(root, path)]).status).toBe(0);
      edit(join(root, path), "cluster-identity.yaml", 'accountID: "', 'accountID: "9');
      edit(join(root, path), "cluster-identity.yaml", /accountID: "9(\d{11})\d"/, 'accountID: "9$1"');
    }
    expect(validate("a").stderr).toMatch(/run "ccf render --allow \S+ a"/);
    expect(validate("a", "--against", base)).toMatchObject({ status: 0, stderr: "no policy\n" });
  });

  it.each<[string, string, string, number]>([
    ["an invalid ClusterIdentity", "spec:\n", "spec:\n  strange: 1\n", 2],
    ["an object without a clear value", "spec:\n", "spec:\n  tokenPath: !!binary AAAA\n", 1],
  ])("does not hide %s, which may hide more", (_, from, to, status) => {
    for (const side of ["repo", "base"]) edit(join(root, side, demo), "cluster-identity.yaml", from, to);
    expect(validate(demo, "--against", base).status).toBe(status);
  });

  it.each<[string, () => void, string]>([
    ["does not exist", () => rmSync(join(root, "base"), { recursive: true }), "is not a directory"],
    [
      "cannot be read",
      () => put("base/clusters/demo/cluster-identity.yaml", "kind: ClusterIdentity\na: ["),
      "cannot be validated: cluster-identity",
    ],
    ["has an invalid policy", () => put("base/review-policy.yaml", "a: b"), "must contain one object"],
  ])("passes nothing with a base that %s", (_, spoil, message) => {
    spoil();
    const { status, stderr, stdout } = validate(demo, "--against", base);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
  });

  it.each<[string, string | undefined, string | undefined, number, string]>([
    [
      "uses the policy of the base",
      strict,
      off,
      0,
      "warning: review-policy.yaml changed, which weakens or changes the review",
    ],
    [
      "says that a policy is gone",
      strict,
      undefined,
      0,
      "warning: ../base/review-policy.yaml is missing in the change",
    ],
    ["says that a policy is new", undefined, off, 0, "warning: review-policy.yaml is new in the change"],
    ["says nothing of an equal one", strict, strict, 0, 'policy: "../base/review-policy.yaml"'],
  ])("%s", (_, before, after, status, said) => {
    if (before !== undefined) put("base/review-policy.yaml", before);
    if (after !== undefined) put("repo/review-policy.yaml", after);
    const result = validate(demo, "--against", base);
    expect(result.status).toBe(status);
    expect(result.stderr).toContain(said);
    expect(result.stderr.includes("warning: ")).toBe(before !== after);
    const { against } = JSON.parse(validate(demo, "--against", base, "-o", "json").stdout);
    expect(against.policyChange === undefined).toBe(before === after);
  });

  it("does not take the policy of the change for that of the base", () => {
    rmSync(join(root, "base/.git"), { recursive: true });
    renameSync(join(root, "base"), join(root, "repo/.base"));
    put("repo/review-policy.yaml", off);
    const { status, stderr } = validate(demo, "--against", ".base/clusters/demo");
    expect([status, stderr]).toEqual([1, expect.stringContaining("is also that of the package")]);
    expect(validate(demo, "--against", ".base/clusters/demo", "--policy", "review-policy.yaml").status).toBe(0);
  });
});
