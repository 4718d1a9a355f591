import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const config = "cluster-identity.yaml";
const platforms = {
  aws: 'aws:\n      accountID: "012345678901"\n      region: us-gov-west-1\n',
  gcp: 'gcp:\n      projectID: demo-project\n      projectNumber: "123456789012"\n',
  azure:
    "azure:\n      subscriptionID: 11111111-1111-2222-3333-444444444444\n      tenantID: 22222222-1111-2222-3333-444444444444\n      region: centralus\n",
} as const;

function identity(name: string, cloud: keyof typeof platforms, spec = ""): string {
  return `apiVersion: fn.cloudcredential.dev/v1alpha1\nkind: ClusterIdentity\nmetadata:\n  name: ${name}\nspec:\n${spec}  platform:\n    ${platforms[cloud]}`;
}

/** A directory with a package for each ClusterIdentity, and other files. */
function fleet(packages: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}): string {
  const root = temporary();
  for (const [name, text] of Object.entries(packages)) writeTree(root, { [`${name}/${config}`]: text });
  writeTree(root, files);
  return root;
}

const set = (root: string, ...args: readonly string[]) => run(["set", ...args], { cwd: root });
const textOf = (root: string, name: string) => readFileSync(join(root, name, config), "utf8");

/** Expects that a run fails and changes nothing, and returns standard error. */
function refused(root: string, ...args: readonly string[]): string {
  const before = readTree(root);
  const { status, stderr } = set(root, ...args);
  expect({ status, files: readTree(root) }).toEqual({ status: 1, files: before });
  return stderr;
}

const clouds = () => fleet({ a: identity("a", "aws"), g: identity("g", "gcp"), z: identity("z", "azure") });
const boundary = "spec.platform.aws.roles.permissionsBoundaryARN";

describe("a placeholder", () => {
  it("is filled in for each package", () => {
    const root = clouds();
    const label = "metadata.annotations.where={account}/{region}/{name}/{prefix}/{{x}";
    expect(set(root, label, "spec.resourcePrefix={name}-one", "a", "g", "z")).toMatchObject({ status: 0, stderr: "" });
    const where = (name: string) => /where: (.*)/.exec(textOf(root, name))?.[1];
    expect(where("a")).toBe('"012345678901/us-gov-west-1/a/a/{x}"');
    expect(where("g")).toBe('"demo-project/us/g/g/{x}"');
    expect(where("z")).toBe('"11111111-1111-2222-3333-444444444444/centralus/z/z/{x}"');
    expect(textOf(root, "a")).toContain("resourcePrefix: a-one\n");
    expect(set(root, label.replace("{prefix}", "a"), "a").stdout).toContain("up to date");
  });

  it("has names of single clouds", () => {
    const root = clouds();
    writeTree(root, {
      "fleet.yaml": `spec:
  platform:
    aws: {roles: {permissionsBoundaryARN: "arn:{partition}:iam::{account}:policy/boundary"}}
    gcp: {bucket: "{project}-{name}-oidc"}
    azure:
      tags: {in: "{subscription}"}
`,
    });
    expect(set(root, "--values", "fleet.yaml", "a", "g", "z")).toMatchObject({ status: 0, stderr: "" });
    expect(textOf(root, "a")).toContain('permissionsBoundaryARN: "arn:aws-us-gov:iam::012345678901:policy/boundary"\n');
    expect(textOf(root, "g")).toContain("bucket: demo-project-g-oidc\n");
    expect(textOf(root, "z")).toContain('in: "11111111-1111-2222-3333-444444444444"\n');
    expect(set(root, "--values", "fleet.yaml", "--check", "a", "g", "z").stdout).toBe("3 packages: 3 up to date\n");
  });

  it("stands for the values of the same run, whatever their order", () => {
    const root = clouds();
    const account = "spec.platform.aws.accountID=999999999999";
    expect(set(root, `${boundary}=arn:{partition}:iam::{account}:policy/b`, account, "a").status).toBe(0);
    expect(textOf(root, "a")).toContain('arn:aws-us-gov:iam::999999999999:policy/b"\n');
  });

  it.each([
    ["{acount}", 'contains the unknown placeholder "{acount}" (did you mean "account"?); the placeholders are {name}'],
    ["{}", 'contains the unknown placeholder "{}"'],
    ["a{b", "contains a brace that does not end; the placeholders are {name}, {prefix}, {account}, {region}, "],
  ])("%s is refused before a package is read", (text, message) => {
    const root = clouds();
    expect(refused(root, `metadata.annotations.a=x${text}`, "a")).toContain(message);
    writeTree(root, { "bad.yaml": `metadata: {annotations: {a: "x${text}"}}\n` });
    expect(refused(root, "--values", "bad.yaml", "a")).toContain(message);
  });

  it("that a package does not have is refused, and no package changes", () => {
    const stderr = refused(clouds(), "metadata.annotations.a=x{partition}", "a", "z");
    expect(stderr).toContain(
      "contains {partition}, but the package does not say what that is. It has {name}, {prefix}",
    );
    expect(stderr).toContain("[set-placeholder-unknown]");
  });

  it("that is the whole value is a text, and not a mapping", () => {
    const root = clouds();
    expect(set(root, "spec.platform.aws.tags.in={account}", "a").status).toBe(0);
    expect(textOf(root, "a")).toContain('in: "012345678901"\n');
    writeTree(root, { "bad.yaml": "spec: {platform: {aws: {tags: {in: {account}}}}}\n" });
    expect(refused(root, "--values", "bad.yaml", "a")).toContain("write a placeholder in quotes");
  });
});

