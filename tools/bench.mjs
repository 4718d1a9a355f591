// Measures how much the functions cost beside what nobody can avoid: starting Node, and parsing the same bytes. Every
// number is a ratio of medians from one run; each sample is a fresh process, and the two sides take turns.
//
//   npm run bench                     # 15 samples of each
//   npm run bench -- --samples 31
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { listOf } from "./bench-input.mjs";
import { builtIn, bundle as bundleFile } from "./bundle.mjs";

const { values } = parseArgs({ options: { samples: { type: "string", default: "15" } } });
const samples = Math.max(15, Number(values.samples) || 15);
const root = fileURLToPath(new URL("../", import.meta.url));
const work = join(root, "node_modules/.cache/bench");
mkdirSync(work, { recursive: true });

await bundle(
  "parse-only.cjs",
  'import { parseEvents } from "js-yaml"; import { readFileSync } from "node:fs"; parseEvents(readFileSync(0, "utf8"), {});',
);
await bundle("measure-parse.cjs", measured('import { parseEvents } from "js-yaml";', "parseEvents(decode(input), {})"));
const run = measured(
  'import { runOnList } from "./src/krm/run.ts"; import { generators } from "./functions/generators.ts";',
  "runOnList(generators, input)",
);
await bundle("measure-run.cjs", run);
// In the form that is in the images: see cached/build.mjs.
await bundle("measure-run-cached.js", run, { format: "iife", banner: { js: builtIn } });
await bundleFile("tools/cached/starter.mjs", join(work, "measure-run-cached"), { minify: false });
const inputs = {
  ten: input("10", 10, 0),
  thousand: input("1000", 1000, 0),
  tenThousand: input("10000", 10_000, 0),
  foreign: input("foreign", 0, 10_000),
};

/** @type {[string, string][]} */
const nodes = [
  ["this Node", process.execPath],
  ["Node 24", node24()],
];
console.log(
  `Ratios of medians, ${samples} fresh processes a side, in turn. ${process.version}, and Node 24 where it says so.\n`,
);
console.log("| what | against | Node | ratio | at most |\n|---|---|---|---:|---:|");
for (const [name, node] of nodes) {
  const is24 = name === "Node 24";
  for (const [form, program] of [
    ["", join(root, "dist/ccf")],
    [", with its code cache", cachedFor(node)],
  ]) {
    const ccf = () => whole(node, [/** @type {string} */ (program)], inputs.ten);
    row(
      `whole process, 10 requests${form}`,
      "a bundle that only parses these bytes",
      name,
      ratio(ccf, () => whole(node, [join(work, "parse-only.cjs")], inputs.ten)),
      is24 ? "1.4" : "1.25",
    );
    row(
      `whole process, 10 requests${form}`,
      "`node -e 0`",
      name,
      ratio(ccf, () => whole(node, ["-e", "0"], inputs.ten)),
      is24 ? "1.5" : "1.4",
    );
  }
  succeed(node, join(root, "tools/cached/write-cache.mjs"), join(work, "measure-run-cached"), inputs.ten);
  const time = (/** @type {string} */ what, /** @type {string} */ file) => () => inside(node, what, file).milliseconds;
  for (const [form, program] of [
    ["", "run.cjs"],
    [", with its code cache", "run-cached"],
  ]) {
    row(
      `in process, 1,000 requests${form}`,
      "`parseEvents` on the same bytes",
      name,
      ratio(time(/** @type {string} */ (program), inputs.thousand), time("parse.cjs", inputs.thousand)),
      "2.5",
    );
  }
  row(
    "in process, 10,000 foreign objects",
    "`parseEvents` on the same bytes",
    name,
    ratio(time("run.cjs", inputs.foreign), time("parse.cjs", inputs.foreign)),
    "1.5",
  );
  row(
    "in process, 10,000 requests",
    "1,000 requests",
    name,
    ratio(time("run.cjs", inputs.tenThousand), time("run.cjs", inputs.thousand)),
    "11",
  );
  const memory = (/** @type {string} */ what) => () => inside(node, what, inputs.tenThousand).megabytes;
  row(
    "peak memory, 10,000 requests",
    "`parseEvents` alone",
    name,
    ratio(memory("run.cjs"), memory("parse.cjs")),
    "2.5",
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

/** @param {string} file @param {string} contents @param {import("esbuild").BuildOptions} [form] */
async function bundle(file, contents, form = {}) {
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    outfile: join(work, file),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    ...form,
  });
}

/** @param {string} name @param {number} requests @param {number} foreign */
function input(name, requests, foreign) {
  const path = join(work, `${name}.yaml`);
  const key = readFileSync(join(root, "testdata/sample-cluster/serviceaccount-signer.public"), "utf8");
  writeFileSync(path, listOf(requests, foreign, key));
  return path;
}

/** @param {string} node @returns {string} The program with the code cache that this Node makes. */
function cachedFor(node) {
  const directory = join(work, "cached");
  succeed(node, join(root, "tools/cached/build.mjs"), directory);
  return join(directory, "ccf");
}

// The npm package "node" is a Node of a chosen version.
function node24() {
  const prefix = join(root, "node_modules/.cache/node-24");
  const path = join(prefix, "node_modules/node/bin/node");
  if (!existsSync(path)) {
    mkdirSync(prefix, { recursive: true });
    spawnSync("npm", ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix", prefix, "node@24"], {
      stdio: "inherit",
    });
  }
  return path;
}

/** @param {string} node @param {string[]} args @param {string} stdin */
function whole(node, args, stdin) {
  const bytes = readFileSync(stdin);
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(node, args, { input: bytes, maxBuffer: 1 << 28 });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(String(stderr));
  return milliseconds;
}

/** @param {string} node @param {string} what @param {string} file */
function inside(node, what, file) {
  return JSON.parse(succeed(node, join(work, `measure-${what}`), file));
}

/** @param {string} node @param {string[]} args @returns {string} What it prints. */
function succeed(node, ...args) {
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** @param {() => number} one @param {() => number} other */
function ratio(one, other) {
  const ones = [];
  const others = [];
  for (let sample = 0; sample < samples; sample++) {
    ones.push(one());
    others.push(other());
  }
  return median(ones) / median(others);
}

/** @param {number[]} list */
function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param {string} what @param {string} against @param {string | undefined} node @param {number} value @param {string} most */
function row(what, against, node, value, most) {
  console.log(`| ${what} | ${against} | ${node} | ${value.toFixed(2)} | ${most} |`);
}
