import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";

const root = fileURLToPath(new URL("../", import.meta.url));

/**
 * The npm packages of Bun with their digests, by the platforms that there are executables for. They are not in package.json, because
 * only executables need them, and each is large.
 *
 * @type {{ version: string, packages: Record<string, { name: string, integrity: string } | undefined> }}
 */
export const bun = JSON.parse(readFileSync(new URL("bun.json", import.meta.url), "utf8"));

const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
const isMusl = process.platform === "linux" && header.glibcVersionRuntime === undefined;

/** The platform of this machine. */
export const here = `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;

/**
 * Returns Bun for a platform: from its npm package, which is kept for the next time.
 *
 * @param {string} platform
 * @returns {Promise<string>} the path of the program
 * @throws {Error} if executables do not exist for the platform, or the package has another digest than in bun.json
 */
export async function bunOf(platform) {
  const wanted = bun.packages[platform];
  if (wanted === undefined)
    throw new Error(`unknown platform "${platform}"; use one of ${Object.keys(bun.packages).join(", ")}`);
  const kept = join(root, "node_modules/.cache/bun", `${platform}-${bun.version}`);
  const program = join(kept, "bin/bun");
  if (existsSync(program)) return program;
  mkdirSync(dirname(kept), { recursive: true });
  const work = mkdtempSync(`${kept}-`);
  try {
    const npm = ["pack", "--json", "--pack-destination", work, `${wanted.name}@${bun.version}`];
    const [packed] = JSON.parse(execFileSync("npm", npm, { cwd: tmpdir(), encoding: "utf8" }));
    if (packed.integrity !== wanted.integrity)
      throw new Error(`${packed.id} has the digest ${packed.integrity}, and tools/bun.json has ${wanted.integrity}`);
    const unpacked = join(work, "package");
    await pipeline(createReadStream(join(work, packed.filename)), createGunzip(), unpackTar(unpacked, { strip: 1 }));
    if (!existsSync(kept)) renameSync(unpacked, kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}
