import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTouched } from "../../../src/cli/fleet/touched.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const home = process.cwd();
let root: string;

/** A repository, with the current directory in it: `fleet` with the packages `fleet/a`, `fleet/a/in` and `fleet/größe`. */
beforeEach(() => {
  root = realpathSync(temporary());
  mkdirSync(join(root, ".git"));
  writeTree(root, { "fleet/a/x": "", "fleet/a/in/x": "", "fleet/größe/x": "", "fleet/ab/x": "", "releases/r": "" });
  process.chdir(join(root, "fleet"));
});
afterEach(() => process.chdir(home));

const names = ["a", "a/in", "größe", "ab"];

/** The packages that a list touches. */
function touchedBy(list: string | Buffer, shared: readonly string[] = []): string[] {
  const file = join(root, "list");
  writeFileSync(file, list);
  const touched = readTouched(file, shared);
  const packages = new Set(names.map((name) => join(root, "fleet", name)));
  return names.filter((name) => touched.isShared || touched.isIn(join(root, "fleet", name), packages));
}

describe("--touched", () => {
  it.each([
    ["relative to the current directory", "a/x\n", ["a"]],
    ["relative to the root of the repository", "fleet/a/x\n", ["a"]],
    ["relative to the current directory, with ./ and ..", "./a/x\n../fleet/ab/x\n", ["a", "ab"]],
    ["that do not exist", "fleet/a/gone/deep\n", ["a"]],
    ["of a package inside another one", "fleet/a/in/x\n", ["a/in"]],
    ["of both", "fleet/a/in/x\nfleet/a/x\n", ["a", "a/in"]],
    ["that are the package itself", "fleet/ab\n", ["ab"]],
    ["above packages, and outside of them", "fleet\nfleet/x\nREADME.md\n/etc/passwd\n", []],
    ["with lines of Windows", "fleet/a/x\r\nfleet/ab/x\r\n", ["a", "ab"]],
    ["without a last newline", "fleet/ab/x", ["ab"]],
    ["as git quotes them", '"fleet/gr\\303\\266\\303\\237e/x"\n', ["größe"]],
    ["as git quotes them without core.quotePath", '"fleet/größe/a\\tb\\"c\\\\d"\n', ["größe"]],
    ["in UTF-8", "fleet/größe/x\n", ["größe"]],
    ["with NUL", "fleet/a/x\0fleet/größe/a\nb\0", ["a", "größe"]],
    ["with NUL, which git does not quote", '"fleet/a/x"\0', []],
    ["of an empty list", "\n", []],
  ])("accepts paths %s", (_name, list, expected) => {
    expect(touchedBy(list)).toEqual(expected);
  });

  it("accepts absolute paths", () => {
    expect(touchedBy(`${root}/fleet/a/x\n${root}/fleet/größe/gone\n`)).toEqual(["a", "größe"]);
  });

  it("accepts the output of git, in both forms", () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
    git("init", "-q");
    writeFileSync(join(root, 'fleet/größe/a "b"\t\\'), "");
    git("add", "-A", "fleet/größe");
    expect(touchedBy(git("diff", "--cached", "--name-only"))).toEqual(["größe"]);
    expect(touchedBy(git("diff", "--cached", "--name-only", "-z"))).toEqual(["größe"]);
    git("rm", "-rqf", "fleet/größe/x");
    expect(touchedBy(git("ls-files"))).toEqual(["größe"]);
  });

  it("takes only the current directory without a repository", () => {
    const other = realpathSync(temporary());
    mkdirSync(join(other, "a"));
    process.chdir(other);
    writeFileSync(join(other, "list"), "a/x\n");
    const { isIn } = readTouched("list", []);
    expect(isIn(join(other, "a"), new Set([join(other, "a")]))).toBe(true);
  });

  it("requires UTF-8", () => {
    expect(() => touchedBy(Buffer.from([0x61, 0xff, 0x0a]))).toThrow(
      /^--touched ".*" is not UTF-8; use the output of "git diff --name-only --no-renames"$/,
    );
  });
});

describe("--shared", () => {
  it.each([
    ["a path inside it", "releases/4.21/x.yaml\n", ["../releases"], names],
    ["the path itself", "releases/r\n", ["../releases/r"], names],
    ["one of several", "fleet/ab/x\n", ["../releases", "ab"], names],
    ["a path that is gone, inside one that is gone", "releases/gone/x\n", ["../releases/gone"], names],
    ["only a path with the same start", "releases2/x\nfleet/ab/x\n", ["../releases"], ["ab"]],
    ["a path above it", "releases\n", ["../releases/r"], []],
  ])("with %s", (_name, list, shared, expected) => {
    expect(touchedBy(list, shared)).toEqual(expected);
  });

  it("must exist, if no touched path is in it", () => {
    expect(() => touchedBy("fleet/a/x\n", ["../relases", "../releases"])).toThrow(
      '--shared "../relases" does not exist, and no touched path is in it',
    );
  });
});
