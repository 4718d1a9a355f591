import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { newPackage } from "../../helpers/cluster-package.ts";
import { sample } from "../../helpers/sample.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const ingress = "20-ingress.yaml";
const object = "openshift-ingress-operator/cloud-credentials";

/** Lets a request pass every role, which is a warning. */
function passRole(path: string, action = "iam:PassRole"): void {
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/( +- )route53:List/);
  writeFileSync(path, text.replace(/( +- )route53:List/, `$1${action}\n$&`));
}

/** A release and two clusters with its requests. */
function fleet(): string {
  const root = temporary();
  cpSync(`${sample}/credentials-requests`, join(root, "releases/4.21"), { recursive: true });
  passRole(join(root, "releases/4.21", ingress));
  const model = newPackage(join(root, "releases/4.21"));
  for (const name of ["a", "b"]) {
    cpSync(model, join(root, "clusters", name), { recursive: true });
    for (const file of ["cluster-identity.yaml", "Kptfile"]) {
      const path = join(root, "clusters", name, file);
      writeFileSync(path, readFileSync(path, "utf8").replace("name: demo", `name: ${name}`));
    }
  }
  expect(run(["render", "--recursive", "clusters", "-q"], { cwd: root }).status).toBe(0);
  return root;
}

const validate = (root: string, ...args: readonly string[]) =>
  run(["validate", "--recursive", "clusters", "--credentials-requests", "releases/4.21", ...args], { cwd: root });
const ofRelease = `warning: releases/4.21: unchanged requests of the release: ${object}, in 2 packages [pass-role-any]\n`;
const acceptOf = (root: string, name: string): Any =>
  (load(readFileSync(join(root, "clusters", name, "cluster-identity.yaml"), "utf8")) as Any).spec.accept;

describe("warnings of a release", () => {
  it("are one line for each rule, and the package's own are apart", () => {
    const root = fleet();
    const { status, stdout, stderr } = validate(root);
    expect(status).toBe(0);
    expect(stderr.replace(/^.*signing-key-shared.*\n/gm, "").replace(/^clusters\/\w:\n/gm, "")).toBe(
      `${ofRelease}no policy\n`,
    );
    expect(stdout).toMatch(/^2 packages: .*with problems/m);
    expect(validate(root, "--strict").status).toBe(2);
    const one = run(["validate", "clusters/a", "--credentials-requests", "releases/4.21"], { cwd: root });
    expect(one.stderr).toBe(`${ofRelease.replace(", in 2 packages", "")}no policy\n`);
    expect(one.stdout).toBe("0 errors, 1 warning, 0 accepted.\n");
    const without = run(["validate", "clusters/a"], { cwd: root });
    expect(without.stderr).toContain(`credentials-requests/${ingress}: CredentialsRequest`);
  });

  it("do not include those of a request that was changed", () => {
    const root = fleet();
    passRole(join(root, "clusters/a/credentials-requests", ingress), "sts:AssumeRole");
    const { stderr } = run(["validate", "clusters/a", "--credentials-requests", "releases/4.21"], { cwd: root });
    expect(stderr).not.toContain("unchanged requests");
    expect(stderr).toMatch(/^warning: credentials-requests\/20-ingress.yaml: .*\[pass-role-any\]$/m);
    expect(stderr).toMatch(/^warning: credentials-requests\/20-ingress.yaml: .*\[assume-role-any\]$/m);
  });

  it("have the release in JSON", () => {
    const { stdout } = validate(fleet(), "-o", "json");
    const [first] = stdout.split("\n").map((line) => JSON.parse(line || "null"));
    const found = first.findings.find(({ tags }: Any) => tags.code === "pass-role-any");
    expect(found.tags).toEqual({ code: "pass-role-any", release: "releases/4.21" });
    expect(first.findings.find(({ tags }: Any) => tags.code === "signing-key-shared")?.tags).not.toHaveProperty(
      "release",
    );
  });

  it("are accepted in all packages by one command, and what was there stays", () => {
    const root = fleet();
    const own = { rule: "assume-role-any", object, reason: "Own." };
    const expired = { rule: "pass-role-any", object, reason: "Old.", until: "2020-01-01" };
    const given = `spec.accept=${JSON.stringify([own, expired])}`;
    expect(run(["set", given, "clusters/a"], { cwd: root }).status).toBe(0);
    const before = readTree(root);
    const { status, stdout, stderr } = validate(root, "--accept-release", "Reviewed for 4.21");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("2 packages: 2 changed\n");
    const entry = { rule: "pass-role-any", object, reason: "Reviewed for 4.21" };
    expect(acceptOf(root, "a")).toEqual([own, entry]);
    expect(acceptOf(root, "b")).toEqual([entry]);
    const changed = Object.entries(readTree(root)).filter(([path, text]) => before[path] !== text);
    expect(changed.map(([path]) => path)).toEqual([
      "clusters/a/cluster-identity.yaml",
      "clusters/b/cluster-identity.yaml",
    ]);
    expect(validate(root).stderr).not.toContain("pass-role-any");
    expect(validate(root, "--accept-release", "Again").stdout).toContain("2 packages: 2 up to date\n");
    expect(acceptOf(root, "b")).toEqual([entry]);
  });

  it.each([
    [["--accept-release", " "], "--accept-release must give the reason in words"],
    [["--accept-release", "x", "--strict"], "--strict has no effect with --accept-release"],
    [["--credentials-requests", "nowhere"], '--credentials-requests "nowhere" is not a directory'],
  ])("%j is refused, and nothing changes", (args, message) => {
    const root = fleet();
    const before = readTree(root);
    const { status, stderr } = validate(root, ...args);
    expect({ status, files: readTree(root) }).toEqual({ status: 1, files: before });
    expect(stderr).toContain(message);
  });

  it("cannot be accepted without the release", () => {
    const { status, stderr } = run(["validate", "--accept-release", "x", "clusters/a"], { cwd: fleet() });
    expect(status).toBe(1);
    expect(stderr).toContain("--accept-release requires --credentials-requests");
  });
});
