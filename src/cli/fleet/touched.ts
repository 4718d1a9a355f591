import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { decodeUtf8 } from "../../yaml/text.ts";
import { bytesOf } from "../files/one-file.ts";
import { isInside, realPathOf } from "../files/paths.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import { UsageError } from "../terminal/errors.ts";

/** Paths that a change touches. */
export interface Touched {
  /** Whether a path is in the directory, and not in a package inside it. Both are real absolute paths. */
  isIn(directory: string, packages: ReadonlySet<string>): boolean;
  /** Each path once, absolute. */
  readonly paths: readonly string[];
  /** All packages count, because a shared path is touched. */
  readonly isShared: boolean;
  readonly isEmpty: boolean;
}

/**
 * Reads the paths of `--touched FILE`, one on each line or, with `git diff -z`, each with a NUL at its end. Git quotes names
 * as in C if they contain control characters, quotes or, by default, bytes that are not ASCII (git-config, core.quotePath).
 *
 * A relative path is relative to the current directory or to the root of its repository, whichever the writer meant: both
 * count, because a package that is processed without need does no harm.
 *
 * @param shared the paths on which all packages depend.
 * @throws UsageError
 */
export function readTouched(file: string, shared: readonly string[]): Touched {
  const name = `--touched ${quote(file)}`;
  const text = decodeUtf8(file === "-" ? readStandardInput() : bytesOf(name, file));
  if (text === undefined)
    throw new UsageError(`${name} is not UTF-8; use the output of "git diff --name-only --no-renames"`);
  const paths = linesOf(text);
  const bases = basesOf(realpathSync("."));
  const touched = new Set(paths.flatMap((path) => absolutesOf(path, bases)));
  const sharedPaths = shared.map((path) => realPathOf(resolve(path)));
  const isShared = sharedPaths.some((path) => [...touched].some((one) => isInside(path, one)));
  const missing = shared.filter((path) => !existsSync(path));
  if (!isShared && missing.length > 0)
    throw new UsageError(
      `--shared ${listed(missing.map(quoteWhole), maxNamed)} does not exist, and no touched path is in it`,
    );
  const parents = new Map<ReadonlySet<string>, ReadonlySet<string>>();
  return {
    isIn: (directory, packages) => {
      const nearest = parents.get(packages) ?? new Set([...touched].flatMap((path) => nearestIn(path, packages) ?? []));
      parents.set(packages, nearest);
      return nearest.has(directory);
    },
    paths: [...new Set(paths.map((path) => likeliest(absolutesOf(path, bases))))],
    isShared,
    isEmpty: paths.length === 0,
  };
}

const maxNamed = 5;

function linesOf(text: string): string[] {
  if (text.includes("\0")) return text.split("\0").filter((path) => path !== "");
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => (/^".*"$/.test(line) ? unquoted(line) : line));
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function unquoted(line: string): string {
  const bytes: Buffer[] = [];
  for (const [part, octal, letter] of line.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (letter === undefined) bytes.push(Buffer.from(part));
    else bytes.push(escapes[letter] === undefined ? Buffer.from(letter) : Buffer.from([escapes[letter]]));
  }
  return Buffer.concat(bytes).toString("utf8");
}

// The current directory, and the nearest directory above it with a repository. A worktree has a file ".git".
function basesOf(directory: string): string[] {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at === directory ? [directory] : [directory, at];
    if (dirname(at) === at) return [directory];
  }
}

function absolutesOf(path: string, bases: readonly string[]): string[] {
  return isAbsolute(path) ? [resolve(path), realPathOf(path)] : bases.map((base) => resolve(base, path));
}

// Of the paths that a writer may mean, the one of which most exists; git names paths relative to the repository by default.
function likeliest(paths: readonly string[]): string {
  const [first = "", ...others] = [...paths].reverse();
  return others.reduce((best, path) => (missingIn(path) < missingIn(best) ? path : best), first);
}

function missingIn(path: string): number {
  let count = 0;
  for (let at = path; !exists(at) && dirname(at) !== at; at = dirname(at)) count++;
  return count;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

// A path in a package inside another one belongs to the inner one.
function nearestIn(path: string, packages: ReadonlySet<string>): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    if (packages.has(at)) return at;
    if (dirname(at) === at) return undefined;
  }
}