describe("what a render would refuse", () => {
  it("is refused before anything is written", () => {
    const stderr = refused(clouds(), `${boundary}=arn:aws:iam::012345678901:policy/boundary`, "a");
    expect(stderr).toContain("permissionsBoundaryARN");
    expect(stderr).toContain('must begin with "arn:aws-us-gov:iam::');
  });

  it("does not count if it was there before", () => {
    const broken = identity("a", "aws").replace("us-gov-west-1", "us-west-99999x");
    const root = fleet({ a: broken });
    expect(set(root, "spec.platform.aws.tags.a=b", "a")).toMatchObject({ status: 0, stderr: "" });
  });
});

const entry = (rule: string, reason: string, object = "ns/one") =>
  `    - rule: ${rule}\n      object: ${object}\n      reason: ${reason}\n`;
const own = `  accept: # ours\n${entry("pass-role-any", "Own.")}      until: "2027-01-01" # soon\n    # more\n${entry("trust-wildcard", "Kept.")}`;

describe("spec.accept", () => {
  const shared = (...entries: string[]) => `spec:\n  accept:\n${entries.join("")}`;

  it("is merged by rule and object, and every other byte stays", () => {
    const root = fleet(
      { a: identity("a", "aws", own), b: identity("b", "aws") },
      { "fleet.yaml": shared(entry("pass-role-any", "Fleet {name}."), entry("create-access-key", "Fleet.")) },
    );
    expect(set(root, "--values", "fleet.yaml", "a", "b")).toMatchObject({ status: 0, stderr: "" });
    const merged = own
      .replace("reason: Own.", "reason: Fleet a.")
      .replace('      until: "2027-01-01" # soon\n', "")
      .concat(entry("create-access-key", "Fleet."));
    expect(textOf(root, "a")).toBe(identity("a", "aws", merged));
    expect(textOf(root, "b")).toContain("reason: Fleet b.");
    expect(set(root, "--values", "fleet.yaml", "--check", "a", "b").stdout).toBe("2 packages: 2 up to date\n");
  });

  it("keeps the package's entries with --only-missing, and adds others", () => {
    const root = fleet(
      { a: identity("a", "aws", own) },
      { "fleet.yaml": shared(entry("pass-role-any", "Fleet."), entry("pass-role-any", "Fleet.", "ns/two")) },
    );
    expect(set(root, "--values", "fleet.yaml", "--only-missing", "a").status).toBe(0);
    expect(textOf(root, "a")).toBe(identity("a", "aws", own + entry("pass-role-any", "Fleet.", "ns/two")));
  });

  it("is replaced with --replace", () => {
    const root = fleet({ a: identity("a", "aws", own) }, { "fleet.yaml": shared(entry("pass-role-any", "Fleet.")) });
    expect(set(root, "--values", "fleet.yaml", "--replace", "spec.accept", "a").status).toBe(0);
    expect(textOf(root, "a")).not.toContain("trust-wildcard");
    expect(refused(root, "spec.tokenPath=/x", "--replace", "spec.tokenPath", "a")).toContain(
      'only "spec.accept" is merged',
    );
  });

  it("takes no rule of another cloud from a file", () => {
    const entries = [entry("pass-role-any", "Aws."), entry("bundle-edited", "All.")];
    const root = fleet({ g: identity("g", "gcp"), a: identity("a", "aws") }, { "fleet.yaml": shared(...entries) });
    expect(set(root, "--values", "fleet.yaml", "a", "g").stderr).toBe("");
    expect(textOf(root, "a")).toContain("Aws.");
    expect(textOf(root, "g")).not.toContain("Aws.");
    expect(textOf(root, "g")).toContain("All.");
  });

  it("is merged in brackets, too", () => {
    const brackets = '  accept: [{rule: pass-role-any, object: ns/one, reason: "Own."}] # ours\n';
    const root = fleet({ a: identity("a", "aws", brackets) });
    const given = 'spec.accept=[{"rule": "pass-role-any", "object": "ns/two", "reason": "New."}]';
    expect(set(root, given, "a").stderr).toBe("");
    expect(textOf(root, "a")).toContain(
      'reason: "Own."}, {"rule": "pass-role-any", "object": "ns/two", "reason": "New."}] # ours\n',
    );
  });
});
