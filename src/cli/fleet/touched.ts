import { existsSync, lstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { compareText, decodeUtf8, quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { clusterIdentityFile, isInside, realPathOf } from "../files/paths.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import { bytesOf } from "../files/read-objects.ts";
import { isGeneratedPath } from "../package/hidden-objects.ts";
import { readPackage, requirePackage } from "../package/package-files.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { holdsOurs, readKptfile } from "./find-packages.ts";
import { aboutPath, hiddenFinding, hiddenPackages, isOurName, linkFindings, slashes } from "./skipped.ts";

/** Paths that a change touches. */
export interface Touched {
  /** Whether a path is in the directory, and not in a package inside it. Both are real absolute paths. */
  isIn(directory: string, packages: ReadonlySet<string>): boolean;
  /** Each path once, absolute. */
  readonly paths: readonly string[];
  /** All packages count, because a shared path is touched. */
  readonly isShared: boolean;
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
  };
}

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

/**
 * The touched paths below a root that are, or were, files of a package, but are in no package that the search finds: no
 * command reads them, so a change there would pass every check. These are
 *
 * - paths that are gone, with the name of a Kptfile, a ClusterIdentity or a generated file: `package-removed`, for each
 *   directory once, or the error `generated-orphan` if generated objects remain in it;
 * - any path in a package that .krmignore hides, and packages that a touched .krmignore hides: each package once;
 * - other files with a function of this project, one of its objects or a generated object, and files that cannot be read and
 *   may be that;
 * - symbolic links in place of a directory or of such a file, unless they lead to a directory below the root.
 *
 * Other paths outside packages, such as a README or the requests of a release, do not matter.
 *
 * @param root a directory that was searched
 * @param paths absolute
 * @param packages the real paths of all packages
 */
export function uncheckedPaths(root: string, paths: readonly string[], packages: ReadonlySet<string>): Finding[] {
  const search: Search = { root: realPathOf(root), packages, hidden: undefined };
  const below = paths.filter((path) => isInside(search.root, path) && !isInPackage(path, packages));
  const found = new Map<string, Finding>();
  for (const path of below.sort(compareText))
    for (const one of problemsOf(path, search)) found.set(`${one.code} ${one.file?.path}`, one);
  return [...found.values()];
}

interface Search {
  readonly root: string;
  readonly packages: ReadonlySet<string>;
  /** The packages that .krmignore hides, if they were searched. */
  hidden: readonly string[] | undefined;
}

function isInPackage(path: string, packages: ReadonlySet<string>): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (packages.has(at)) return true;
    if (dirname(at) === at) return false;
  }
}

function problemsOf(path: string, search: Search): Finding[] {
  const around = hiddenAround(path, search).filter((directory) => isInside(directory, path));
  if (around.length > 0) return around.map(hidden);
  const stat = statWithoutLinks(path, search.root);
  if (stat === undefined) return removed(path, search);
  if (stat.isSymbolicLink()) return linkFindings(path, search.root, "touched-unchecked");
  if (stat.isDirectory()) return hiddenBelow(path, search);
  if (basename(path) === ".krmignore") return hiddenBelow(dirname(path), search);
  return isOurFile(path) ? [about(path, "touched-unchecked", unseen)] : [];
}

const unseen =
  "is or may be a file of a package, but is in no package: .krmignore excludes it, or the Kptfile and the ClusterIdentity of its package are missing. Remove it from .krmignore, or restore the package.";

// Git names a file below a link only if the link replaced a directory.
function statWithoutLinks(path: string, root: string): Stats | undefined {
  try {
    for (let at = dirname(path); at !== root && isInside(root, at); at = dirname(at))
      if (lstatSync(at).isSymbolicLink()) return undefined;
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function removed(path: string, search: Search): Finding[] {
  const { root } = search;
  const steps = slashes(relative(root, path)).split("/");
  const name = steps.at(-1);
  const depth =
    name === "Kptfile" || name === clusterIdentityFile
      ? steps.length - 1
      : steps.findIndex((_, index) => isGeneratedPath(steps.slice(index).join("/")));
  if (depth < 0) return [];
  const directory = join(root, ...steps.slice(0, depth));
  const remains = [...search.packages, ...hiddenAround(path, search)]
    .filter((one) => isInside(directory, one) && isLeftover(one))
    .sort(compareText);
  if (remains.length > 0) {
    const where = remains.map((one) => quote(slashes(relative(realPathOf("."), one)) || "."));
    const message = `is not a package anymore, but generated files are still in ${listed(where, maxNamed)}. Delete them, or restore the Kptfile and the ClusterIdentity of the package.`;
    return [about(directory, "generated-orphan", message)];
  }
  const message =
    'is not a package anymore: files of the package were removed, so nothing compares what remains of it in the cloud. If the cluster is gone or was moved, add "--allow removal".';
  return [about(directory, "package-removed", message)];
}

const maxNamed = 5;

// A directory that counts as a package only because of what was generated for one, or that cannot be read.
function isLeftover(directory: string): boolean {
  try {
    requirePackage(readPackage(directory), () => "");
    return false;
  } catch (error) {
    if (!(error instanceof FindingsError) && !isSystemError(error)) throw error;
    return !existsSync(join(directory, "Kptfile")) && !existsSync(join(directory, clusterIdentityFile));
  }
}

function hiddenBelow(directory: string, search: Search): Finding[] {
  return hiddenAround(directory, search)
    .filter((path) => isInside(directory, path))
    .map(hidden);
}

function hidden(directory: string): Finding {
  return hiddenFinding(directory, "touched-unchecked");
}

// Only a .krmignore in a directory above a path, or in the path, hides something there.
function hiddenAround(path: string, search: Search): readonly string[] {
  if (search.hidden === undefined && !hasKrmIgnore(path, search.root)) return [];
  search.hidden ??= hiddenPackages(search.root, search.packages);
  return search.hidden;
}

function hasKrmIgnore(path: string, root: string): boolean {
  for (let at = path; isInside(root, at); at = dirname(at)) if (existsSync(join(at, ".krmignore"))) return true;
  return false;
}

function isOurFile(path: string): boolean {
  if (basename(path) === "Kptfile") return readKptfile("", path).isOurs;
  if (basename(path) === clusterIdentityFile) return true;
  return isOurName(path) && holdsOurs(path);
}

type Code = "generated-orphan" | "package-removed" | "touched-unchecked";

function about(path: string, code: Code, message: string): Finding {
  return aboutPath(code === "generated-orphan" ? "error" : "warning", path, code, message);
}
