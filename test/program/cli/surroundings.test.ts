import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { asksForJson, failureJson, failureOf } from "../../../src/cli/terminal/errors.ts";
import { commandLine, executable, run } from "../../helpers/ccf.ts";
import { type Answer, answerOf } from "../../helpers/in-process.ts";
import { printed } from "../../helpers/printed.ts";
import { initFlags, initSample, sample } from "../../helpers/sample.ts";
import { expectFits } from "../../helpers/schema.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

const { directory: root, remove } = keptTemporary();
const pkg = join(root, "pkg");
const large = join(root, "large.yaml");
beforeAll(() => {
  initSample(pkg);
  writeFileSync(large, "");
  truncateSync(large, 48 * 1024 * 1024 + 1);
});
afterAll(remove);
afterEach(() => {
  printed.before = () => undefined;
});

/** Each command that prints JSON, with the arguments that it needs. */
const commands: Readonly<Record<string, readonly string[]>> = {
  render: ["--check", pkg],
  validate: [pkg],
  export: [pkg, "--output-dir", join(root, "out")],
  diff: [pkg, pkg],
  explain: [pkg],
  "check-issuer": ["--package", pkg],
  "verify-token": ["--token", large, "--package", pkg],
  "create-key-pair": ["--output-dir", join(root, "keys")],
};

function expectFailure({ status, stdout, stderr }: Answer, code: string | RegExp): void {
  expectFits("failure", stdout);
  const { error, findings } = JSON.parse(stdout);
  expect(error.code).toMatch(code);
  const [line = ""] = stderr.split("\n");
  // The message of a finding has its own code.
  const ending = error.code === "findings" ? "" : " [";
  expect(line.startsWith(`error: ${error.message}${ending}`) && line.endsWith("]")).toBe(true);
  expect(findings.length > 0).toBe(error.code === "findings");
  expect(stderr).not.toMatch(/^ +at /m);
  expect(status).toBe(1);
}

describe.each(Object.entries(commands))("ccf %s -o json", (command, args) => {
  it.each<readonly string[]>([
    ["-o", "json", "--bogus"],
    ["--bogus", "-ojson"],
    ["--output=json", "--output"],
    ["--output", "json", "--output-dir", "a", "--package", "b", "--bogus=x"],
  ])("prints JSON where the command line is wrong: %s %s %s", async (...more) => {
    expectFailure(await answerOf([command, ...args, ...more]), "usage");
  });
});

// The other commands open other files before the package.
const readers = Object.entries(commands).filter(([name]) => name !== "create-key-pair" && name !== "verify-token");

describe.each(readers)("ccf %s -o json", (command, args) => {
  it.each(["EMFILE", "ENFILE", "EACCES", "ELOOP", "ENAMETOOLONG", "ENOENT", "EIO"])(
    "prints JSON where the system says %s",
    async (code) => {
      printed.before = (path) => {
        if (!path.startsWith(pkg)) return;
        throw Object.assign(new Error(`${code}: made by a test, open '${path}\u001b'`), { code, syscall: "open" });
      };
      expectFailure(await answerOf([command, ...args, "-o", "json"]), code);
    },
  );

  it("prints JSON if a file is too large", async () => {
    const file = join(pkg, "large.yaml");
    writeFileSync(file, "");
    truncateSync(file, 48 * 1024 * 1024 + 1);
    try {
      const answer = await answerOf([command, ...args, "-o", "json"]);
      expectFailure(answer, "findings");
      expect(JSON.parse(answer.stdout).findings[0].tags.code).toBe("file-too-large");
    } finally {
      rmSync(file);
    }
  });
});

