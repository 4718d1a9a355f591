// Compiles `ccf` with Bun to one executable file, for machines without Node.js and for images.
//
//   npm run build:standalone                             # dist/standalone/<platform>/ccf
//   npm run build:standalone -- --platform linux-arm64   # linux-x64, linux-arm64, linux-x64-musl, darwin-arm64
//   npm run build:standalone -- --offline                # dist/standalone/<platform>-offline/ccf, for the images of functions
//   npm run build:standalone -- --bun /path/to/bun       # from a Bun that you built, of the same version
//
// Bun compiles the modules that Node.js also runs. The same sources are compiled to the same bytes on every machine.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bunOf, here } from "./bun.mjs";
import { writeProgram } from "./bundle.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

const flags = [
  ...["--compile", "--bytecode", "--splitting", "--format=esm", "--minify"],
  // Most runs end before it pays to optimize a function.
  "--compile-jit-policy=4",
  // Nothing of the directory that the executable works in configures it or runs.
  ...["dotenv", "bunfig", "tsconfig", "package-json"].map((file) => `--no-compile-autoload-${file}`),
];

const { values } = parseArgs({
  options: {
    platform: { type: "string", default: here },
    offline: { type: "boolean", default: false },
    bun: { type: "string" },
    output: { type: "string", default: join(root, "dist/standalone") },
  },
});
// Images are for amd64, as Docker names it.
const platform = values.platform.replace("amd64", "x64");
const directory = resolve(values.output, values.offline ? `${platform}-offline` : platform);

const work = mkdtempSync(join(tmpdir(), "ccf-standalone-"));
try {
  if (values.bun !== undefined && !existsSync(values.bun)) throw new Error(`${values.bun} does not exist`);
  const bun = values.bun === undefined ? await bunOf(platform) : resolve(values.bun);
  await writeProgram(join(work, "program"), { isOffline: values.offline });
  compile(await bunOf(here), bun);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const output = join(directory, "ccf");
  copyFileSync(join(work, "ccf"), output);
  chmodSync(output, 0o755);
  // macOS starts no program on arm64 without a signature.
  if (process.platform === "darwin") execFileSync("codesign", ["--force", "--sign", "-", output], { stdio: "ignore" });
  execFileSync(process.execPath, [join(root, "tools/licenses.mjs"), join(directory, "licenses")], { stdio: "inherit" });
  process.stdout.write(`${output}\n`);
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @param {string} compiler @param {string} bun what the executable is made of; otherwise, Bun downloads it */
function compile(compiler, bun) {
  // The name of the file is in the file.
  const files = ["program/parts/main.mjs", "--outfile=ccf"];
  const target = [`--target=bun-${platform}`, `--compile-executable-path=${bun}`];
  // Bun reads a configuration from the working directory and the home directory.
  const env = { PATH: process.env["PATH"], HOME: work };
  const done = spawnSync(compiler, ["build", ...files, ...flags, ...target], { cwd: work, env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Bun did not compile the program:\n${done.stdout}${done.stderr}`);
}
