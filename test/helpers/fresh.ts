import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** When a source of the program, or a package, was changed last. */
const changed = Math.max(
  statSync(join(root, "package-lock.json")).mtimeMs,
  ...["src", "functions", "schemas"].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: "utf8" }).map(
      (name) => statSync(join(root, directory, name)).mtimeMs,
    ),
  ),
);

/** Whether a file exists and no source is newer. */
export function isFresh(file: string): boolean {
  return existsSync(file) && statSync(file).mtimeMs >= changed;
}

/**
 * Requires that a file was built from these sources, because a test of an earlier build proves nothing.
 *
 * @param command builds it.
 * @throws {Error} if it does not exist, or a source is newer.
 */
export function requireFresh(file: string, command: string): string {
  if (!isFresh(file)) throw new Error(`${file} is missing, or older than src or package-lock.json. Run: ${command}`);
  return file;
}
