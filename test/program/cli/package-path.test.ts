import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { initSample } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

/** A root with two packages: one has the name. */
function fleet(name: string): string {
  const root = temporary();
  initSample(join(root, "clusters/one"));
  mkdirSync(join(root, "clusters", name));
  // It cannot be read, so a message about its content would show that it was read.
  writeTree(join(root, "clusters", name), { "cluster-identity.yaml": "a: [\n" });
  return root;
}

const message = (code: string, shown: string) =>
  `error: clusters/${shown}: "clusters/${shown}" contains the control character ${code}, so a script could take a part of the path for an option. Rename the directory. [package-path]\n`;

describe("a package whose path contains a control character", () => {
  const name = "prod\n--prune";

  it.each([
    ["render", ["--check", "--recursive", "clusters"]],
    ["render", ["--recursive", "clusters", "--shard", "1/2"]],
    ["render", ["--recursive", "clusters", "--touched", "-"]],
    ["render", ["clusters/one", `clusters/${name}`]],
    ["render", [`clusters/${name}`]],
    ["validate", ["--recursive", "clusters", "--selector", "platform=aws"]],
    ["report", ["--recursive", "clusters"]],
    ["explain", [`clusters/${name}`]],
    ["export", [`clusters/${name}`, "--output-dir", "out"]],
    ["status", ["--recursive", "clusters"]],
    ["apply", ["--yes", "--recursive", "clusters"]],
    ["destroy", ["--yes", "demo", `clusters/${name}`]],
    ["set", ["metadata.labels.a=b", "--recursive", "clusters"]],
    ["update-requests", ["--from", "clusters/one", "--recursive", "clusters"]],
    ["diff", ["clusters", "clusters", "--recursive"]],
    ["init", [`clusters/${name}/new`, "--platform", "aws"]],
  ])("stops ccf %s %j before anything is read", (command, args) => {
    const root = fleet(name);
    const before = readTree(root);
    const { status, stdout, stderr } = run([command, ...args], { cwd: root });
    const shown = command === "init" ? "prod\\u000a--prune/new" : "prod\\u000a--prune";
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: message("U+000A", shown) });
    expect(readTree(root)).toEqual(before);
  });

  it.each([
    ["\u001b[31m", "U+001B", "\\u001b[31m"],
    ["a\rb", "U+000D", "a\\u000db"],
    ["a\u2028b", "U+2028", "a\\u2028b"],
    ["a\u0085b", "U+0085", "a\\u0085b"],
  ])("names the character: %j", (name, code, shown) => {
    const root = fleet(name);
    const { status, stderr } = run(["render", "--recursive", "clusters"], { cwd: root });
    expect({ status, stderr }).toEqual({ status: 1, stderr: message(code, shown) });
  });
});

describe("a word after --", () => {
  it.each(["--help", "-h", "--prune", "-o"])("is a package, even if it is %j", (name) => {
    const { status, stdout, stderr } = run(["render", "--check", "--", name], { cwd: temporary() });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`"${name}" is not a directory: it does not exist`);
  });
});
