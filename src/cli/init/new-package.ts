import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { quote } from "../../core/text.ts";
import { onlyCaseDiffers } from "../files/package-files.ts";
import { nearestDirectory } from "../files/paths.ts";
import { isWritable } from "../files/write-problems.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

const attributes = ".gitattributes";

/**
 * Refuses a directory where no new package can be created: an existing directory must be empty, except for the files of
 * a new Git repository.
 *
 * @param command the command, for the message.
 * @throws UsageError
 */
export function refuseTaken(directory: string, command = "init"): void {
  const { there } = nearestDirectory(resolve(directory));
  if (!isWritable(there)) throw new UsageError(`${quote(there)} is not writable`);
  const present = existsSync(directory) ? readdirSync(directory) : [];
  const taken = present.filter((name) => ![".git", ".gitignore", attributes, "README.md"].includes(name));
  if (taken.length > 0) {
    throw new UsageError(
      `${quote(directory)} is not empty (it contains ${quote(taken[0])}); name a new or empty directory, because ${command} overwrites nothing`,
    );
  }
}

/**
 * Writes a new package to a temporary directory next to it, then moves the files. Keeps an existing `.gitattributes`.
 *
 * @throws FindingsError if two paths differ only in upper and lower case.
 */
export function createPackage(directory: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  refuseTaken(directory);
  const findings = onlyCaseDiffers(files.keys());
  if (findings.length > 0) throw new FindingsError(findings);
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
