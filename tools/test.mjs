// Runs the tests: `npm test` those for every change, `npm run test:all` all of them. CONTRIBUTING.md says which are which.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const given = process.argv.slice(2);
const isRest = given.includes("--rest");
const isAll = isRest || given.includes("--all");
const filters = given.filter((one) => one !== "--all" && one !== "--rest");

// The checks take one core for the most part, and the tests the other one meanwhile.
const checks = isRest ? undefined : start(["npm", "run", "--silent", "check"], { isKept: true });
const built = await start(["npm", "run", "--silent", "build"]);
const tests =
  built.status === 0 ? await start(["npx", "--no", "vitest", "run", ...selection()], { env: effort() }) : built;
const checked = await checks;
if (checked !== undefined && checked.status !== 0) process.stdout.write(`${checked.output}\nnpm run check failed.\n`);
process.exitCode = Math.max(tests.status, checked?.status ?? 0);

/** What vitest is to run. */
function selection() {
  if (!isAll) return ["--project", "unit", "--project", "program", "--project", "seam", ...filters];
  return isRest ? ["test/scripts/", "test/external/", ...withEffort()] : filters;
}

/** The tests of `npm test` that try more where they are told to. */
function withEffort() {
  return ["test/unit", "test/program"].flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${directory}/${name.replaceAll("\\", "/")}`)
      .filter((path) => readFileSync(path, "utf8").includes("/helpers/effort.ts")),
  );
}

/** @returns {NodeJS.ProcessEnv} */
function effort() {
  if (isAll) return { CCF_EFFORT: "full" };
  if (filters.length > 0) return {};
  return { CCF_NOT_RUN: "scripts, other tools, containers, pages, and most random cases and faults: npm run test:all" };
}

/**
 * Starts a program.
 *
 * @param {string[]} command
 * @param {{ env?: NodeJS.ProcessEnv, isKept?: boolean }} [options] `isKept` keeps what it prints for the caller
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
