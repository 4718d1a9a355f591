import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { moments } from "../../helpers/effort.ts";
import { countChanges, runWithFault } from "../../helpers/fault.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const config = "cluster-identity.yaml";

function identity(
  name: string,
  platform = "aws:\n      accountID: '123456789012' # ours\n      region: us-east-2",
): string {
  return `# The cluster ${name}.
apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: ${name}
spec:
  platform:
    ${platform}
`;
}

const gcp = 'gcp:\n      projectID: demo-project\n      projectNumber: "123456789012"\n      region: us-east1';

/** A directory with packages: their files by name. */
function packages(files: Readonly<Record<string, string>>): string {
  const root = temporary();
  for (const [name, text] of Object.entries(files)) writeTree(root, { [`${name}/${config}`]: text });
  return root;
}

const textOf = (root: string, name: string) => readFileSync(join(root, name, config), "utf8");
const three = () => packages({ a: identity("a"), b: identity("b"), c: identity("c") });
const duration = "spec.platform.aws.roles.maxSessionDuration";

function set(root: string, ...args: readonly string[]) {
  return run(["set", ...args], { cwd: root });
}

/** Expects that a run fails and changes nothing, and returns standard error. */
function refused(root: string, ...args: readonly string[]): string {
  const before = readTree(root);
  const { status, stderr } = set(root, ...args);
  expect(status).toBe(1);
  expect(readTree(root)).toEqual(before);
  return stderr;
}

