import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bun as bunVersion } from "../../../tools/bun.mjs";
import { ccf } from "../../helpers/ccf.ts";
import { listOf, newPackage, renderedPackage, sampleRequests } from "../../helpers/cluster-package.ts";
import { builtExecutable } from "../../helpers/executable.ts";
import { describeWith } from "../../helpers/need.ts";
import { type RunOptions, run } from "../../helpers/programs.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

/*
 * What is around a process is for Bun what it is for Node.js, or the difference is here and in docs/guides/install.md. Other tests
 * of surroundings are in test/program, which runs with the executable, too.
 */

const executable = builtExecutable();
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const start = (args: readonly string[], options: RunOptions = {}) => run(executable, args, options);
const onNode = (args: readonly string[], options: RunOptions = {}) => run(process.execPath, [ccf, ...args], options);
const shell = (line: string, program: readonly string[], options: RunOptions = {}) =>
  run("sh", ["-c", line, "sh", ...program], options);
const [bun, node] = [[executable], [process.execPath, ccf]];

/** Other users, and file systems of their own, need root. In CI, the tests are root. */
const asRoot = spawnSync("unshare", ["--mount", "true"]).status === 0 ? it : it.skip;

describe("nothing in the working directory or the home directory", () => {
  /** A directory in which each file that Bun or Node.js may read runs code. */
  const hostile = () => {
    const directory = renderedPackage(sampleRequests);
    const code = `require("node:fs").writeFileSync(${JSON.stringify(join(directory, "ran"))}, "");\n`;
    const modules = ["js-yaml", "commander", "bun", "main"].map((name) => [`node_modules/${name}/index.js`, code]);
    writeTree(directory, {
      ".env": "BUN_OPTIONS=--preload=./evil.js\nNODE_OPTIONS=--require=./evil.js\nHTTPS_PROXY=http://127.0.0.1:1\n",
      ".env.local": "BUN_OPTIONS=--preload=./evil.js\n",
      ".env.production": "BUN_OPTIONS=--preload=./evil.js\n",
      "bunfig.toml": 'preload = ["./evil.js"]\n',
      ".bunfig.toml": 'preload = ["./evil.js"]\n',
      "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./evil.js"] } } }\n',
      "package.json":
        '{ "type": "module", "imports": { "#*": "./evil.js" }, "main": "./evil.js", "bun": { "preload": ["./evil.js"] } }\n',
      "evil.js": code,
      ...Object.fromEntries(modules),
    });
    return directory;
  };

  it.each([
    [["--version"]],
    [["--help"]],
    [["render", "--check"]],
    [["validate", "-o", "json"]],
    [["explain", "--no-such-option"]],
    [["create-key-pair", "--output-dir", "keys", "--no-installer"]],
  ])("configures or runs: %j", (args) => {
    const cwd = hostile();
    const env = { HOME: cwd, XDG_CONFIG_HOME: cwd };
    const done = start(args, { cwd, env });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    if (args[0] !== "create-key-pair") expect(done).toEqual(onNode(args, { cwd, env }));
  });

  describeWith(["strace"], "is opened", () => {
    it("by a function or a command", () => {
      const cwd = hostile();
      for (const args of [["--version"], ["--help"], ["generate-oidc-issuer"]]) {
        const trace = join(temporary(), "trace");
        run("strace", ["-f", "-o", trace, "-e", "trace=file", executable, ...args], { cwd, env: { HOME: cwd } });
        const opened = readFileSync(trace, "utf8").match(
          /^.*(?:\.env|bunfig|tsconfig|package\.json|node_modules|evil).*$/gm,
        );
        expect(opened, args[0]).toBeNull();
      }
    });
  });
});

