// Measures the cost of the program relative to what is unavoidable: starting Node.js, parsing the same bytes, reading and
// writing the same files. Every number is a ratio of medians from one run. Each sample is a new process, and the sides take
// turns. A ratio differs by up to a tenth from run to run, most of all on a busy machine.
//
//   npm run bench                             # 15 samples of each
//   npm run bench -- --samples 31
//   npm run bench -- --only render            # rows with a matching name
//   npm run bench -- --against ../other       # also another checkout, which must be built and have its node_modules
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { listOf, packageOf } from "./bench-input.mjs";

const { values } = parseArgs({
  options: {
    samples: { type: "string", default: "15" },
    against: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const samples = Math.max(15, Number(values.samples) || 15);
const root = fileURLToPath(new URL("../", import.meta.url));
const work = join(root, "node_modules/.cache/bench");
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
/** @type {Map<string, string>} where each checkout's executable is */
const executables = new Map();
const parse = 'import { parseEvents } from "js-yaml"; import { readFileSync } from "node:fs"';
const parseOnly = join(work, "parse-only.cjs");
await bundle(root, parseOnly, `${parse}; parseEvents(readFileSync(0, "utf8"), {});`);
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

const key = readFileSync(join(root, "testdata/sample-cluster/serviceaccount-signer.public"), "utf8");
const lists = {
  ten: list("10", 10, 0),
  sixty: list("60", 60, 0),
  thousand: list("1000", 1000, 0),
  tenThousand: list("10000", 10_000, 0),
  foreign: list("foreign", 0, 10_000),
};
const packages = { ten: pkg("10", 10), thousand: pkg("1000", 1000) };

console.log(`Ratios of medians, ${samples} new processes per side, in turn.\n`);
console.log(`| what | compared with | Node | target | ${checkouts.map(({ name }) => name).join(" | ")} |`);
console.log(`|---|---|---|---:|${checkouts.map(() => "---:|").join("")}`);
for (const [name, node, start] of /** @type {const} */ ([
  ["20", nodeOf("20"), 1.7],
  ["22", nodeOf("22"), 2],
  ["24", nodeOf("24"), 2],
  ["26", nodeOf("26"), 2],
])) {
  for (const { root, files } of checkouts) imageOf(root, join(files, "image"), node);
  /** @type {[string, number, (checkout: Checkout) => string][]} */
  const forms = [
    ["installed", start, ({ root }) => join(root, "dist/ccf")],
    ["in the image", 1.6, ({ files }) => join(files, "image/ccf")],
  ];
  const empty = () => whole(node, ["-e", "0"]);
  const onlyParses = (/** @type {string} */ file) => () => whole(node, [parseOnly], file);
  const parses = (/** @type {string} */ file) => () => inside(node, parseMeasured, file);
  const runs = (/** @type {string} */ file) => (/** @type {Checkout} */ one) =>
    inside(node, join(one.files, "run.cjs"), file);
  for (const [form, most, program] of forms) {
    const fn = (/** @type {string} */ file) => (/** @type {Checkout} */ one) => whole(node, [program(one)], file);
    const render =
      (/** @type {PackageInput} */ { files }) =>
      (/** @type {Checkout} */ one) =>
        whole(node, [program(one), "render", fresh(files)]);
    row(
      `\`ccf --version\`, ${form}`,
      "`node -e 0`",
      name,
      1.6,
      (one) => whole(node, [program(one), "--version"]),
      empty,
    );
    row(`a function, 10 requests, ${form}`, "`node -e 0`", name, most, fn(lists.ten), empty);
    row(
      `\`ccf render\`, 10 requests, ${form}`,
      "`node -e 0`",
      name,
      form === "installed" ? 2 : 1.6,
      render(packages.ten),
      empty,
    );
    for (const [count, file] of /** @type {const} */ ([
      ["10", lists.ten],
      ["60", lists.sixty],
    ])) {
      row(
        `a function, ${count} requests, ${form}`,
        "a bundle that only parses the same bytes",
        name,
        undefined,
        fn(file),
        onlyParses(file),
      );
    }
    if (form !== "installed") continue;
    const { files, rendered } = packages.thousand;
    row(
      "`ccf render`, 1,000 requests, installed",
      "a program that only reads and writes the same files",
      name,
      3,
      render(packages.thousand),
      () => whole(node, [bare, fresh(files), rendered]),
    );
  }
  // Node.js 24 is in the executable.
  if (name === "24") {
    const executable = (/** @type {Checkout} */ { root }) => executableOf(root, node);
    const compared = /** @type {const} */ (["`node -e 0`", name]);
    row("`ccf --version`, executable", ...compared, 1.6, (one) => whole(executable(one), ["--version"]), empty);
    row("a function, 10 requests, executable", ...compared, 1.5, (one) => whole(executable(one), [], lists.ten), empty);
    row(
      ...["`ccf render`, 10 requests, executable", ...compared, 2],
      (one) => whole(executable(one), ["render", fresh(packages.ten.files)]),
      empty,
    );
  }
  const time = (/** @type {Inside} */ { milliseconds }) => milliseconds;
  const memory = (/** @type {Inside} */ { megabytes }) => megabytes;
  row(
    "in process, 1,000 requests",
    "`parseEvents` on the same bytes",
    name,
    2.5,
    of(time, runs(lists.thousand)),
    of(time, parses(lists.thousand)),
  );
  row(
    "in process, 10,000 objects of other tools",
    "`parseEvents` on the same bytes",
    name,
    1.5,
    of(time, runs(lists.foreign)),
    of(time, parses(lists.foreign)),
  );
  row(
    "in process, 10,000 requests",
    "`parseEvents` on the same bytes",
    name,
    undefined,
    of(time, runs(lists.tenThousand)),
    of(time, parses(lists.tenThousand)),
  );
  row(
    "peak memory, 10,000 requests",
    "`parseEvents` alone",
    name,
    2.5,
    of(memory, runs(lists.tenThousand)),
    of(memory, parses(lists.tenThousand)),
  );
}

/**
 * @typedef {{ name: string, root: string, files: string }} Checkout
 * @typedef {{ files: string, rendered: string }} PackageInput a directory, and a file with the files that a render adds
 * @typedef {{ milliseconds: number, megabytes: number }} Inside
 */

/** @template T @param {(one: Inside) => number} what @param {(one: T) => Inside} run @returns {(one: T) => number} */
function of(what, run) {
  return (one) => what(run(one));
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

/** @param {string} name @param {number} requests @returns {PackageInput} */
function pkg(name, requests) {
  const files = join(work, `package-${name}`);
  const texts = packageOf(requests, key);
  rmSync(files, { recursive: true, force: true });
  write(files, texts);
  const directory = fresh(files);
  succeed(process.execPath, join(root, "dist/ccf"), "render", directory);
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

/** @param {string} root @param {string} directory @param {string} node */
function imageOf(root, directory, node) {
  succeed(node, join(root, "tools/image.mjs"), directory);
}

/** @param {string} root @param {string} node @returns {string} the standalone executable of a checkout */
function executableOf(root, node) {
  const output = join(root, "node_modules/.cache/bench/standalone");
  if (!executables.has(root)) succeed(node, join(root, "tools/standalone.mjs"), "--output", output);
  executables.set(root, output);
  return join(output, `${process.platform}-${process.arch}`, "ccf");
}

/** @param {string} version @returns {string} this Node.js, or the program in the npm package "node" */
function nodeOf(version) {
  if (process.version.startsWith(`v${version}.`)) return process.execPath;
  const prefix = join(root, `node_modules/.cache/node-${version}`);
  const path = join(prefix, "node_modules/node/bin/node");
  if (!existsSync(path)) {
    mkdirSync(prefix, { recursive: true });
    const flags = ["--silent", "--no-save", "--no-audit", "--no-fund"];
    spawnSync("npm", ["install", ...flags, "--prefix", prefix, `node@${version}`], { stdio: "inherit" });
  }
  return path;
}

/** @param {string} node @param {string[]} args @param {string} [stdin] a file @returns {number} milliseconds */
function whole(node, args, stdin) {
  const input = stdin === undefined ? "" : readFileSync(stdin);
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(node, args, { input, maxBuffer: 1 << 28 });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(String(stderr));
  return milliseconds;
}

/** @param {string} node @param {string} program @param {string} file @returns {Inside} */
function inside(node, program, file) {
  return JSON.parse(succeed(node, program, file));
}

/** @param {string} node @param {string[]} args @returns {string} standard output */
function succeed(node, ...args) {
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** @param {number[]} list */
function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * @param {string} what @param {string} against @param {string} node
 * @param {number | undefined} most the target of this project
 * @param {(checkout: Checkout) => number} one
 * @param {(checkout: Checkout) => number} other runs with this checkout only
 */
function row(what, against, node, most, one, other) {
  if (!new RegExp(/** @type {string} */ (values.only)).test(what)) return;
  const sides = [
    () => other(/** @type {Checkout} */ (checkouts[0])),
    ...checkouts.map((checkout) => () => one(checkout)),
  ];
  const taken = sides.map(() => /** @type {number[]} */ ([]));
  for (let sample = 0; sample < samples; sample++) for (const [side, run] of sides.entries()) taken[side]?.push(run());
  const [base = Number.NaN, ...ratios] = taken.map(median);
  const cells = ratios.map((ratio) => (ratio / base).toFixed(2));
  console.log(`| ${what} | ${against} | ${node} | ${most ?? ""} | ${cells.join(" | ")} |`);
}
