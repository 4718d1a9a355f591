import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ccf, copyProgram } from "../../helpers/ccf.ts";
import { temporary } from "../../helpers/temporary.ts";

/*
 * The program as npm installs it: the file "ccf", and the modules in "parts".
 */

const start = (program: string, args: readonly string[] = ["--version"]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { input: "", encoding: "utf8" });
  return { status, stdout, stderr };
};

describe("a program without all of its parts", () => {
  it("without any says what is missing, and prints nothing else", () => {
    const directory = temporary();
    const program = copyProgram(directory);
    rmSync(join(directory, "parts"), { recursive: true });
    const expected = {
      status: 1,
      stdout: "",
      stderr: `error: Cannot find module '${join(directory, "parts/main.mjs")}' imported from ${program}. Install the file "ccf" and the directory "parts" together.\n`,
    };
    expect(start(program)).toEqual(expected);
    expect(start(program, [])).toEqual(expected);
  });

  it("without one says which, and runs what does not need it", () => {
    const directory = temporary();
    const program = copyProgram(directory);
    const part = readdirSync(join(directory, "parts")).find((name) => name.startsWith("create-key-pair-")) ?? "";
    renameSync(join(directory, "parts", part), join(directory, part));
    expect(start(program)).toMatchObject({ status: 0, stderr: "" });
    const { status, stdout, stderr } = start(program, ["create-key-pair", "--output-dir", join(directory, "keys")]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: Cannot find module '${join(directory, "parts", part)}'`);
  });
});

it("finds its parts through links", () => {
  const directory = temporary();
  mkdirSync(join(directory, "bin"));
  symlinkSync(dirname(ccf), join(directory, "lib"));
  symlinkSync("../lib/ccf", join(directory, "bin/ccf"));
  expect(start(join(directory, "bin/ccf"))).toMatchObject({ status: 0, stderr: "" });
});