describe("ccf set", () => {
  it("sets fields in several packages, and changes nothing the second time", () => {
    const root = three();
    const args = [`${duration}=7200`, 'spec.platform.aws.tags."a.b"=0123', "a", "b", "./a/"];
    const { status, stdout, stderr } = set(root, ...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = (name: string) =>
      `${name}: ${duration}: (not set) -> 7200\n${name}: spec.platform.aws.tags."a.b": (not set) -> "0123"\n`;
    expect(stdout).toBe(
      `${lines("a")}${lines("b")}2 packages: 2 changed\nNext: run "ccf render" for each changed package; it stops before it takes anything from a running cluster.\n`,
    );
    const added = '      roles:\n        maxSessionDuration: 7200\n      tags:\n        a.b: "0123"\n';
    expect(readTree(root)).toEqual({
      [`a/${config}`]: identity("a") + added,
      [`b/${config}`]: identity("b") + added,
      [`c/${config}`]: identity("c"),
    });
    expect(set(root, ...args)).toMatchObject({ status: 0, stdout: "2 packages: 2 up to date\n", stderr: "" });
  });

  test.each<[what: string, args: readonly string[], before: string, after: string]>([
    ["a leading zero", ["spec.platform.aws.accountID=012345678901"], "'123456789012'", "'012345678901'"],
    [
      "text that reads as true",
      ["spec.platform.aws.tags.x=true"],
      "us-east-2\n",
      'us-east-2\n      tags:\n        x: "true"\n',
    ],
    ["a mapping", ["spec.platform.aws.tags={k: 007}"], "us-east-2\n", 'us-east-2\n      tags:\n        k: "007"\n'],
    ["a version", ["spec.release.version=4.20"], "us-east-2\n", 'us-east-2\n  release:\n    version: "4.20"\n'],
    [
      "an empty string",
      ['spec.release.excludeIdentifier=""'],
      "us-east-2\n",
      'us-east-2\n  release:\n    excludeIdentifier: ""\n',
    ],
    [
      "an annotation",
      ["metadata.annotations.example.com/x=5"].map((one) => one.replace("example.com/x", "'example.com/x'")),
      "name: a\n",
      'name: a\n  annotations:\n    example.com/x: "5"\n',
    ],
    [
      "a text with a colon",
      ["spec.platform.aws.tags.x=a: b"],
      "us-east-2\n",
      'us-east-2\n      tags:\n        x: "a: b"\n',
    ],
  ])("writes %s in the type of the field", (_what, args, before, after) => {
    const root = packages({ a: identity("a") });
    expect(set(root, ...args, "a")).toMatchObject({ status: 0, stderr: "" });
    expect(textOf(root, "a")).toBe(identity("a").replace(before, after));
  });

  it("changes no package if one is invalid, and names it", () => {
    const root = packages({
      a: identity("a"),
      b: "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n",
      c: identity("c"),
    });
    const stderr = refused(root, `${duration}=7200`, "a", "b", "c");
    expect(stderr).toBe(
      'b:\nerror: "b" is not a package: it contains neither a Kptfile nor a ClusterIdentity. Name the directory of a package, or create a package with "ccf init". [not-a-package]\n',
    );
    const { stdout } = set(root, `${duration}=7200`, "a", "b", "c");
    expect(stdout).toBe("3 packages: 2 not changed, 1 failed\n");
  });

  test.each<[args: readonly string[], message: string]>([
    [[`${duration}=1`], `"${duration}" is 1, but must be`],
    [
      ["spec.platform.aws.accountID=5"],
      '"spec.platform.aws.accountID" is 5, but must be 12 digits in quotes. [config-invalid-field]',
    ],
    [[`${duration}s=7200`], '(did you mean "maxSessionDuration"?). [config-unknown-field]'],
    [["--unset", "spec.platform.aws.accountID"], '"spec.platform.aws.accountID" is required. [config-missing-field]'],
    [
      ["spec.platform.gcp.region=x"],
      'is on the platform "aws". Name only packages of that cloud, or write the field to a file and use --values, which skips other clouds. [set-other-platform]',
    ],
    [
      ["spec.platform.aws.region.x=y"],
      '"spec.platform.aws.region" is not a mapping. Write it out as a plain value, then run the command again. [field-not-editable]',
    ],
    [["metadata.name=x"], '"metadata.name" cannot be set; name a field below "spec"'],
    [["spec.accept[0]=x"], '"spec.accept[0]" is not a field; set a list as a whole'],
    [["spec..x=y"], '"spec..x" is not a field; separate its keys with "."'],
    [[`${duration}=`], `"${duration}" has no value; to remove the field, use --unset`],
    [[`${duration}=null`], "has no value; to remove the field, use --unset"],
    [["spec.issuer.audiences=[a"], '"spec.issuer.audiences" has a value that is not YAML'],
    [["spec.issuer.audiences=[&a x, *a]"], "has an anchor, an alias or a tag in its value; write the value out"],
    [["metadata.labels.x={a: b}"], '"metadata.labels.x" must be a string; put the value in quotes'],
    [
      [`${duration}=1`, "--unset", "spec.platform.aws.roles"],
      "are the same field, or one contains the other; name only one of them",
    ],
    [[], "nothing to set; write FIELD=VALUE before the directories, or use --unset or --values"],
  ])("refuses %j", (args, message) => {
    expect(refused(packages({ a: identity("a") }), ...args, "a")).toContain(message);
  });

  it("removes a field, and nothing else", () => {
    const root = packages({ a: `${identity("a")}  tokenPath: /x # ours\n  resourcePrefix: b # kept\n` });
    expect(set(root, "--unset", "spec.tokenPath", "a")).toMatchObject({ status: 0, stderr: "" });
    expect(textOf(root, "a")).toBe(`${identity("a")}  resourcePrefix: b # kept\n`);
  });

  it("refuses a field after a directory, and a package with two ClusterIdentities", () => {
    const root = packages({ a: identity("a"), b: `${identity("b")}---\n${identity("c")}` });
    expect(refused(root, "a", "spec.x=1")).toContain(
      '"spec.x=1" comes after a directory; write all fields before the directories, and a directory of that name as "./spec.x=1"',
    );
    expect(refused(root, "spec.tokenPath=/x", "b")).toContain(
      '"b" must contain exactly one ClusterIdentity, but contains 2. [identity-not-unique]',
    );
  });

  it("writes nothing with --check, and exits with 2 if a file would change", () => {
    const root = three();
    const before = readTree(root);
    expect(set(root, "--check", `${duration}=7200`, "a", "b")).toMatchObject({
      status: 2,
      stdout: `a: ${duration}: (not set) -> 7200\nb: ${duration}: (not set) -> 7200\n2 packages: 2 would change\n`,
    });
    expect(readTree(root)).toEqual(before);
    expect(set(root, "--check", "spec.platform.aws.region=us-east-2", "a")).toMatchObject({
      status: 0,
      stdout: "1 package: 1 up to date\n",
    });
  });

  it("prints an object a line for each package with -o json", () => {
    const root = packages({ a: identity("a"), b: identity("b").replace("us-east-2", "us-west-2") });
    const { status, stdout, stderr } = set(root, "-o", "json", "spec.platform.aws.region=us-west-2", "a", "b");
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "2 packages: 1 up to date, 1 changed\nNext: ccf render a\n",
    });
    const common = { identity: "a", platform: "aws", findings: [] };
    const field = { field: "spec.platform.aws.region", before: "us-east-2", after: "us-west-2" };
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { package: "a", ...common, status: "changed", file: config, fields: [field] },
      { package: "b", ...common, identity: "b", status: "up-to-date", fields: [] },
    ]);
  });

  it("sets the defaults of a fleet from a file, each cloud its own", () => {
    const root = packages({ a: identity("a"), g: identity("g", gcp) });
    const values =
      "spec:\n  operators:\n    installPlanApproval: Automatic\n  platform:\n    aws: {region: eu-west-1, tags: {k: 5}}\n";
    writeTree(root, { "fleet.yaml": values });
    expect(set(root, "--values", "fleet.yaml", "--only-missing", "a", "g")).toMatchObject({ status: 0, stderr: "" });
    const approval = "  operators:\n    installPlanApproval: Automatic\n";
    expect(textOf(root, "a")).toBe(`${identity("a")}      tags:\n        k: "5"\n${approval}`);
    expect(textOf(root, "g")).toBe(`${identity("g", gcp)}${approval}`);
    expect(set(root, "--values", "fleet.yaml", "spec.platform.aws.tags.k=6", "--check", "a").stdout).toBe(
      'a: spec.platform.aws.region: "us-east-2" -> "eu-west-1"\na: spec.platform.aws.tags.k: "5" -> "6"\n1 package: 2 would change\n'.replace(
        "2 would",
        "1 would",
      ),
    );
    writeTree(root, { "bad.yaml": "spec: {x: &a 1}\n", "list.yaml": "- x\n", "twice.yaml": "spec: {a: 1, a: 2}\n" });
    for (const [file, why] of [
      ["bad.yaml", 'is invalid: "spec.x" has an anchor, an alias or a tag in its value; write the value out'],
      ["list.yaml", 'must contain one mapping with "spec", a part of a ClusterIdentity'],
      ["twice.yaml", "write each field once"],
      ["none.yaml", "does not exist"],
    ] as const) {
      const stderr = refused(root, "--values", file, "a");
      expect(stderr).toContain(why);
      expect(stderr).toContain("[input-file-invalid]");
    }
  });
});

