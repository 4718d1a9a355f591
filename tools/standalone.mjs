// Builds `ccf` as one executable file that contains Node.js (a single executable application): for machines without Node.js.
//
//   npm run build:standalone                                          # dist/standalone/<platform>/ccf
//   npm run build:standalone -- --platform linux-arm64 --node /path/to/the/node/of/linux-arm64
//
// An executable for the platform of the build contains V8 code caches. Only Node.js of a platform can make a cache for it, so an
// executable for another platform has none and starts more slowly. Executables contain Node.js 24, because Node.js 26 needs
// libatomic, which a fresh Debian or Red Hat machine lacks. The Node.js of another platform must have the same version.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
// @ts-expect-error The package has no types.
import { inject } from "postject";

const root = fileURLToPath(new URL("../", import.meta.url));
const here = `${process.platform}-${process.arch}`;
const { values } = parseArgs({
  options: { platform: { type: "string", default: here }, node: { type: "string" }, output: { type: "string" } },
});
const { platform } = values;
if (!process.version.startsWith("v24."))
  stop(`standalone executables are built with Node.js 24; this is ${process.version}`);
if (!/^(?:linux|darwin)-(?:x64|arm64)$/.test(platform)) stop(`there is no executable for ${platform}`);
if (platform !== here && values.node === undefined) stop(`name the Node.js of ${platform} with --node`);
const node = resolve(values.node ?? process.execPath);
if (!existsSync(node)) stop(`${node} does not exist`);

const work = mkdtempSync(join(tmpdir(), "ccf-standalone-"));
try {
  const program = join(work, "program");
  run(process.execPath, [join(root, "tools/image.mjs"), program]);
  const directory = resolve(values.output ?? join(root, "dist/standalone"), platform);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const output = join(directory, "ccf");

  const files = readdirSync(join(program, "parts")).sort();
  const parts = files.filter((name) => name.endsWith(".js"));
  const caches = platform === here ? files.filter((name) => name.endsWith(".cache")) : [];
  const partOf = (/** @type {string} */ cache) => cache.slice(0, cache.indexOf(".js.") + 3);
  const assets = Object.fromEntries([
    ...parts.map((name) => [name, join(program, "parts", name)]),
    ...caches.map((name) => [`${partOf(name)}.cache`, join(program, "parts", name)]),
  ]);
  const start = join(work, "start.js");
  const names = JSON.stringify(JSON.stringify(caches.map(partOf)));
  writeFileSync(
    start,
    readFileSync(join(root, "tools/start-standalone.js"), "utf8").replace('"CACHED"', () => names),
  );
  const [config, blob] = [join(work, "config.json"), join(work, "blob")];
  writeFileSync(config, JSON.stringify({ main: start, output: blob, disableExperimentalSEAWarning: true, assets }));
  run(process.execPath, ["--experimental-sea-config", config]);
  copyFileSync(node, output);
  chmodSync(output, 0o755);
  if (platform.startsWith("darwin")) run("codesign", ["--remove-signature", output]);
  // The names are Node's: https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html
  await inject(output, "NODE_SEA_BLOB", readFileSync(blob), {
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    machoSegmentName: "NODE_SEA",
  });
  // macOS starts no program on arm64 without a signature, and the change has made that of Node.js invalid.
  if (platform.startsWith("darwin")) run("codesign", ["--force", "--sign", "-", output]);
  run(process.execPath, [join(root, "tools/licenses.mjs"), join(directory, "licenses")]);
  process.stdout.write(`${output}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  rmSync(work, { recursive: true, force: true });
  stop(`${program} ${args.join(" ")} failed`);
}

/** @param {string} message @returns {never} */
function stop(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}
