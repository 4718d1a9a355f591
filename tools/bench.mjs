// Measures the cost of the program relative to what is unavoidable: starting Node.js, parsing the same bytes, reading and
// writing the same files. Every number is a ratio of medians from one run. Each sample is a new process, and the sides take
// turns. A ratio differs by up to a tenth from run to run, most of all on a busy machine.
//
//   npm run bench                             # 15 samples of each
//   npm run bench -- --samples 31
//   npm run bench -- --only render            # rows with a matching name
//   npm run bench -- --against ../other       # also another checkout with its node_modules, built with all its executables
//   CCOCTL=/path/to/ccoctl npm run bench      # also a dry run of ccoctl
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { fleetOf, listOf, packageOf } from "./bench-input.mjs";
import { bunOf, here } from "./bun.mjs";

/**
 * @typedef {{ name: string, root: string, files: string }} Checkout
 * @typedef {{ cpu: number, wall: number, memory: number }} Cost milliseconds and megabytes of a process
 * @typedef {{ milliseconds: number, megabytes: number }} Inside
 * @typedef {(checkout: Checkout) => Cost} Side
 */

// Bun returns the processor time and the peak memory of each process that it starts.
const { Bun } = /** @type {{ Bun?: { spawnSync: (options: object) => any } }} */ (/** @type {unknown} */ (globalThis));
if (Bun === undefined) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  process.exit(spawnSync(await bunOf(here), args, { stdio: "inherit" }).status ?? 1);
}

