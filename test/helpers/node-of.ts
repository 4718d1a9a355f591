import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../node_modules/.cache/node-versions", import.meta.url));
const here = `${process.platform}-${process.arch}`;

/**
 * The program of a version of Node.js, for this platform or another: this one, or one from npm, kept for the next run. Undefined
 * where it cannot be had.
 */
export function nodeOf(version: string, platform = here): string | undefined {
  const { node } = process.versions;
  if (platform === here && (node === version || node.split(".")[0] === version)) return process.execPath;
  const kept = join(cache, platform === here ? version : `${version}-${platform}`);
  const name = `node-${platform.replace("win32", "win")}`;
  const program = join(kept, "node_modules", name, "bin", platform.startsWith("win32") ? "node.exe" : "node");
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "new-"));
  // What the package `node` would fetch with a script of its own; scripts of packages are not run here.
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", "--force"];
  try {
    const args = ["install", "--prefix", fresh, ...flags, `${name}@${version}`];
    execFileSync("npm", args, { cwd: fresh, stdio: "ignore", timeout: 300_000 });
    if (!existsSync(kept)) renameSync(fresh, kept);
  } catch {
    return undefined;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return existsSync(program) ? program : undefined;
}
