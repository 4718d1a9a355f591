import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, resolve, sep } from "node:path";
import { finding } from "../core/finding.ts";
import { compareText, holdsPrivateKey, quote } from "../core/text.ts";
import { FindingsError, UsageError } from "./errors.ts";
import { nearestDirectory } from "./nearest-directory.ts";
import { readBytes } from "./read-bytes.ts";
import { isWritable } from "./write-problems.ts";

/** The directory of a package that holds the release's requests. */
const requestsDirectory = "credentials-requests";

/** The files of a directory with requests, as they are, by the path that they will have in a package. */
export function requestFiles(from: string, target: string): Map<string, Uint8Array> {
  if (!lstatSync(from, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--credentials-requests ${quote(from)} is not a directory`);
  }
  if (`${resolve(target)}${sep}`.startsWith(`${resolve(from)}${sep}`)) {
    throw new UsageError("the package would be inside the directory with the requests");
  }
  const files = new Map<string, Uint8Array>();
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(from, below), { withFileTypes: true }).sort((a, b) =>
      compareText(a.name, b.name),
    )) {
      const path = posix.join(below, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && /\.ya?ml$/.test(entry.name))
        files.set(`${requestsDirectory}/${path}`, readBytes(join(from, path)));
    }
  };
  visit("");
  for (const [path, bytes] of files) {
    if (!holdsPrivateKey(Buffer.from(bytes).toString("latin1"))) continue;
    const message = `${quote(path)} holds a private key, and was not copied. Remove it, treat it as known to others, and make a new one.`;
    throw new FindingsError([finding("error", "private-key", message)]);
  }
  if (files.size === 0) throw new UsageError(`--credentials-requests ${quote(from)} holds no YAML file`);
  return files;
}

/**
 * Stops where no new package can be made: a directory that is there already must be empty, or hold nothing but what Git
 * and an editor put there.
 * @throws UsageError
 */
export function refuseTaken(directory: string): void {
  const { there } = nearestDirectory(resolve(directory));
  if (!isWritable(there)) throw new UsageError(`${quote(there)} may not be written`);
  const present = existsSync(directory) ? readdirSync(directory) : [];
  const taken = present.filter((name) => name !== ".git" && name !== "README.md" && name !== ".gitignore");
  if (taken.length > 0) {
    throw new UsageError(
      `${quote(directory)} is not empty (${quote(taken[0])} is there); init makes new packages and overwrites nothing`,
    );
  }
}

/** Writes a new package whole: beside its place first, then moved there. */
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
    for (const name of readdirSync(temporary)) renameSync(join(temporary, name), join(directory, name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
