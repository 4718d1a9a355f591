import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { temporary } from "../../helpers/temporary.ts";

/** Names that every JavaScript object inherits. */
const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];

const root = temporary();
mkdirSync(join(root, "package"));
const directory = join(root, "package");

function valuesFile(name: string): string {
  const path = join(root, `${name}.json`);
  writeFileSync(path, `{"${name}":{"x":"a"}}`);
  return path;
}

describe.each(names)("the name %s", (name) => {
  it.each<[string, string[]]>([
    ["of a command", [name]],
    ["of a command with help", [name, "--help"]],
    ["of a topic", ["help", name]],
    ["of a shell", ["completion", name]],
    ["of an option", ["validate", directory, `--${name}`]],
    ["of an option with a value", ["validate", directory, `--${name}=1`]],
    ["of an allowance", ["render", directory, "--allow", name]],
    ["of a format", ["report", directory, "-o", name]],
    ["of a format of findings", ["validate", directory, "-o", name]],
    ["of a format of a comparison", ["diff", directory, directory, "-o", name]],
    ["of a cloud", ["init", join(root, "new"), "--platform", name]],
    ["of a cloud of a specification", ["role-spec", directory, "--platform", name]],
    ["of a field", ["set", `${name}=1`, directory]],
    ["of a field's parent", ["set", `${name}.x=1`, directory]],
    ["of a field to remove", ["set", "--unset", name, directory]],
    ["in a file of values", ["set", "--values", valuesFile(name), directory]],
    ["of a parameter", ["argo-cd-generate", "--", `${name}=1`]],
  ])("%s is an error in words", (_what, args) => {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: /m);
    expect(stderr).not.toMatch(/bug in|TypeError|\n {4}at |\[object |native code/);
  });
});
