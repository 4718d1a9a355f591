import { type Dirent, lstatSync } from "node:fs";
import { join, posix } from "node:path";
import { setFlagsFromString } from "node:v8";
import { type Finding, finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { listDirectory } from "../files/directory.ts";
import {
  appliedDirectory,
  clusterIdentityFile,
  fileFinding,
  isApplied,
  onlyCaseDiffers,
  refuseControlCharacters,
  requireDirectory,
  statOf,
} from "../files/paths.ts";
import { privateKeyFiles } from "../files/private-keys.ts";
import { type PackageFile, parseFile, readItems, unreadDocuments } from "../files/read-objects.ts";
import { requestsDirectory } from "../files/request-files.ts";
import { stageDirectory } from "../files/stage.ts";
import { FindingsError } from "../terminal/errors.ts";
import { generatedTops, hiddenObjects, isResourceFile, notUtf8, otherMeaning } from "./hidden-objects.ts";
import { type KrmIgnore, readKrmIgnore } from "./krmignore.ts";

/** A package on disk. */
export interface Package {
  readonly directory: string;
  /** Sorted by path. */
  readonly files: readonly PackageFile[];
  /** Directories below it that are separate packages, which are not read. */
  readonly subpackages: readonly string[];
  /** Directories, and files that could contain objects, that .krmignore excludes. */
  readonly ignored?: readonly string[];
  /** Whether .krmignore excludes a path, which need not exist. */
  readonly isIgnored?: (path: string) => boolean;
  readonly findings: readonly Finding[];
}

/**
 * Reads the files of a package that kpt would read: YAML and JSON files and the Kptfile, except those that .krmignore
 * excludes. Nothing outside the directory is read: symbolic links are skipped with a warning. A private key file is an
 * error, whatever its name. So is an object that .krmignore or a link hides, because no command would see that it was changed, and
 * whatever is not read in `manifests/`, because tools apply that directory whole.
 *
 * @param apart packages inside it that a command processes by themselves, relative to it, with slashes
 * @throws FindingsError if a file is not YAML and may contain what a function reads: the input would be incomplete.
 */
export function readPackage(directory: string, apart: readonly string[] = []): Package {
  refuseControlCharacters([directory]);
  requireDirectory(directory);
  const keys = privateKeyFiles(directory, apart);
  const found = {
    paths: [] as string[],
    subpackages: [] as string[],
    ignored: [] as string[],
    findings: [...keys.findings],
  };
  const rules = readKrmIgnore(directory);
  collect(directory, "", rules, new Set(apart), found);
  found.findings.push(...hiddenObjects(directory, rules, found.ignored, apart), ...onlyCaseDiffers(found.paths));
  if (found.paths.length > manyFiles) setFlagsFromString(collectEarly);
  const files: PackageFile[] = [];
  const broken: Finding[] = [];
  for (const path of found.paths.sort(compareText).filter((path) => !keys.keys.has(path))) {
    const source = parseFile(directory, path);
    const problems = "severity" in source ? [source] : unreadDocuments(path, source);
    for (const problem of problems) (problem.severity === "error" ? broken : found.findings).push(problem);
    if (!("severity" in source)) files.push({ path, source, items: readItems(path, source, found.findings) });
  }
  if (broken.length > 0) throw new FindingsError([...broken, ...keys.findings]);
  const subpackages = found.subpackages.sort(compareText);
  const ignored = found.ignored.sort(compareText);
  const isIgnored = (path: string) => rules.ignores(path);
  return { directory, files, subpackages, ignored, isIgnored, findings: found.findings };
}

// V8 lets its heap grow to several times what is in use before it collects the rest. A package of this many files would need
// twice the memory, which a pipeline may not have. Collecting whenever the heap has grown by a tenth costs about a third more CPU
// time.
const manyFiles = 10_000;

const collectEarly = "--heap-growing-percent=10";

interface Found {
  readonly paths: string[];
  readonly subpackages: string[];
  readonly ignored: string[];
  readonly findings: Finding[];
}

function collect(directory: string, below: string, rules: KrmIgnore, apart: ReadonlySet<string>, found: Found): void {
  const { entries, unnamed } = listDirectory(join(directory, below));
  if (unnamed.length > 0) throw new FindingsError(unnamed.map(({ name }) => notUtf8(posix.join(below, name))));
  for (const entry of entries) {
    const path = posix.join(below, entry.name);
    const meaning = entry.isDirectory() ? undefined : otherMeaning(path);
    if (meaning !== undefined)
      found.findings.push(fileFinding("error", "file-skipped", path, `${meaning} ${moveAway}`));
    else if (entry.isDirectory()) collectDirectory(directory, path, rules, apart, found);
    else if (rules.ignores(path)) found.ignored.push(...(isResourceFile(entry.name) ? [path] : []));
    else if (isResourceFile(entry.name) && entry.isFile()) found.paths.push(path);
    else found.findings.push(...skippedEntry(directory, path, entry));
  }
}

const packageInside = `is a separate package, but tools apply it with this one. Move it out of "${appliedDirectory}".`;

const moveAway = `Move the file out of "${appliedDirectory}".`;

// What an interrupted run left.
const stages: ReadonlySet<string> = new Set([stageDirectory("render"), stageDirectory("update-requests")]);

function collectDirectory(
  directory: string,
  path: string,
  rules: KrmIgnore,
  apart: ReadonlySet<string>,
  found: Found,
): void {
  if (posix.basename(path) === ".git" || stages.has(path)) return;
  if (apart.has(path) && !isApplied(path)) return;
  if (rules.ignores(`${path}/`)) found.ignored.push(path);
  else if (exists(join(directory, path, "Kptfile"))) {
    found.subpackages.push(path);
    if (isApplied(path)) found.findings.push(fileFinding("error", "file-skipped", path, packageInside));
  } else collect(directory, path, rules, apart, found);
}

/** Without these files, a directory would be another package, or none. */
export const packageNames: ReadonlySet<string> = new Set(["Kptfile", clusterIdentityFile]);

// An entry that is skipped although it may contain objects. In place of a generated file, it would hide the object. In place
// of a request, its identity would be missing.
function skippedEntry(directory: string, path: string, entry: Dirent): Finding[] {
  const [top = ""] = path.split("/");
  const hides = generatedTops.has(top) || top === requestsDirectory;
  const severity = hides ? "error" : "warning";
  const skipped = (message: string) => [fileFinding(severity, "file-skipped", path, message)];
  if (packageNames.has(path)) {
    const message = "is a symbolic link or not a regular file, and was not read. Put the file itself into the package.";
    throw new FindingsError([fileFinding("error", "file-unreadable", path, message)]);
  }
  if (isResourceFile(entry.name))
    return skipped("is skipped: it is a symbolic link or not a regular file. Put the file itself into the package.");
  if (!entry.isSymbolicLink()) return [];
  const target = statOf(join(directory, path));
  if (target === undefined)
    return skipped("is a symbolic link to a path that does not exist; put its target into the package.");
  if (!target.isDirectory()) return [];
  return skipped("is skipped: it is a symbolic link to a directory. Put the directory itself into the package.");
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * The packages inside a package, which are not read although they may contain objects. A command that did not find an object must
 * report them.
 *
 * @param cure the fix for a package inside the package, as the end of the sentence.
 */
export function unreadParts({ subpackages }: Package, severity: "error" | "warning", cure: string): Finding[] {
  return subpackages.map((path) =>
    fileFinding(severity, "file-skipped", path, `is a separate package and is not read; ${cure}.`),
  );
}

/** A longer list of commands would not help the user. */
const maxCommands = 20;

/** The most excluded paths that a message names. */
const maxNames = 5;

/**
 * Requires that a directory is a package: it contains a Kptfile or a ClusterIdentity.
 *
 * @param command returns the command line that does the same for a package below the directory
 * @param all the command line that does the same for all packages below the directory, if the command can
 * @throws FindingsError `not-a-package`, even if .krmignore excludes both, or `generated-orphan` if it contains what was generated for one
 */
export function requirePackage(pkg: Package, command: (directory: string) => string, all?: string): void {
  const { directory, files } = pkg;
  if (isPackage(pkg)) return;
  refuseExcluded(pkg);
  const generated = files.find(({ items }) => items.some(({ annotations }) => annotations.has(generatedBy)));
  if (generated !== undefined) {
    const message = `contains a generated object, but ${quote(directory)} is not a package: it contains neither a Kptfile nor a ClusterIdentity. Restore the Kptfile and the ClusterIdentity of the package, or delete what was generated.`;
    throw new FindingsError([fileFinding("error", "generated-orphan", generated.path, message)]);
  }
  const below = packagesBelow(pkg, command, all);
  const cure = below ?? 'Name the directory of a package, or create a package with "ccf init"';
  const message = `${quote(directory)} is not a package: it contains neither a Kptfile nor a ClusterIdentity. ${cure}.`;
  throw new FindingsError([finding("error", "not-a-package", message)]);
}

function isPackage({ files }: Package): boolean {
  return files.some(({ path, items }) => path === "Kptfile" || items.some(isClusterIdentity));
}

/**
 * Requires that .krmignore does not exclude what makes a directory a package. Otherwise, a package would look like an empty
 * directory.
 *
 * @throws FindingsError `not-a-package`
 */
export function refuseExcluded(pkg: Package): void {
  const { directory, subpackages, ignored = [] } = pkg;
  if (isPackage(pkg)) return;
  const own = ignored.filter((path) => packageNames.has(path));
  // A ClusterIdentity may be in any file. In a directory of packages, the patterns are about other files.
  const excluded = own.length > 0 || subpackages.length > 0 ? own : ignored;
  if (excluded.length === 0) return;
  const names = listed(excluded.map(quote), maxNames);
  const message = `${quote(directory)} contains no Kptfile and no ClusterIdentity that a command reads: its .krmignore excludes ${names}. Remove the pattern that excludes them from .krmignore.`;
  throw new FindingsError([finding("error", "not-a-package", message)]);
}

function packagesBelow(
  { directory, subpackages }: Package,
  command: (directory: string) => string,
  all: string | undefined,
): string | undefined {
  if (subpackages.length === 0) return undefined;
  if (subpackages.length > 1 && all !== undefined) return `It contains ${subpackages.length} packages: run "${all}"`;
  const commands = subpackages.slice(0, maxCommands).map((path) => `"${command(join(directory, path))}"`);
  const more = subpackages.length > maxCommands ? `, and the same for ${subpackages.length - maxCommands} more` : "";
  return subpackages.length === 1
    ? `It contains a package: run ${commands[0]}`
    : `It contains ${subpackages.length} packages: run ${commands.join(", ")}${more}`;
}
