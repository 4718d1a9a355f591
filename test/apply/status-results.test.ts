import { execFile, execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { renderedAzurePackage } from "../helpers/azure-package.ts";
import { ccf } from "../helpers/ccf.ts";
import { answerOf } from "../helpers/in-process.ts";
import { printed } from "../helpers/printed.ts";
import { expectFits } from "../helpers/schema.ts";
import { hoursAgo, resultText } from "../helpers/status-result.ts";
import { readTree, temporary, writeTree } from "../helpers/temporary.ts";
import { AzureCloud } from "./azure-cloud.ts";

const names = ["a", "b", "c"] as const;
const subscription = "22222222-2222-2222-2222-222222222222";
let cloud: AzureCloud;
const trees = new Map<string, Record<string, string>>();
let root: string;
let pkg: string;
/** The file for the package a, with an earlier "in sync" that is no longer true. */
let file: string;
/** A directory with such results for all packages. */
let results: string;

const ownFile = (name: string) => join(results, `${subscription}-demo-${name}.json`);
const verdictOf = (path: string) => (JSON.parse(readFileSync(path, "utf8")) as { verdict: string }).verdict;
const statusOfAll = (...args: string[]) =>
  answerOf(["status", "--recursive", root, "--jobs", "1", "--results", results, ...args]);

/** Fails with the code of a system error before the file system is asked for a path. */
function failAt(code: string, isAt: (path: string) => boolean): void {
  printed.before = (path) => {
    if (isAt(path)) throw Object.assign(new Error(`${code}: made by a test, '${path}'`), { code, syscall: "open" });
  };
}

const isTemporary = (path: string) => path.includes(".ccf-status-");

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  for (const name of names) trees.set(name, readTree(renderedAzurePackage({}, undefined, {}, `demo-${name}`)));
  Object.assign(process.env, cloud.environment());
});
beforeEach(async () => {
  cloud.reset();
  root = temporary();
  for (const [name, tree] of trees) writeTree(join(root, name), tree);
  pkg = join(root, "a");
  [file, results] = [join(temporary(), "status.json"), join(temporary(), "results")];
  expect(await answerOf(["apply", "--yes", "--quiet", "--recursive", root])).toMatchObject({ status: 0 });
  expect(await answerOf(["status", "--result", file, pkg])).toMatchObject({ status: 0 });
  expect(await statusOfAll()).toMatchObject({ status: 0 });
  expect(await answerOf(["upgradeable-to", "4.20", "--status", file, pkg])).toMatchObject({ status: 0 });
  for (const one of Object.values(cloud.state.accounts)) one.properties.minimumTlsVersion = "TLS1_0";
  cloud.received.length = 0;
});
afterEach(() => {
  printed.before = () => undefined;
});
afterAll(async () => {
  for (const name of Object.keys(cloud.environment())) delete process.env[name];
  await cloud.stop();
});

