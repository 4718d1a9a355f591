import { existsSync, lstatSync, type Stats } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { compareText, quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { fileFinding, identityFile, isGeneratedPath, readPackage } from "../files/package-files.ts";
import { isInside, realPathOf, statOf } from "../files/paths.ts";
import { requirePackage } from "../files/require-package.ts";
import { FindingsError } from "../terminal/errors.ts";
import { findPackages, holdsOurs, isOurKptfile } from "./find-packages.ts";

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
  const around = hiddenPackages(path, search).filter((directory) => isInside(directory, path));
  if (around.length > 0) return around.map(hidden);
  const stat = statWithoutLinks(path, search.root);
  if (stat === undefined) return removed(path, search);
  if (stat.isSymbolicLink()) return linkProblem(path, search.root);
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
    name === "Kptfile" || name === identityFile
      ? steps.length - 1
      : steps.findIndex((_, index) => isGeneratedPath(steps.slice(index).join("/")));
  if (depth < 0) return [];
  const directory = join(root, ...steps.slice(0, depth));
  const remains = [...search.packages, ...hiddenPackages(path, search)]
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
    return !existsSync(join(directory, "Kptfile")) && !existsSync(join(directory, identityFile));
  }
}

function linkProblem(path: string, root: string): Finding[] {
  const target = statOf(path);
  const isWithin = target?.isDirectory() === true && isInside(root, realPathOf(path));
  const isFile = target !== undefined && !target.isDirectory();
  if (isWithin || (isFile && !isOurName(path))) return [];
  const message = "is a symbolic link, which is not followed; replace it with the directory or the file itself.";
  return [about(path, "touched-unchecked", message)];
}

function hiddenBelow(directory: string, search: Search): Finding[] {
  return hiddenPackages(directory, search)
    .filter((path) => isInside(directory, path))
    .map(hidden);
}

function hidden(directory: string): Finding {
  return about(directory, "touched-unchecked", "is a package, but .krmignore hides it; remove it from .krmignore.");
}

// Only a .krmignore in a directory above a path, or in the path, hides something there.
function hiddenPackages(path: string, search: Search): readonly string[] {
  if (search.hidden === undefined && !hasKrmIgnore(path, search.root)) return [];
  search.hidden ??= findPackages(search.root, false)
    .map((found) => join(search.root, found))
    .filter((found) => !isInPackage(found, search.packages));
  return search.hidden;
}

function hasKrmIgnore(path: string, root: string): boolean {
  for (let at = path; isInside(root, at); at = dirname(at)) if (existsSync(join(at, ".krmignore"))) return true;
  return false;
}

function isOurName(path: string): boolean {
  return basename(path) === "Kptfile" || /\.ya?ml$/.test(path);
}

function isOurFile(path: string): boolean {
  if (basename(path) === "Kptfile") return isOurKptfile(path);
  if (basename(path) === identityFile) return true;
  return isOurName(path) && holdsOurs(path);
}

type Code = "generated-orphan" | "package-removed" | "touched-unchecked";

function about(path: string, code: Code, message: string): Finding {
  const severity = code === "generated-orphan" ? "error" : "warning";
  return fileFinding(severity, code, slashes(relative(realPathOf("."), path)) || ".", message);
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}
