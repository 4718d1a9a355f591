import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The npm packages of Bun, by the platforms that there are executables for. */
const packages = {
  "linux-x64": "@oven/bun-linux-x64",
  "linux-arm64": "@oven/bun-linux-aarch64",
  "linux-x64-musl": "@oven/bun-linux-x64-musl",
  "darwin-arm64": "@oven/bun-darwin-aarch64",
};

const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
const isMusl = process.platform === "linux" && header.glibcVersionRuntime === undefined;

/** The platform of this machine. */
export const here = `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;

/**
 * Returns Bun for a platform: what npm has installed here, or a package from the registry with the digest of package-lock.json, which
 * is kept for the next time.
 *
 * @param {string} platform
 * @returns {string} the path of the program
 * @throws {Error} if there is no executable for the platform, or the package has another digest
 */
export function bunOf(platform) {
  const name = packages[/** @type {keyof typeof packages} */ (platform)];
  if (name === undefined) throw new Error(`there is no executable for ${platform}`);
  const installed = join(root, "node_modules", name, "bin/bun");
  if (existsSync(installed)) return installed;
  const { version, integrity } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages[
    `node_modules/${name}`
  ];
  const kept = join(root, "node_modules/.cache/bun", `${platform}-${version}`);
  const program = join(kept, "package/bin/bun");
  if (existsSync(program)) return program;
  const work = mkdtempSync(join(tmpdir(), "ccf-bun-"));
  try {
    const npm = ["pack", "--json", "--pack-destination", work, `${name}@${version}`];
    const [packed] = JSON.parse(execFileSync("npm", npm, { cwd: work, encoding: "utf8" }));
    if (packed.integrity !== integrity)
      throw new Error(`${packed.id} has the digest ${packed.integrity}, and package-lock.json has ${integrity}`);
    execFileSync("tar", ["-xzf", join(work, packed.filename), "-C", work]);
    rmSync(join(work, packed.filename));
    chmodSync(join(work, "package/bin/bun"), 0o755);
    cpSync(work, kept, { recursive: true });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}