describe("a result that cannot be written", () => {
  it("leaves no earlier one, and the comparison is shown", async () => {
    failAt("ENOSPC", isTemporary);
    const { status, stdout, stderr } = await answerOf(["status", "--result", file, pkg]);
    expect([status, stderr]).toEqual([
      1,
      `error: "${file}" cannot be written (ENOSPC); free some disk space, and run the command again. No earlier result is left in its place. [result-not-written]\n`,
    ]);
    expect(stdout).toContain("TLS1_0; in the package: TLS1_2\n");
    expect(stdout).toMatch(/\ndemo-a: 1 difference\. /);
    printed.before = () => undefined;
    expect(readdirSync(join(file, ".."))).toEqual([]);
    expect(await answerOf(["upgradeable-to", "4.20", "--status", file, pkg])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be read (ENOENT); "ccf status --result FILE" writes it'),
    });
  });

  it("concerns only its own package", async () => {
    let count = 0;
    failAt("EIO", (path) => isTemporary(path) && ++count === 2);
    const { status, stdout, stderr } = await statusOfAll();
    expect([status, stderr]).toEqual([
      1,
      `${join(root, "b")}:\nerror: "${ownFile("b")}" cannot be written (EIO); run the command again. No earlier result is left in its place. [result-not-written]\n`,
    ]);
    for (const name of names) expect(stdout).toContain(`\n${join(root, name)}: 1 difference\n`);
    expect(stdout).toMatch(/\n3 packages: 3 drift\n$/);
    expect(readdirSync(results).map((name) => join(results, name))).toEqual([ownFile("a"), ownFile("c")]);
    expect([verdictOf(ownFile("a")), verdictOf(ownFile("c"))]).toEqual(["drift", "drift"]);
    const allowed = await answerOf(["upgradeable-to", "4.20", "--status", results, "--recursive", root]);
    expect([allowed.status, allowed.stdout]).toEqual([2, "3 packages: 3 refused\n"]);
    const { stdout: table } = await answerOf(["report", "--status", results, "--recursive", root, "-o", "csv"]);
    expect(table.match(/,(?:drift|unknown)$/gm)).toEqual([",drift", ",unknown", ",drift"]);
  });

  it("is in JSON, and the exit code is 1 even if all are in sync", async () => {
    for (const one of Object.values(cloud.state.accounts)) one.properties.minimumTlsVersion = "TLS1_2";
    failAt("ENOSPC", isTemporary);
    const { status, stdout } = await answerOf(["status", "-o", "json", "--result", file, pkg]);
    expectFits("plan", stdout);
    expect([status, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({
        verdict: "in sync",
        findings: [expect.objectContaining({ tags: expect.objectContaining({ code: "result-not-written" }) })],
      }),
    ]);
    printed.before = () => undefined;
    expect(JSON.parse((await answerOf(["status", "-o", "json", pkg])).stdout)).not.toHaveProperty("findings");
  });

  it("is found before the cloud is read if its directory is missing", async () => {
    const missing = join(temporary(), "missing", "status.json");
    expect(await answerOf(["status", "--result", missing, pkg])).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `error: "${missing}" cannot be written, because its directory does not exist or is not writable. Create the directory, or change its permissions. [result-not-written]\n`,
    });
    expect(cloud.received).toEqual([]);
  });

  it("does not keep back those of packages that were compared before", async () => {
    const verdicts: string[] = [];
    // --jobs 1 begins with the last package when the others are complete.
    failAt("EIO", (path) => {
      if (path === ownFile("c") && verdicts.length === 0) verdicts.push(...["a", "b"].map(ownFile).map(verdictOf));
      return false;
    });
    await statusOfAll();
    expect(verdicts).toEqual(["drift", "drift"]);
  });
});

