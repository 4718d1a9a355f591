import { existsSync, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, join, posix, relative, sep } from "node:path";
import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { codePointOf, compareText, controlCharacterIn, quote, quoteWhole } from "../../core/text.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** Whether a path is a directory or is inside it. Both must be real paths, without symbolic links. */
export function isInside(directory: string, path: string): boolean {
  const route = relative(directory, path);
  return route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}

/**
 * The nearest existing parent of an absolute path, or the path itself, with its real path: the rest would be created in
 * it.
 */
export function nearestDirectory(path: string): { readonly there: string; readonly real: string } {
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  if (!statSync(there).isDirectory()) throw new UsageError(`${quoteWhole(there)} is not a directory`);
  return { there, real: realpathSync(there) };
}

/** The real path of a path; the path itself if it does not exist or cannot be examined. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The target of a path from the command line; undefined if it does not exist or cannot be examined (`FILE/x`). */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Requires that a path of the command line is a directory.
 * @throws UsageError
 */
export function requireDirectory(path: string): void {
  const found = statOf(path);
  if (found?.isDirectory() === true) return;
  const why = found === undefined ? "it does not exist" : "it is a file; name the directory that contains it";
  throw new UsageError(`${quote(path)} is not a directory: ${why}`);
}

/**
 * Refuses package directories whose paths contain a control character, before anything is read: a script that reads paths line by
 * line would take a part of such a path for another argument.
 * @throws FindingsError
 */
export function refuseControlCharacters(directories: readonly string[]): void {
  const findings = [...new Set(directories)].flatMap((directory) => {
    const found = controlCharacterIn(directory);
    if (found === undefined) return [];
    const message = `contains the control character ${codePointOf(found)}, so a script could take a part of the path for an option. Rename the directory.`;
    return [fileFinding("error", "package-path", directory, message)];
  });
  if (findings.length > 0) throw new FindingsError(findings);
}

/**
 * The first parent of a path below a directory that is not a directory itself: a file, or a symbolic link, through
 * which a write could leave the directory. Undefined if every existing parent is a directory.
 */
export function blockedParent(directory: string, path: string): string | undefined {
  const steps = posix.dirname(path).split("/");
  for (let depth = 1; depth <= steps.length; depth++) {
    const parent = steps.slice(0, depth).join("/");
    if (parent === ".") continue;
    const stat = lstatSync(join(directory, parent), { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) return parent;
  }
  return undefined;
}

/** The file of a package's ClusterIdentity, as `ccf init` names it. */
export const clusterIdentityFile = "cluster-identity.yaml";

// Whatever their text says, these are what a package consists of.
const essential = /^(?:Kptfile|cluster-identity\.yaml|review-policy\.ya?ml|credentials-requests\/.*)$/;

/** Whether a file must be readable although it names nothing that is read: nothing states what it was before it broke. */
export function isEssential(path: string): boolean {
  return isApplied(path) || essential.test(path);
}

/** The directory of a package, with a slash, that tools apply whole: kubectl, Argo CD, Flux, and the installer. */
export const appliedDirectory = "manifests/";

/** Whether tools apply a path of a package, whatever it contains. */
export function isApplied(path: string): boolean {
  return path.startsWith(appliedDirectory);
}

/** A finding about a whole file. */
export function fileFinding(severity: "error" | "warning", code: FindingCode, path: string, message: string): Finding {
  return { ...finding(severity, code, `${quote(path)} ${message}`), file: { path, index: 0 } };
}

/** A path as a file system compares it that does not distinguish upper and lower case, nor Unicode normalizations. */
export function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** Errors about paths that are one file where the file system does not distinguish upper and lower case. */
export function onlyCaseDiffers(paths: Iterable<string>): Finding[] {
  const byFold = new Map<string, string>();
  return [...new Set(paths)].sort(compareText).flatMap((path) => {
    const fold = foldCase(path);
    const other = byFold.get(fold);
    byFold.set(fold, other ?? path);
    if (other === undefined) return [];
    const message = `and ${quote(other)} differ only in upper and lower case, and are one file on macOS and Windows. Rename one of them.`;
    return [fileFinding("error", "path-case", path, message)];
  });
}
