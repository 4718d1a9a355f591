import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { initSample } from "../../helpers/sample.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

/**
 * Each command line, with the command line in its message for the package `a`, or for all packages below the directory;
 * undefined if the message names only the package.
 */
const commands: readonly (readonly [args: (directory: string) => readonly string[], below: string | undefined])[] = [
  [(text) => ["render", text], "ccf render --recursive tree"],
  [(text) => ["render", "--check", "--only-ours", text], "ccf render --check --only-ours --recursive tree"],
  [(text) => ["render", "--stdout", text], "ccf render --stdout tree/clusters/a"],
  [(text) => ["validate", text], "ccf validate --recursive tree"],
  [(text) => ["export", text, "--output-dir", "out"], "ccf export --recursive tree --output-dir out"],
  [
    (text) => ["upgradeable-to", "4.20", "--status", "status.json", text],
    "ccf upgradeable-to 4.20 --status status.json tree/clusters/a",
  ],
  [(text) => ["set-identities", text, "--from", "-"], "ccf set-identities tree/clusters/a --from -"],
  [(text) => ["explain", text], undefined],
  [(text) => ["verify-token", "--token", "-", "--package", text], undefined],
];

const status = { verdict: "in sync", digest: "sha256:1", time: "2026-01-01T00:00:00Z" };

function place(): string {
  const root = temporary();
  for (const name of ["a", "it's"]) initSample(join(root, "tree/clusters", name), { name: "a" });
  mkdirSync(join(root, "empty"));
  writeFileSync(join(root, "file"), "text\n");
  writeFileSync(join(root, "status.json"), JSON.stringify(status));
  return root;
}

describe.each(commands)("a command", (args, below) => {
  const name = args("DIR").join(" ");

  it(`names the packages below a directory: ${name}`, () => {
    const root = place();
    const before = readTree(root);
    const { status: code, stdout, stderr } = run(args("tree"), { cwd: root, input: "token" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    if (below === undefined) {
      expect(stderr).toContain(`; name a package in it: "tree/clusters/a", "tree/clusters/it's".`);
    } else {
      const other = below.replaceAll("clusters/a", "clusters/it's");
      const quoted = other.replace("tree/clusters/it's", `'tree/clusters/it'\\''s'`);
      const cure = below.includes("--recursive") ? `"${below}"` : `"${below}", "${quoted}"`;
      expect(stderr).toBe(
        `error: "tree" is not a package: it contains neither a Kptfile nor a ClusterIdentity. It contains 2 packages: run ${cure}. [not-a-package]\n`,
      );
    }
    expect(readTree(root)).toEqual(before);
  });

  it(`reports a path without a package: ${name}`, () => {
    const root = place();
    const asked = (directory: string) => {
      const { status: code, stdout, stderr } = run(args(directory), { cwd: root, input: "token" });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      return stderr;
    };
    expect(asked("empty")).toMatch(/^error: "empty" (?:is not a package: it contains neither|contains|holds)/);
    expect(asked("nowhere")).toMatch(/^error: "nowhere" is not a directory: it does not exist\. \[usage\]\n/);
    expect(asked("file")).toMatch(
      /^error: "file" is not a directory: it is a file; name the directory that contains it\. \[usage\]\n/,
    );
  });
});

it("argo-cd-generate names the packages below the application's directory", () => {
  const { status: code, stdout, stderr } = run(["argo-cd-generate"], { cwd: join(place(), "tree/clusters") });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`It contains 2 packages: run "ccf render --stdout a", "ccf render --stdout 'it'\\''s'".`);
});

it("names at most 20 packages", () => {
  const root = temporary();
  for (let count = 0; count < 22; count++) {
    mkdirSync(join(root, `p${count}`));
    writeFileSync(join(root, `p${count}`, "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\n");
  }
  const { stderr } = run(["render", "--stdout"], { cwd: root });
  expect(stderr.match(/"ccf render --stdout p\d+"/g)).toHaveLength(20);
  expect(stderr).toContain(", and the same for 2 more. [not-a-package]");
});

it.each([
  ["render", "--check"],
  ["render", "--check", "--only-ours"],
  ["validate"],
  ["export", "--output-dir", "out"],
  ["update-requests", "--final"],
])("%s %s says that .krmignore excludes the files of a package", (...args) => {
  const root = place();
  writeFileSync(join(root, "tree/clusters/a/.krmignore"), "*\n");
  const { status: code, stdout, stderr } = run([...args, "tree/clusters/a"], { cwd: root });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    'error: "tree/clusters/a" contains no Kptfile and no ClusterIdentity that a command reads: its .krmignore excludes "Kptfile", "cluster-identity.yaml". Remove the pattern that excludes them from .krmignore. [not-a-package]\n',
  );
});

it("report and explain say that .krmignore excludes the Kptfile of a package", () => {
  const root = place();
  writeFileSync(join(root, "tree/clusters/a/.krmignore"), "*\n");
  for (const command of ["report", "explain"])
    expect(run([command, "tree/clusters/a"], { cwd: root })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /"Kptfile" is excluded by \.krmignore, .*remove it from \.krmignore\. \[generated-hidden\]/,
      ),
    });
});