describe("an earlier result that cannot be removed", () => {
  it.each([
    [
      "still contains the result of an earlier run, because it cannot be removed (EROFS). No new result was written. Remove the file by hand, and run the command again.",
      "EROFS",
      2,
    ],
    [
      "may contain the result of an earlier run, because it cannot be read (EACCES). No new result was written. Make it readable, or remove it by hand, and run the command again.",
      "EACCES",
      1,
    ],
  ])("%s", async (message, code, call) => {
    let count = 0;
    failAt(code, (path) => path === file && ++count === call);
    expect(await answerOf(["status", "--result", file, pkg])).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: "${file}" ${message} [result-not-removed]\n`,
    });
    expect(cloud.received).toEqual([]);
    expect(verdictOf(file)).toBe("in sync");
  });

  it("concerns only its own package, whose cloud is not read", async () => {
    failAt("EROFS", (path) => path === ownFile("b"));
    const { status, stdout, stderr } = await statusOfAll();
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(`^${join(root, "b")}:\nerror: "${ownFile("b")}" .* \\[result-not-removed\\]\n$`),
    ]);
    expect(stdout).toContain(`\n${join(root, "b")}: not known\n`);
    expect(stdout).toMatch(/\n3 packages: 2 drift, 1 cannot tell\n$/);
    expect(names.map(ownFile).map(verdictOf)).toEqual(["drift", "in sync", "drift"]);
    expect(cloud.received.filter(({ url }) => url.includes("demo-b-"))).toEqual([]);
    expect(cloud.received.filter(({ url }) => url.includes("demo-c-"))).not.toEqual([]);
  });

  it("of a package that cannot be opened is its own failure, too", async () => {
    for (const name of ["a", "b"]) writeFileSync(join(root, name, "azure/cluster.yaml"), "");
    let count = 0;
    failAt("EROFS", (path) => path === ownFile("a") && ++count === 3);
    const { status, stdout, stderr } = await statusOfAll();
    expect(status).toBe(1);
    expect(stderr).toContain(`${join(root, "a")}:\nerror: "${ownFile("a")}" still contains`);
    expect(stdout).toMatch(/\n3 packages: 1 drift, 2 cannot tell\n$/);
    expect(names.map(ownFile).map(verdictOf)).toEqual(["in sync", "unknown", "drift"]);
  });

  it("may be in a file or a directory that a run for a package that cannot be opened cannot read", async () => {
    writeFileSync(join(pkg, "azure/cluster.yaml"), "");
    const status = () => answerOf(["status", "--results", results, pkg]);
    failAt("EACCES", (path) => path === ownFile("b"));
    expect((await status()).stderr).toContain(`"${ownFile("b")}" may contain the result of an earlier run`);
    failAt("EACCES", (path) => path === results);
    expect((await status()).stderr).toContain(`"${results}" may contain the result of an earlier run`);
  });
});

describe("a result of a package that cannot be opened", () => {
  it("is found by its directory, however the command line names it, and whatever its file is called", async () => {
    writeFileSync(join(pkg, "azure/cluster.yaml"), "");
    writeTree(results, {
      "copy.txt": readFileSync(ownFile("a"), "utf8"),
      ".hidden.json": readFileSync(ownFile("a"), "utf8"),
      large: "x",
    });
    await answerOf(["status", "--results", results, `${root}/b/../a/`]);
    const tree = readTree(results);
    const inSync = Object.keys(tree).filter((path) => /"in sync"/.test(tree[path] ?? ""));
    expect(inSync.map((path) => join(results, path))).toEqual([
      join(results, ".hidden.json"),
      ownFile("b"),
      ownFile("c"),
    ]);
  });
});

const inPlace: readonly [string, (path: string) => void, string][] = [
  ["a directory", (path) => mkdirSync(path), "exists, and is not a regular file."],
  ["a pipe", (path) => execFileSync("mkfifo", [path]), "exists, and is not a regular file."],
  ["an empty file", (path) => writeFileSync(path, ""), "exists, and is not the result of a status."],
  [
    "half of a result",
    (path) => writeFileSync(path, resultText("sha256:1").slice(0, 40)),
    "exists, and is not the result of a status.",
  ],
  [
    "a plan",
    (path) => writeFileSync(path, '{"digest":"sha256:1","verdict":"in sync"}'),
    "exists, and is not the result of a status.",
  ],
  [
    "a link to a result",
    (path) => {
      const target = join(temporary(), "linked.json");
      writeFileSync(target, resultText("sha256:1"));
      symlinkSync(target, path);
    },
    "is a symbolic link, and the file to which it points may contain an earlier result.",
  ],
  [
    "a link to nothing",
    (path) => symlinkSync("nothing", path),
    "is a symbolic link, and the file to which it points may contain an earlier result.",
  ],
];

describe.each(inPlace)("%s in the place of a result", (_, make, what) => {
  const elsewhere = "No result was written. Move it away, or write the result elsewhere. [result-taken]\n";

  it("is refused before the cloud is read, and stays", async () => {
    for (const [flag, value, path] of [
      ["--result", file, file],
      ["--results", results, ownFile("a")],
    ] as const) {
      rmSync(path);
      make(path);
      const before = lstatSync(path);
      expect(await answerOf(["status", flag, value, pkg])).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: "${path}" ${what} ${elsewhere}`,
      });
      expect(lstatSync(path)).toMatchObject({ ino: before.ino, mode: before.mode, size: before.size });
      expect(cloud.received).toEqual([]);
    }
  });

  it("is refused if it appears while the cloud is read", async () => {
    let count = 0;
    printed.before = (path) => {
      if (path === file && ++count === 2) setImmediate(() => make(file));
    };
    expect(await answerOf(["status", "--result", file, pkg])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("\ndemo-a: 1 difference. "),
      stderr: `error: "${file}" ${what} ${elsewhere}`,
    });
  });
});