describe("a file on the command line with more than 48 MiB", () => {
  const cases: readonly (readonly string[])[] = [
    ["validate", pkg, "--live", large],
    ["validate", pkg, "--install-config", large],
    ["upgradeable-to", "4.20", "--status", large, pkg],
    ["diff", large, large],
    ["diff", sample, sample, "--feature-gate-manifests", large],
    ["role-spec", large],
    ["init", join(root, "new"), ...initFlags({ "public-key-file": large })],
  ];
  it.each(cases)("is refused by %s", async (...args) => {
    const { status, stderr } = await answerOf(args);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error: "${large}" has more than 50331648 bytes (48 MiB) and was not read. Use a smaller file. If the file is in a package, add it to .krmignore. [file-too-large]\n`,
    });
  });

  it("is refused if it has no end", async () => {
    const { status, stderr } = await answerOf(["validate", pkg, "--live", "/dev/zero"]);
    expect(status).toBe(1);
    expect(stderr).toContain("[file-too-large]");
  });
});

describe("what a command reports about", () => {
  it.each<[string, readonly string[], string]>([
    ["a directory as a file", ["validate", pkg, "--live", pkg], "(EISDIR)"],
    ["a link to itself", ["validate", pkg, "--live", join(root, "loop")], "(ELOOP)"],
    ["a long name", ["role-spec", `/tmp/${"x".repeat(300)}`], "(ENAMETOOLONG)"],
    ["a long status file's name", ["upgradeable-to", "4.20", "--status", "x".repeat(300), pkg], "(ENAMETOOLONG)"],
  ])("%s is a line", async (_, args, said) => {
    mkdirSync(root, { recursive: true });
    rmSync(join(root, "loop"), { force: true });
    symlinkSync("loop", join(root, "loop"));
    const { status, stderr } = await answerOf(args);
    expect(status).toBe(1);
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it.runIf(process.platform === "linux")("a full disk behind standard output is a line", () => {
    for (const args of [
      ["--version"],
      ["--help"],
      ["render", "--check", pkg],
      ["render", "--stdout", pkg],
      ["validate", pkg, "-o", "json"],
    ]) {
      const done = spawnSync("/bin/sh", ["-c", 'exec "$@" > /dev/full', "sh", ...commandLine(...args).flat()], {
        encoding: "utf8",
      });
      expect(done.status, args.join(" ")).toBe(1);
      expect(done.stderr).toContain("error: ENOSPC: no space left on device, write");
      expect(done.stderr).not.toMatch(/^ +at /m);
    }
  });

  it.runIf(process.platform === "linux")("a function's standard streams is a line", () => {
    const sh = (line: string) =>
      spawnSync("/bin/sh", ["-c", line, "sh", ...commandLine().flat()], { encoding: "utf8", cwd: root });
    expect(sh('"$@" generate-oidc-issuer < .')).toMatchObject({
      status: 1,
      stderr: "error: EISDIR: illegal operation on a directory, read\n",
    });
    const list = "apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\nitems: []\\n";
    const full = sh(`printf '${list}' | "$@" generate-oidc-issuer > /dev/full`);
    expect(full.status).toBe(1);
    expect(full.stderr).toMatch(/\nerror: ENOSPC: no space left on device, write\n$/);
    expect(sh('"$@" generate-oidc-issuer <&-')).toMatchObject({ status: 1 });
    expect(sh('"$@" --help | true')).toMatchObject({ stderr: "" });
  });

  it.runIf(process.platform === "linux")("a removed working directory is a line, or JSON", () => {
    const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@" create-key-pair -o json';
    const done = spawnSync("/bin/sh", ["-c", line, "sh", ...commandLine().flat()], { encoding: "utf8", cwd: root });
    if (executable === undefined) expectFailure({ ...done, status: done.status ?? -1 }, "ENOENT");
    // Bun stops before the program starts.
    else
      expect(done).toMatchObject({
        status: 1,
        stdout: "",
        stderr: expect.stringMatching(/^error: The current working directory was deleted/),
      });
  });
});

describe("a failure", () => {
  it.each<[unknown, string, string]>([
    [new RangeError("x"), "internal", "error: RangeError: x [internal-error]"],
    ["x", "internal", "error: Error: x [internal-error]"],
    [
      Object.assign(new Error("too long"), { code: "ERR_STRING_TOO_LONG" }),
      "ERR_STRING_TOO_LONG",
      "error: too long [system-error]",
    ],
    [
      Object.assign(new Error("EMFILE: x"), { code: "EMFILE", syscall: "open" }),
      "EMFILE",
      'error: EMFILE: x; raise the limit of open files, for example with "ulimit -n 1024" [system-error]',
    ],
    [
      Object.assign(new Error("x"), { name: "AbortError" }),
      "stopped",
      "error: stopped; nothing was created. [stopped]",
    ],
  ])("of %s has the code %s", (error, code, line) => {
    const failure = failureOf(error);
    expect({ code: failure.code, line: failure.lines[0] }).toEqual({ code, line });
    expectFits("failure", JSON.stringify(failureJson(failure)));
  });

  it.each<[readonly string[], boolean]>([
    [["-o", "json"], true],
    [["a", "-ojson", "--x"], true],
    [["--output", "json"], true],
    [["--output=json"], true],
    [["-o", "text", "-o", "json"], true],
    [["-o", "json", "-o", "text"], false],
    [["--", "-o", "json"], false],
    [["-o"], false],
    [["json"], false],
    [["--output-dir", "json"], false],
  ])("of %j is JSON: %s", (args, expected) => {
    expect(asksForJson(args)).toBe(expected);
  });
});

it("prints help as text, whatever the output format", () => {
  expect(run(["render", "--help", "-o", "json"]).stdout).toContain("Usage:");
});