describe("the environment is trusted (SECURITY.md):", () => {
  const preload = (name = "preload.js") => {
    const file = join(temporary(), name);
    writeFileSync(file, 'console.log("preloaded");\n');
    return file;
  };

  it("BUN_OPTIONS runs code, as NODE_OPTIONS does with Node.js", () => {
    expect(start(["--version"], { env: { BUN_OPTIONS: `--preload=${preload()}` } }).stdout).toBe(
      `preloaded\n${version}\n`,
    );
    expect(onNode(["--version"], { env: { NODE_OPTIONS: `--require=${preload("preload.cjs")}` } }).stdout).toBe(
      `preloaded\n${version}\n`,
    );
    expect(start(["--version"], { env: { NODE_OPTIONS: `--require=${preload("preload.cjs")}` } }).stdout).toBe(
      `${version}\n`,
    );
  });

  it("BUN_BE_BUN makes it Bun", () => {
    expect(start(["--version"], { env: { BUN_BE_BUN: "1" } }).stdout).toBe(`${bunVersion.version}\n`);
  });

  it("variables that are empty, as in the images, do nothing", () => {
    const dockerfile = readFileSync("Dockerfile", "utf8");
    const names = [...dockerfile.matchAll(/(BUN_\w+)=""/g)].map(([, name = ""]) => name);
    expect(names).toEqual(["BUN_OPTIONS", "BUN_BE_BUN", "BUN_INSPECT", "BUN_INSPECT_PRELOAD"]);
    const env = Object.fromEntries(names.map((name) => [name, ""]));
    expect(start(["--version"], { env })).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe.skipIf(process.platform !== "linux")("like the program on Node.js, it", () => {
  it.each([
    ["a closed standard input", '"$@" generate-oidc-issuer <&-'],
    ["a directory as standard input", '"$@" generate-oidc-issuer < .'],
    ["a closed standard output", '"$@" --help >&-'],
    ["a closed standard error", '"$@" no-such-command 2>&-'],
    ["all streams closed", '"$@" --help <&- >&- 2>&-'],
    ["a full disk behind standard output", '"$@" --help > /dev/full'],
    ["a full disk behind the version", '"$@" --version > /dev/full'],
    [
      "a full disk behind a function",
      'printf "apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\nitems: []\\n" | "$@" generate-oidc-issuer > /dev/full',
    ],
    ["a full disk behind standard error", '"$@" no-such-command 2> /dev/full'],
    ["a reader that is gone", '("$@" --help; echo "$?" >&2) | true'],
  ])("answers %s", (_what, line) => {
    const cwd = temporary();
    expect(shell(line, bun, { cwd })).toEqual(shell(line, node, { cwd }));
  });

  it.each([
    ["argument", 'exec "$@" validate "$(printf "gone\\377")"'],
    ["directory", 'cd "$(printf "d\\377")" && exec "$@" render --check'],
    ["file in the package", 'cd named && exec "$@" render --check'],
    ["variable", 'X="$(printf "\\377")" exec "$@" --help'],
  ])("answers a name that is not UTF-8: %s", (_what, line) => {
    const cwd = temporary();
    cpSync(renderedPackage(sampleRequests), join(cwd, "named"), { recursive: true });
    run("sh", ["-c", `cp -R named "$(printf 'd\\377')"; touch "$(printf 'named/f\\376.yaml')"`], { cwd });
    const [one, other] = [shell(line, bun, { cwd }), shell(line, node, { cwd })];
    expect(one).toEqual(other);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("ends by %s", (signal) => {
    const ends = ([program = "", ...args]: readonly string[]) => {
      const line = `"$@" & pid=$!; sleep 1; kill -${signal.slice(3)} $pid; wait $pid; echo $?`;
      // A shell that is not interactive ignores SIGINT for what it starts in the background.
      return spawnSync("bash", ["-c", `set -m; ${line}`, "bash", program, ...args, "generate-oidc-issuer"], {
        stdio: ["pipe", "pipe", "ignore"],
        encoding: "utf8",
        input: undefined,
      }).stdout;
    };
    expect(ends(bun)).toBe(ends(node));
  });

  asRoot("works for a user without a name and without a home directory", () => {
    const directory = renderedPackage(sampleRequests);
    spawnSync("chmod", ["-R", "a+rX", directory, join(directory, "..")]);
    const program = join(temporary(), "ccf");
    cpSync(executable, program);
    spawnSync("chmod", ["-R", "a+rX", join(program, "..")]);
    const args = ["--reuid", "54321", "--regid", "54321", "--clear-groups", "env", "-i", program, "explain", directory];
    expect(run("setpriv", args)).toEqual(onNode(["explain", directory]));
  });

  asRoot("renders in a file system that is read-only, with no directory for temporary files", () => {
    const directory = newPackage(sampleRequests);
    const input = listOf(directory);
    const line = 'mount -o remount,bind,ro / && ! touch written 2> /dev/null && exec "$@"';
    const args = ["--mount", "sh", "-c", line, "sh", executable, "generate-oidc-issuer"];
    const done = run("unshare", args, { input, cwd: directory, env: { TMPDIR: "/none", HOME: "/none" } });
    expect(done).toEqual(onNode(["generate-oidc-issuer"], { input }));
  });
});

describe.skipIf(process.platform !== "linux")("unlike the program on Node.js, it", () => {
  it("stops in a working directory that was removed", () => {
    const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@" --version';
    expect(shell(line, bun, { cwd: temporary() })).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: The current working directory was deleted/),
    });
    expect(shell(line, node, { cwd: temporary() })).toMatchObject({ status: 0 });
  });

  asRoot("stops without /proc, and changes nothing", () => {
    const directory = newPackage(sampleRequests);
    const before = readTree(directory);
    const args = ["--mount", "sh", "-c", 'umount -l /proc && exec "$@"', "sh", executable, "render", directory];
    const { status, stdout, stderr } = run("unshare", args);
    expect({ status, stdout }).toEqual({ status: null, stdout: "" });
    expect(stderr).toContain("Bun has crashed");
    expect(readTree(directory)).toEqual(before);
  });
});
