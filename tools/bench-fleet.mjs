// Measures `ccf render --check --recursive` on a generated fleet with ten requests in each package, on three clouds in turn:
// against a shell loop over the same packages, against a tenth of the packages, and the peak memory of both. Every number is a
// ratio of medians from one run, in which the sides take turns.
//
//   npm run bench:fleet                  # 1,000 packages
//   npm run bench:fleet -- --packages 300 --samples 3
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fleetOf } from "./bench-input.mjs";

const { values } = parseArgs({
  options: { packages: { type: "string", default: "1000" }, samples: { type: "string", default: "5" } },
});
const packages = Math.max(20, Number(values.packages) || 1000);
const samples = Math.max(1, Number(values.samples) || 5);
const root = fileURLToPath(new URL("../", import.meta.url));
const ccf = join(root, "dist/ccf");
const work = join(root, "node_modules/.cache/bench-fleet");
const key = readFileSync(join(root, "testdata/sample-cluster/serviceaccount-signer.public"), "utf8");

const all = fleet(packages);
const tenth = fleet(Math.round(packages / 10));
const preload = join(work, "memory.cjs");
writeFileSync(
  preload,
  `process.on("exit", () => process.getBuiltinModule("node:fs").writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`,
);

/** @type {Record<string, number[]>} */
const taken = { all: [], tenth: [], loop: [], allMemory: [], tenthMemory: [] };
for (let sample = 0; sample < samples; sample++) {
  for (const [name, directory] of /** @type {const} */ ([
    ["all", all],
    ["tenth", tenth],
  ])) {
    const { milliseconds, peak } = checkAll(directory);
    taken[name]?.push(milliseconds);
    taken[`${name}Memory`]?.push(peak);
  }
  // The loop over a tenth of the packages: all of them would take minutes.
  taken["loop"]?.push(loop(tenth));
}
const times = Object.fromEntries(Object.entries(taken).map(([name, list]) => [name, median(list)]));
const ratio = (/** @type {number | undefined} */ one, /** @type {number | undefined} */ other) =>
  ((one ?? Number.NaN) / (other ?? Number.NaN)).toFixed(2);
console.log(
  `Ratios of medians, ${samples} samples, Node ${process.version}, ${packages} packages with ten requests.\n`,
);
console.log("| what | compared with | target | ratio |");
console.log("|---|---|---:|---:|");
const tenthCount = Math.round(packages / 10);
console.log(
  `| a shell loop, ${tenthCount} packages | one run | at least 15 | ${ratio(times["loop"], times["tenth"])} |`,
);
console.log(
  `| a shell loop, per package | one run, ${packages} packages | at least 15 | ${ratio((times["loop"] ?? 0) / tenthCount, (times["all"] ?? 0) / packages)} |`,
);
console.log(`| ${packages} packages | ${tenthCount} packages | at most 11 | ${ratio(times["all"], times["tenth"])} |`);
console.log(
  `| peak memory, ${packages} packages | ${tenthCount} packages | at most 2 | ${ratio(times["allMemory"], times["tenthMemory"])} |`,
);

/** @param {number} count @returns {string} a directory with rendered packages */
function fleet(count) {
  const directory = join(work, String(count));
  rmSync(directory, { recursive: true, force: true });
  for (const [path, text] of Object.entries(fleetOf(count, key))) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [ccf, "render", "--quiet", "--recursive", directory], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return directory;
}

/** @param {string} directory */
function checkAll(directory) {
  const peakFile = join(work, "peak");
  const env = { ...process.env, PEAK_FILE: peakFile };
  const args = ["-r", preload, ccf, "render", "--check", "--quiet", "--recursive", directory];
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8", maxBuffer: 1 << 28 });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(stdout + stderr);
  return { milliseconds, peak: Number(readFileSync(peakFile, "utf8")) };
}

/** @param {string} directory */
function loop(directory) {
  const script = `for one in "$1"/*; do "$2" "$3" render --check --quiet "$one" || exit 1; done`;
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync("sh", ["-c", script, "loop", directory, process.execPath, ccf], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(stderr);
  return milliseconds;
}

/** @param {readonly number[]} list */
function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