describe("ccf set, when it is interrupted,", () => {
  const args = (root: string) => ["set", `${duration}=7200`, ...["a", "b", "c"].map((name) => join(root, name))];
  const added = "      roles:\n        maxSessionDuration: 7200\n";

  it.each(["kill", "ENOSPC"])("leaves each file old or new after %s, and the next run finishes", (fault) => {
    const before = three();
    const counted = temporary();
    cpSync(before, counted, { recursive: true });
    for (const at of moments(countChanges(args(counted)), { few: 2 })) {
      const root = temporary();
      cpSync(before, root, { recursive: true });
      const { stderr } = runWithFault(fault, at, args(root));
      for (const name of ["a", "b", "c"])
        expect([identity(name), identity(name) + added], `${fault} ${at}`).toContain(textOf(root, name));
      if (fault !== "kill" && stderr.includes("Not changed:")) {
        const [, done = "", rest = ""] = /^Changed: (.*)\. Not changed: (.*)\.$/m.exec(stderr) ?? [];
        for (const name of ["a", "b", "c"]) {
          const isDone = textOf(root, name) !== identity(name);
          expect([done.includes(join(root, name)), rest.includes(join(root, name))], stderr).toEqual([isDone, !isDone]);
        }
      }
      expect(run(args(root))).toMatchObject({ status: 0 });
      expect(readTree(root)).toEqual(
        Object.fromEntries(["a", "b", "c"].map((name) => [`${name}/${config}`, identity(name) + added])),
      );
    }
  });
});

describe("a request that a feature set includes, without a service account", () => {
  const request = `apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: capi
  namespace: openshift-cloud-credential-operator
  annotations:
    include.release.openshift.io/self-managed-high-availability: "true"
    release.openshift.io/feature-set: TechPreviewNoUpgrade
spec:
  secretRef: {namespace: openshift-cluster-api, name: credentials}
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - {effect: Allow, action: [ec2:DescribeVolumes], resource: "*"}
`;
  const include = "spec.release.featureSet=TechPreviewNoUpgrade";
  const override = (name: string) =>
    `spec.overrides."openshift-cluster-api/credentials".serviceAccountNames=["${name}"]`;

  it("needs both fields in one command, which each refusal says", () => {
    const root = packages({ a: identity("a") });
    writeTree(root, { "a/capi.yaml": request });
    expect(refused(root, include, "a")).toContain(
      `Set both in one command: add '${override("NAME")}' to this "ccf set" command. [no-service-account]`,
    );
    expect(refused(root, override("capi"), "a")).toContain(
      'If another field includes the request, such as "spec.release.featureSet", set that field in the same "ccf set" command. [override-unmatched]',
    );
    expect(set(root, include, override("capi"), "a").status).toBe(0);
  });
});
