import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { quote } from "../../core/text.ts";
import { nearestDirectory } from "../files/nearest-directory.ts";
import { isWritable } from "../files/write-problems.ts";
import { UsageError } from "../terminal/errors.ts";

const attributes = ".gitattributes";

/**
 * Stops where no new package can be made: a directory that is there already must be empty, or hold nothing but what Git
 * and an editor put there.
 * @throws UsageError
 */
export function refuseTaken(directory: string): void {
  const { there } = nearestDirectory(resolve(directory));
  if (!isWritable(there)) throw new UsageError(`${quote(there)} may not be written`);
  const present = existsSync(directory) ? readdirSync(directory) : [];
  const taken = present.filter((name) => ![".git", ".gitignore", attributes, "README.md"].includes(name));
  if (taken.length > 0) {
    throw new UsageError(
      `${quote(directory)} is not empty (${quote(taken[0])} is there); init makes new packages and overwrites nothing`,
    );
  }
}

/** Writes a new package whole: beside its place first, then moved there. An existing `.gitattributes` stays. */
export function createPackage(directory: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  refuseTaken(directory);
  const parent = dirname(resolve(directory));
  mkdirSync(parent, { recursive: true });
  const temporary = mkdtempSync(join(parent, `.${basename(resolve(directory))}-`));
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(temporary, path)), { recursive: true });
      writeFileSync(join(temporary, path), content, { flag: "wx" });
    }
    mkdirSync(directory, { recursive: true });
    const names = readdirSync(temporary).filter((name) => name !== attributes || !existsSync(join(directory, name)));
    for (const name of names) renameSync(join(temporary, name), join(directory, name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