describe("the directory of --results", () => {
  it("may be a link to a directory", async () => {
    const link = join(temporary(), "latest");
    symlinkSync(results, link);
    expect(await answerOf(["status", "--results", link, pkg])).toMatchObject({ status: 2, stderr: "" });
    expect(verdictOf(ownFile("a"))).toBe("drift");
  });

  it.each([
    ["a file", (path: string) => writeFileSync(path, ""), "EEXIST"],
    ["a link to nothing", (path: string) => symlinkSync("nothing", path), "(?:EEXIST|ENOENT)"],
  ])("is refused before the cloud is read if it is %s", async (_, make, code) => {
    const path = join(temporary(), "results");
    make(path);
    const { status, stderr } = await answerOf(["status", "--results", path, pkg]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        `^error: "${path}" is not a directory, and cannot be created \\(${code}\\)\\. Nothing was compared\\. .*\\[result-not-written\\]\n$`,
      ),
    ]);
    expect(cloud.received).toEqual([]);
  });
});

describe("a run that ends early", () => {
  /** Runs the built program; at its change number `at` of the file system, `fault` happens. */
  async function faulty(fault: string, at: number, args: readonly string[]): Promise<string> {
    const env = { PATH: process.env["PATH"], ...cloud.environment(), FAULT: fault, FAULT_AT: String(at) };
    const node = ["-r", resolve("test/helpers/fault.cjs"), ccf, ...args];
    const run = promisify(execFile)(process.execPath, node, { env });
    return run.then(
      () => "",
      (error: { stderr: string }) => error.stderr,
    );
  }

  it.each(["kill", "ENOSPC"])(
    "because of %s at any change of a file leaves no result that is in sync",
    async (fault) => {
      const old = readFileSync(ownFile("a"), "utf8");
      const args = ["status", "--results", results, pkg];
      const calls = Number(/calls: (\d+)/.exec(await faulty("count", 0, args))?.[1]);
      expect(calls).toBeGreaterThanOrEqual(4);
      for (let at = 1; at <= calls; at++) {
        writeFileSync(ownFile("a"), old);
        cloud.received.length = 0;
        const stderr = await faulty(fault, at, args);
        if (cloud.received.length === 0) {
          // The removal itself: nothing was found out.
          expect([at, readFileSync(ownFile("a"), "utf8")]).toEqual([1, old]);
          if (fault !== "kill") expect(stderr).toContain("[result-not-removed]");
          continue;
        }
        const allowed = await answerOf(["upgradeable-to", "4.20", "--status", results, pkg]);
        expect([at, allowed.status, allowed.stderr]).toEqual([
          at,
          2,
          expect.stringMatching(/\[status-(?:of-another-package|not-in-sync)\]\n/),
        ]);
      }
      // What a killed run left does not stop the next one.
      expect(await answerOf(args)).toMatchObject({ status: 2, stderr: "" });
    },
  );

  it("does not count, whatever its temporary file contains", async () => {
    rmSync(ownFile("a"));
    writeFileSync(join(results, `.ccf-status-${process.pid}`), resultText("sha256:1", { time: hoursAgo(0) }));
    expect(await answerOf(["status", "--results", results, pkg])).toMatchObject({ status: 2, stderr: "" });
    expect(readdirSync(results).sort()).toEqual(names.map((name) => `${subscription}-demo-${name}.json`));
  });
});
