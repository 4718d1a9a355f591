// Runs the tests: `npm test` runs those for every change, `npm run test:all` runs all. See "Tests" in CONTRIBUTING.md.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { here } from "./bun.mjs";

const given = process.argv.slice(2);
const isRest = given.includes("--rest");
const isAll = isRest || given.includes("--all");
const filters = given.filter((one) => one !== "--all" && one !== "--rest");

/** What a test calls that starts the program in the form that CCF_EXECUTABLE says. */
const starts = /\b(?:commandLine|runBeside)\(/;

/** The directories of tests that `npm test` does not run. */
const slow = ["test/exhaustive", "test/apply", "test/external"];

// The checks mostly use one core. Meanwhile, the tests use the other.
const checks = isRest ? undefined : start(["npm", "run", "--silent", "check"], { isKept: true });
const builds = ["build", ...(isAll ? ["build:standalone", "build:standalone -- --offline"] : [])];
let tests = { status: 0, output: "" };
for (const build of builds)
  if (tests.status === 0) tests = await start(["npm", "run", "--silent", ...build.split(" ")]);
const memory = isAll ? undefined : directoryInMemory();
const env = { ...effort(), ...(memory === undefined ? {} : { TMPDIR: memory }) };
if (tests.status === 0) tests = await start(["npx", "--no", "vitest", "run", ...selection()], { env });
if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
if (tests.status === 0 && isAll && filters.length === 0) tests = await startWithExecutable();
const checked = await checks;
if (checked !== undefined && checked.status !== 0) process.stdout.write(`${checked.output}\nnpm run check failed.\n`);
process.exitCode = Math.max(tests.status, checked?.status ?? 0);

/** The arguments that select the tests of vitest. */
function selection() {
  if (!isAll) return [...slow.flatMap((directory) => ["--exclude", `${directory}/**`]), ...filters];
  if (filters.length > 0) return filters;
  // Of the tests of `npm test`, those whose effort is adjustable.
  const rest = isRest ? [...slow, ...testsWith(["test/unit", "test/program"], /\/helpers\/effort\.ts/)] : [];
  return [...startingTools().flatMap((path) => ["--exclude", path]), ...rest];
}

/** The tests that start the program beside real tools. They run with the executable alone, because they take long. */
function startingTools() {
  return testsWith(["test/external"], starts);
}

/** Runs the tests that start the program in a process, or can, with the executable. */
function startWithExecutable() {
  const CCF_EXECUTABLE = fileURLToPath(new URL(`../dist/standalone/${here}/ccf`, import.meta.url));
  const selected = ["test/program/", ...testsWith(["test/apply", "test/exhaustive"], starts), ...startingTools()];
  return start(["npx", "--no", "vitest", "run", ...selected], { env: { CCF_EXECUTABLE } });
}

/** The tests in some directories whose text has a form. @param {string[]} directories @param {RegExp} form */
function testsWith(directories, form) {
  return directories.flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${directory}/${name.replaceAll("\\", "/")}`)
      .filter((path) => form.test(readFileSync(path, "utf8"))),
  );
}

/**
 * A directory in memory for the files of the tests, if the system has one that allows programs: `ccf` waits until the disk has what
 * it writes, which took a fourth of the time.
 */
function directoryInMemory() {
  const [root, enough] = ["/dev/shm", 2 ** 30];
  if (process.env["TMPDIR"] !== undefined || !existsSync(root)) return undefined;
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < enough) return undefined;
  const directory = mkdtempSync(`${root}/ccf-tests-`);
  // Some tests run as another user.
  chmodSync(directory, 0o1777);
  writeFileSync(`${directory}/program`, "#!/bin/sh\n", { mode: 0o755 });
  if (spawnSync(`${directory}/program`).status === 0) return directory;
  rmSync(directory, { recursive: true });
  return undefined;
}

/** @returns {NodeJS.ProcessEnv} */
function effort() {
  if (isAll) return { CCF_EFFORT: "full" };
  if (filters.length > 0) return {};
  return {
    CCF_NOT_RUN:
      "stand-ins for clouds, other tools, containers, pages, faults, and most random cases: npm run test:all",
  };
}

/**
 * Starts a program.
 *
 * @param {string[]} command
 * @param {{ env?: NodeJS.ProcessEnv, isKept?: boolean }} [options] `isKept` returns the output to the caller instead of printing it
 * @returns {Promise<{ status: number, output: string }>}
 */
function start([program = "", ...args], { env = {}, isKept = false } = {}) {
  const child = spawn(program, args, {
    stdio: isKept ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ status: code ?? 1, output })));
}
