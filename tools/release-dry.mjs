// Does everything in a release that needs no credentials, and lists what the workflow would publish. See CONTRIBUTING.md.
//
//   npm run release:dry
//   npm run release:dry -- --skip-tests --skip-images
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { imageTargets } from "./image-targets.mjs";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const { values } = parseArgs({ options: { "skip-tests": { type: "boolean" }, "skip-images": { type: "boolean" } } });
const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const [directory, remaining] = ["dist/release", /** @type {string[]} */ ([])];

const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).version;
if (locked !== version) stop(`package-lock.json has the version ${locked}, and package.json has ${version}`);
const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")} - (.+)$`, "m").exec(
  readFileSync("CHANGELOG.md", "utf8"),
);
if (heading === null) stop(`CHANGELOG.md has no section "## ${version} - DATE"`);
if (!/^\d{4}-\d\d-\d\d$/.test(heading[1] ?? ""))
  remaining.push(`in CHANGELOG.md, replace "${heading[1]}" with the date`);
if (git("status", "--porcelain") !== "") remaining.push("commit all changes");
if (git("tag", "--list", `v${version}`) !== "") stop(`the tag v${version} exists`);

if (values["skip-tests"]) remaining.push("run npm test");
else run("npm", ["test"]);

rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
run("npm", ["pack", "--silent", "--pack-destination", directory]);
const digests = readdirSync(directory)
  .sort()
  .map(
    (file) =>
      `${createHash("sha256")
        .update(readFileSync(join(directory, file)))
        .digest("hex")}  ${file}`,
  );
writeFileSync(join(directory, "SHA256SUMS"), `${digests.join("\n")}\n`);

const builder = ["docker", "buildah"].find((tool) => spawnSync(tool, ["info"], { stdio: "ignore" }).status === 0);
if (values["skip-images"] || builder === undefined) remaining.push("build the images: needs docker or buildah");
else for (const target of imageTargets) buildImage(builder, target);

run("npm", ["run", "--silent", "build:standalone"]);

const lines = [
  `Release v${version} would publish:`,
  ...digests.map((line) => `  GitHub release  ${line}, signed, with provenance`),
  ...["linux-x64", "linux-arm64", "linux-x64-musl", "darwin-arm64"].map(
    (platform) => `  GitHub release  ccf-${platform}.tar.gz, signed, with SBOM and provenance`,
  ),
  `  npm             ${name}@${version}, with provenance`,
  ...imageTargets.map(
    (target) =>
      `  image           ghcr.io/cloud-credential-functions/${target}:v${version}, signed, with SBOM and provenance`,
  ),
  ...(remaining.length > 0 ? ["Before the tag:", ...remaining.map((step) => `  - ${step}`)] : []),
];
process.stdout.write(`${lines.join("\n")}\n`);

/** @param {string} builder @param {string} target of the Dockerfile */
function buildImage(builder, target) {
  // Without access to a registry, these name the bases that tools/base-images.mjs makes.
  const bases = ["BUILD_IMAGE", "RUN_IMAGE"].filter((key) => process.env[key]);
  const args = bases.flatMap((key) => ["--build-arg", `${key}=${process.env[key]}`]);
  const build = builder === "docker" ? ["build"] : ["bud", "--layers"];
  const labels = ["--build-arg", `VERSION=${version}`, "--build-arg", `REVISION=${git("rev-parse", "HEAD")}`];
  run(builder, [...build, "--quiet", ...args, ...labels, "--target", target, "--tag", `${target}:v${version}`, "."]);
}

/** @param {string[]} args @returns {string} */
function git(...args) {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  // Standard output is the list.
  const { status } = spawnSync(program, args, { stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (status !== 0) stop(`${program} ${args.join(" ")} failed`);
}

/** @param {string} message @returns {never} */
function stop(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}