const { values } = parseArgs({
  options: {
    samples: { type: "string", default: "15" },
    against: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const samples = Math.max(1, Number(values.samples) || 15);
const root = fileURLToPath(new URL("../", import.meta.url));
const work = join(tmpdir(), "ccf-bench");
mkdirSync(work, { recursive: true });

const checkouts = [
  { name: "this", root },
  ...(values.against === undefined ? [] : [{ name: "the other", root: resolve(values.against) }]),
].map((one, place) => ({ ...one, files: join(work, String(place)) }));
for (const { root, files } of checkouts) {
  mkdirSync(files, { recursive: true });
  const imports = `import { runOnList } from "./src/krm/run.ts"; import { generators } from "./functions/generators.ts";`;
  await bundle(root, join(files, "run.cjs"), measured(imports, "runOnList(generators, input)"));
}
const parseMeasured = join(work, "parse.cjs");
await bundle(root, parseMeasured, measured('import { parseEvents } from "js-yaml";', "parseEvents(decode(input), {})"));
// Reads the files of a package, and writes the files that a render would write.
const bare = join(work, "bare.cjs");
writeFileSync(
  bare,
  `const { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } = require("node:fs"), { dirname, join } = require("node:path");
const [directory, rendered] = process.argv.slice(2);
for (const path of readdirSync(directory, { recursive: true })) {
  if (statSync(join(directory, path)).isFile()) readFileSync(join(directory, path));
}
for (const [path, text] of Object.entries(JSON.parse(readFileSync(rendered, "utf8")))) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}`,
);

const keyFile = join(root, "testdata/sample-cluster/serviceaccount-signer.public");
const key = readFileSync(keyFile, "utf8");
const lists = {
  ten: list("10", 10, 0),
  thousand: list("1000", 1000, 0),
  tenThousand: list("10000", 10_000, 0),
  foreign: list("foreign", 0, 10_000),
};
const packages = { ten: pkg("10", 10), thousand: pkg("1000", 1000) };
const fleet = join(work, "fleet");
if (!existsSync(fleet)) write(fleet, fleetOf(1000, key));

console.log(
  `Ratios of medians, ${samples} new processes per side, in turn: processor time, elapsed time, peak memory.\n`,
);
console.log(`| what | compared with | Node | target | ${checkouts.map(({ name }) => name).join(" | ")} |`);
console.log(`|---|---|---|---:|${checkouts.map(() => "---:|").join("")}`);
const node24 = nodeOf("24");
const executable = (/** @type {Checkout} */ { root }) => [join(root, "dist/standalone", here, "ccf")];
const installed =
  (/** @type {string} */ node) =>
  (/** @type {Checkout} */ { root }) => [node, join(root, "dist/ccf")];
for (const version of ["20", "22", "24", "26"]) {
  const node = nodeOf(version);
  starts("installed", version, node, installed(node), ["", "", ""]);
  const parses = (/** @type {string} */ file) => () => inside(node, parseMeasured, file);
  const runs = (/** @type {string} */ file) => (/** @type {Checkout} */ one) =>
    inside(node, join(one.files, "run.cjs"), file);
  for (const [what, file, most] of /** @type {const} */ ([
    ["in process, 1,000 requests", lists.thousand, "2.5"],
    ["in process, 10,000 objects of other tools", lists.foreign, "1.5"],
    ["in process, 10,000 requests", lists.tenThousand, ""],
  ]))
    row(what, "`parseEvents` on the same bytes", version, most, runs(file), parses(file));
}
// Node.js 24 is what the executables are compared with.
starts("executable", "24", node24, executable, ["0.5", "1.2", "1.8"]);
whole(
  "`ccf render --check`, 1,000 packages",
  "24",
  ["render", "--check", "--quiet", "--recursive", fleet],
  "at most 1",
);
whole("a function, 10,000 requests", "24", [], "", lists.tenThousand);
const { files, rendered } = packages.thousand;
row(
  "`ccf render`, 1,000 requests, executable",
  "a program that only reads and writes the same files",
  "24",
  "3",
  (one) => run([...executable(one), "render", fresh(files)]),
  () => run([node24, bare, fresh(files), rendered]),
);
const { CCOCTL } = process.env;
if (CCOCTL !== undefined) {
  const out = join(work, "ccoctl");
  const input = ["--credentials-requests-dir", join(packages.ten.files, "requests"), "--public-key-file", keyFile];
  const names = ["--name", "bench", "--region", "us-east-2", "--output-dir", out];
  row(
    "`ccf render`, 10 requests, executable",
    "`ccoctl aws create-all --dry-run`",
    "",
    "1.0 elapsed",
    (one) => run([...executable(one), "render", fresh(packages.ten.files)]),
    () => {
      rmSync(out, { recursive: true, force: true });
      mkdirSync(out);
      return run([CCOCTL, "aws", "create-all", "--dry-run", ...names, ...input]);
    },
  );
}

/**
 * The three starts that users wait for, compared with Node.js that does nothing.
 *
 * @param {string} form @param {string} version @param {string} node
 * @param {(checkout: Checkout) => string[]} program
 * @param {readonly [string, string, string]} targets
 */
function starts(form, version, node, program, targets) {
  const empty = () => run([node, "-e", "0"]);
  const compared = /** @type {const} */ (["`node -e 0`", version]);
  row(`\`ccf --version\`, ${form}`, ...compared, targets[0], (one) => run([...program(one), "--version"]), empty);
  row(`a function, 10 requests, ${form}`, ...compared, targets[1], (one) => run(program(one), lists.ten), empty);
  row(
    `\`ccf render\`, 10 requests, ${form}`,
    ...compared,
    targets[2],
    (one) => run([...program(one), "render", fresh(packages.ten.files)]),
    empty,
  );
}

/**
 * The executable, compared with the same program on Node.js.
 *
 * @param {string} what @param {string} version @param {string[]} args @param {string} most @param {string} [stdin]
 */
function whole(what, version, args, most, stdin) {
  const onNode = installed(nodeOf(version));
  row(
    `${what}, executable`,
    "installed",
    version,
    most,
    (one) => run([...executable(one), ...args], stdin, [0, 2]),
    () => run([...onNode(/** @type {Checkout} */ (checkouts[0])), ...args], stdin, [0, 2]),
  );
}

/** @param {string} imports @param {string} work */
function measured(imports, work) {
  return `${imports}
import { readFileSync } from "node:fs";
const decode = (bytes) => new TextDecoder().decode(bytes);
const input = readFileSync(process.argv[2]);
const start = process.hrtime.bigint();
const result = ${work};
const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
if (result.exitCode) throw new Error(result.stderr);
console.log(JSON.stringify({ milliseconds, megabytes: process.resourceUsage().maxRSS / 1024 }));`;
}

/** @param {string} root @param {string} outfile @param {string} contents */
async function bundle(root, outfile, contents) {
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
  });
}

/** @param {string} name @param {number} requests @param {number} foreign */
function list(name, requests, foreign) {
  const path = join(work, `${name}.yaml`);
  writeFileSync(path, listOf(requests, foreign, key));
  return path;
}

/** @param {string} name @param {number} requests @returns {{ files: string, rendered: string }} a directory, and a file with what a render adds */
function pkg(name, requests) {
  const files = join(work, `package-${name}`);
  const texts = packageOf(requests, key);
  rmSync(files, { recursive: true, force: true });
  write(files, texts);
  const directory = fresh(files);
  run([nodeOf("24"), join(root, "dist/ccf"), "render", directory]);
  const rendered = readTree(directory).filter(([path, text]) => texts[path] !== text);
  writeFileSync(`${files}.json`, JSON.stringify(Object.fromEntries(rendered)));
  return { files, rendered: `${files}.json` };
}

/** @param {string} files @returns {string} a new copy of a package */
function fresh(files) {
  const directory = join(work, "fresh");
  rmSync(directory, { recursive: true, force: true });
  cpSync(files, directory, { recursive: true });
  return directory;
}

/** @param {string} directory @param {Record<string, string>} texts */
function write(directory, texts) {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

/** @param {string} directory @returns {[path: string, text: string][]} */
function readTree(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map((one) => {
    const path = join(one.parentPath, one.name);
    return [relative(directory, path), readFileSync(path, "utf8")];
  });
}

/** @param {string} version @returns {string} the program in the npm package "node" */
function nodeOf(version) {
  const prefix = join(root, `node_modules/.cache/node-${version}`);
  const path = join(prefix, "node_modules/node/bin/node");
  if (!existsSync(path)) {
    mkdirSync(prefix, { recursive: true });
    const flags = ["--silent", "--no-save", "--no-audit", "--no-fund"];
    spawnSync("npm", ["install", ...flags, "--prefix", prefix, `node@${version}`], { stdio: "inherit" });
  }
  return path;
}

/** @param {string[]} cmd @param {string} [stdin] a file @param {readonly number[]} [expected] exit codes @returns {Cost} */
function run(cmd, stdin, expected = [0]) {
  const start = process.hrtime.bigint();
  const stdio = [stdin === undefined ? "ignore" : readFileSync(stdin), "pipe", "pipe"];
  const { exitCode, stderr, resourceUsage } = /** @type {NonNullable<typeof Bun>} */ (Bun).spawnSync({ cmd, stdio });
  const wall = Number(process.hrtime.bigint() - start) / 1e6;
  if (!expected.includes(exitCode)) throw new Error(`${cmd.join(" ")}: ${stderr}`);
  // In microseconds. The memory is in bytes.
  return { cpu: Number(resourceUsage.cpuTime.total) / 1000, wall, memory: resourceUsage.maxRSS / 1e6 };
}

/** @param {string} node @param {string} program @param {string} file @returns {Cost} of a part of the program */
function inside(node, program, file) {
  const { status, stdout, stderr } = spawnSync(node, [program, file], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  const { milliseconds, megabytes } = /** @type {Inside} */ (JSON.parse(stdout));
  return { cpu: milliseconds, wall: milliseconds, memory: megabytes };
}

/** @param {number[]} list */
function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * @param {string} what @param {string} against @param {string} node
 * @param {string} most the target of this project, of processor time
 * @param {Side} one
 * @param {Side} other runs with this checkout only
 */
function row(what, against, node, most, one, other) {
  if (!new RegExp(/** @type {string} */ (values.only)).test(what)) return;
  const sides = [
    () => other(/** @type {Checkout} */ (checkouts[0])),
    ...checkouts.map((checkout) => () => one(checkout)),
  ];
  const taken = sides.map(() => /** @type {Cost[]} */ ([]));
  for (let sample = 0; sample < samples; sample++) for (const [side, run] of sides.entries()) taken[side]?.push(run());
  const costs = taken.map((list) => ({
    cpu: median(list.map(({ cpu }) => cpu)),
    wall: median(list.map(({ wall }) => wall)),
    memory: median(list.map(({ memory }) => memory)),
  }));
  const [base = { cpu: Number.NaN, wall: Number.NaN, memory: Number.NaN }, ...others] = costs;
  const cells = others.map((cost) =>
    /** @type {const} */ (["cpu", "wall", "memory"]).map((name) => (cost[name] / base[name]).toFixed(2)).join(", "),
  );
  console.log(`| ${what} | ${against} | ${node} | ${most} | ${cells.join(" | ")} |`);
}
