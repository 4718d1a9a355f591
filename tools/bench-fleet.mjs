// Measures what grows: the number of packages, and the number of identities in one package. Every number is a ratio of medians
// from one run, in which the sides take turns.
// - `ccf render --check --recursive` on a generated fleet with ten requests in each package, on three clouds in turn: against a
//   shell loop over the same packages, against a tenth of the packages, and the peak memory of both.
// - Commands that answer for a whole fleet, on it and on a tenth of it, and their seconds for 120 packages.
// - Pages, exports, and SARIF of a package, against one with half of its identities.
//
//   npm run bench:fleet                  # 1,000 packages; 4,000 identities
//   npm run bench:fleet -- --packages 300 --identities 1000 --samples 3
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fleetOf, packageOn } from "./bench-input.mjs";

const { values } = parseArgs({
  options: {
    packages: { type: "string", default: "1000" },
    identities: { type: "string", default: "4000" },
    samples: { type: "string", default: "5" },
  },
});
const identities = Math.max(200, Number(values.identities) || 4000);
const packages = Math.max(20, Number(values.packages) || 1000);
const samples = Math.max(1, Number(values.samples) || 5);
const root = fileURLToPath(new URL("../", import.meta.url));
const ccf = join(root, "dist/ccf");
const work = join(root, "node_modules/.cache/bench-fleet");
const key = readFileSync(join(root, "testdata/sample-cluster/serviceaccount-signer.public"), "utf8");

const preload = join(work, "memory.cjs");
mkdirSync(work, { recursive: true });
writeFileSync(
  preload,
  `process.on("exit", () => process.getBuiltinModule("node:fs").writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`,
);
const all = written(String(packages), fleetOf(packages, key));
const tenth = written(String(Math.round(packages / 10)), fleetOf(Math.round(packages / 10), key));

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

// What answers for a whole fleet: its time must grow with the number of packages. Two sides of a comparison are the same fleet.
const some = written("120", fleetOf(120, key));
/** @type {readonly (readonly [string, (directory: string) => readonly string[]])[]} */
const answers = [
  ["`ccf validate`", (directory) => ["validate", "--quiet", "--recursive", directory]],
  ["`ccf report`", (directory) => ["report", "--recursive", directory]],
  ["`ccf report --who-may`", (directory) => ["report", "--recursive", directory, "--who-may", "s3:DeleteObject"]],
  ["`ccf diff --recursive`", (directory) => ["diff", directory, directory, "--recursive"]],
];
/** @type {string[]} */
const seconds = [];
for (const [what, args] of answers) {
  /** @type {number[][]} */
  const lists = [[], [], []];
  for (let sample = 0; sample < samples; sample++)
    for (const [place, directory] of [all, tenth, some].entries())
      lists[place]?.push(measure(args(directory)).milliseconds);
  const [whole, part, middle] = lists.map(median);
  console.log(`| ${what}, ${packages} packages | ${tenthCount} packages | at most 11 | ${ratio(whole, part)} |`);
  seconds.push(`| ${what} | ${((middle ?? Number.NaN) / 1000).toFixed(2)} |`);
}

const whole = written("identities", packageOn("aws", identities, key));
const half = written("half", packageOn("aws", Math.round(identities / 2), key));
for (const [what, args] of /** @type {const} */ ([
  ["`ccf explain -o html`", ["explain", "-o", "html"]],
  ["`ccf explain -o svg`", ["explain", "-o", "svg"]],
  ["`ccf export --check`", ["export", "--check", "--output-dir", join(work, "none")]],
  ["`ccf validate -o sarif`", ["validate", "-o", "sarif"]],
])) {
  /** @type {{ milliseconds: number[], peak: number[] }[]} */
  const sides = [
    { milliseconds: [], peak: [] },
    { milliseconds: [], peak: [] },
  ];
  for (let sample = 0; sample < samples; sample++) {
    for (const [place, directory] of [whole, half].entries()) {
      const { milliseconds, peak } = measure([...args, directory], args[0] === "export" ? 2 : 0);
      sides[place]?.milliseconds.push(milliseconds);
      sides[place]?.peak.push(peak);
    }
  }
  const [of, against] = sides.map(({ milliseconds, peak }) => ({ time: median(milliseconds), memory: median(peak) }));
  console.log(`| ${what}, ${identities} identities | half of them | at most 2.2 | ${ratio(of?.time, against?.time)} |`);
  console.log(`| peak memory of ${what} | half of them | at most 2.2 | ${ratio(of?.memory, against?.memory)} |`);
}

console.log("\n| 120 packages on three clouds | seconds |");
console.log("|---|---:|");
for (const line of seconds) console.log(line);

/**
 * @param {string} name
 * @param {Record<string, string>} files
 * @returns {string} a directory with rendered packages
 */
function written(name, files) {
  const directory = join(work, name);
  rmSync(directory, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  measure(["render", "--quiet", "--recursive", directory]);
  return directory;
}

/**
 * @param {readonly string[]} args
 * @param {number} expected exit code
 */
function measure(args, expected = 0) {
  const peakFile = join(work, "peak");
  const env = { ...process.env, PEAK_FILE: peakFile };
  const start = process.hrtime.bigint();
  const options = /** @type {const} */ ({ env, encoding: "utf8", maxBuffer: 1 << 30 });
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", preload, ccf, ...args], options);
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== expected) throw new Error(stdout.slice(0, 2000) + stderr.slice(0, 2000));
  return { milliseconds, peak: Number(readFileSync(peakFile, "utf8")) };
}

/** @param {string} directory */
function checkAll(directory) {
  return measure(["render", "--check", "--quiet", "--recursive", directory]);
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
