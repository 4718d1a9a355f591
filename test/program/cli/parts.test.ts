import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ccf, copyProgram } from "../../helpers/ccf.ts";
import { temporary } from "../../helpers/temporary.ts";

const cure =
  'Install the file "ccf" and the directory "parts" together: https://github.com/cloud-credential-functions/cloud-credential-functions/blob/main/docs/guides/install.md\n';
const start = (program: string, args: readonly string[] = ["--version"]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { input: "", encoding: "utf8" });
  return { status, stdout, stderr };
};

describe("a program without all of its parts", () => {
  it.each<[string, (directory: string) => void, (part: string) => string]>([
    [
      "without any",
      (directory) => rmSync(join(directory, "parts"), { recursive: true }),
      (part) => `cannot read ${part}, a part of ccf: ENOENT`,
    ],
    [
      "with half of one",
      (directory) => {
        const part = join(directory, "parts/function.js");
        writeFileSync(part, readFileSync(part, "utf8").slice(0, -1));
      },
      (part) => `${part} is incomplete, or belongs to another build of ccf`,
    ],
    [
      "with one of another build",
      (directory) => {
        const part = join(directory, "parts/function.js");
        writeFileSync(part, readFileSync(part, "utf8").replace(/[0-9a-f]{16}\*\/$/, "0123456789abcdef*/"));
      },
      (part) => `${part} is incomplete, or belongs to another build of ccf`,
    ],
  ])("%s says what is missing, and prints nothing else", (_name, spoil, message) => {
    const directory = temporary();
    const program = copyProgram(directory);
    spoil(directory);
    const expected = {
      status: 1,
      stdout: "",
      stderr: `error: ${message(JSON.stringify(join(directory, "parts/function.js")))}\n${cure}`,
    };
    expect(start(program)).toEqual(expected);
    expect(start(program, [])).toEqual(expected);
  });

  it("runs what needs none of those that are missing", () => {
    const directory = temporary();
    const program = copyProgram(directory);
    const part = readdirSync(join(directory, "parts")).find((name) => name.startsWith("create-key-pair-")) ?? "";
    renameSync(join(directory, "parts", part), join(directory, part));
    expect(start(program)).toMatchObject({ status: 0, stderr: "" });
    const { status, stdout, stderr } = start(program, ["create-key-pair", "--output-dir", join(directory, "keys")]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      `error: cannot read ${JSON.stringify(join(directory, "parts", part))}, a part of ccf: ENOENT\n${cure}`,
    );
  });
});

it("finds its parts through links", () => {
  const directory = temporary();
  mkdirSync(join(directory, "bin"));
  symlinkSync(dirname(ccf), join(directory, "lib"));
  symlinkSync("../lib/ccf", join(directory, "bin/ccf"));
  expect(start(join(directory, "bin/ccf"))).toMatchObject({ status: 0, stderr: "" });
});
