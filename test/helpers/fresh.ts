import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** When a source of the program was changed last. */
const changed = Math.max(
  ...["src", "functions"].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: "utf8" }).map(
      (name) => statSync(join(root, directory, name)).mtimeMs,
    ),
  ),
);

/**
 * Requires that a file was built from these sources, because a test of an earlier build proves nothing.
 *
 * @param command builds it.
 * @throws {Error} if it does not exist, or a source is newer.
 */
export function requireFresh(file: string, command: string): string {
  if (!existsSync(file) || statSync(file).mtimeMs < changed)
    throw new Error(`${file} is missing, or older than src. Run: ${command}`);
  return file;
}
