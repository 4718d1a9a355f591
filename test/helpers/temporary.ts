import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const made: string[] = [];

/** Removes them; test/helpers/setup.ts calls it. */
export function removeTemporary(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** A new directory that goes when the test ends. */
export function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "ccf-test-"));
  made.push(directory);
  return directory;
}

/** A new directory for more than one test, with what takes it away. */
export function keptTemporary(): { readonly directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), "ccf-test-"));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Writes files into a directory. */
export function writeTree(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

/** All files below a directory, by path. */
export function readTree(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]));
}
