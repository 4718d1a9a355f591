import { type Dirent, lstatSync } from "node:fs";
import { join, posix } from "node:path";
import { generatedBy, groupOf } from "../../core/resource.ts";
import { compareText, decodeUtf8 } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { namesWhatIsRead } from "../../krm/resource-list.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { policyKind } from "../../rules/policy.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { documents, isProblem } from "../../yaml/source.ts";
import { listDirectory } from "../files/directory.ts";
import { clusterIdentityFile, requireDirectory } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { holdsItem } from "../files/read-objects.ts";
import { readPipeline } from "../package/kptfile.ts";
import { type KrmIgnore, nothingIgnored, readKrmIgnore } from "../package/krmignore.ts";
import { FindingsError } from "../terminal/errors.ts";

/** The start of the names of directories in which commands stage files: see files/stage.ts. */
const stagePrefix = ".ccf-";

/**
 * The packages at or below a directory, as paths relative to it with slashes, sorted; "." is the directory itself. A
 * package is a directory
 *
 * - with a Kptfile whose pipeline contains a function of this project,
 * - with a file `cluster-identity.yaml`, if the Kptfile of a package above it does not name this file, or
 * - outside of packages, with another YAML file that contains a ClusterIdentity, another object of the same API group but a
 *   ReviewPolicy, or a generated object. Without its Kptfile and its ClusterIdentity, the package then fails.
 *
 * What cannot be read counts as what it may be: the package then fails, and is not missing. `.git` and symbolic links are
 * not followed. The .krmignore of the directory, and of each directory with a Kptfile, applies as in kpt. It never excludes
 * the package that it is in.
 *
 * @param ignoring whether .krmignore applies
 * @throws UsageError if it is not a directory
 */
export function findPackages(root: string, ignoring = true): string[] {
  return [...searchPackages(root, ignoring).packages];
}

/** What a search found. Paths are relative to its root, with slashes, and sorted. */
export interface FoundPackages {
  readonly packages: readonly string[];
  /** Symbolic links outside packages, which it did not follow. */
  readonly links: readonly string[];
  /** Whether a .krmignore excluded what could contain a package. */
  readonly isIgnoring: boolean;
}

/** Like {@link findPackages}, with what the search did not read. */
export function searchPackages(root: string, ignoring = true): FoundPackages {
  requireDirectory(root);
  const found: Finds = { packages: new Set(), links: new Set(), isIgnoring: false };
  const scope = { at: ".", rules: nothingIgnored };
  search(root, ".", { scope, configPaths: [], isInPackage: false, ignoring }, found);
  const sorted = (paths: ReadonlySet<string>) => [...paths].sort(compareText);
  return { packages: sorted(found.packages), links: sorted(found.links), isIgnoring: found.isIgnoring };
}

/** What a search has found so far. */
interface Finds {
  readonly packages: Set<string>;
  readonly links: Set<string>;
  isIgnoring: boolean;
}

/** Where the rules of a .krmignore apply. */
interface Scope {
  readonly at: string;
  readonly rules: KrmIgnore;
}

/** What applies to a directory because of the directories above it. */
interface Above {
  readonly scope: Scope;
  /** The configurations that Kptfiles name, relative to the root. */
  readonly configPaths: readonly string[];
  readonly isInPackage: boolean;
  readonly ignoring: boolean;
}

function search(root: string, at: string, above: Above, found: Finds): void {
  const { entries, unnamed } = listDirectory(join(root, at));
  const hasOwnScope = at === "." || entries.some(({ name }) => name === "Kptfile");
  const own = hasOwnScope ? scopeOf(root, at, above, found) : above.scope;
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const files = names.filter((name) => isOwnName(name, hasOwnScope) || !isIgnored(at, name, own));
  const kptfile = files.includes("Kptfile") ? readKptfile(root, posix.join(at, "Kptfile")) : undefined;
  const configPaths = (kptfile?.configPaths ?? []).map((path) => posix.join(at, path));
  // A package does not read a directory with a Kptfile inside it.
  const isInside = above.isInPackage && kptfile === undefined;
  const isPackage = kptfile?.isOurs === true || hasIdentity(root, at, files, { ...above, isInPackage: isInside });
  const isUnnamed = unnamed.some(
    ({ name, isDirectory }) => (isDirectory || isYaml(name)) && !isIgnored(at, `${name}${isDirectory ? "/" : ""}`, own),
  );
  // Reading the package reports the name.
  if (isPackage || isUnnamed) found.packages.add(at);
  const within: Above = {
    ...above,
    scope: isPackage && !hasOwnScope ? scopeOf(root, at, above, found) : own,
    configPaths: [...above.configPaths, ...configPaths],
    isInPackage: isPackage || isInside,
  };
  if (!within.isInPackage) noteSkipped(at, entries, files.length < names.length, found);
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name === ".git" || entry.name.startsWith(stagePrefix)) continue;
    if (isIgnored(at, `${entry.name}/`, within.scope)) found.isIgnoring = true;
    else searchBelow(root, posix.join(at, entry.name), within, found);
  }
}

function noteSkipped(at: string, entries: readonly Dirent[], isIgnoring: boolean, found: Finds): void {
  if (isIgnoring) found.isIgnoring = true;
  for (const entry of entries) if (entry.isSymbolicLink()) found.links.add(posix.join(at, entry.name));
}

// A .krmignore cannot hide the package that it is in.
function isOwnName(name: string, hasOwnScope: boolean): boolean {
  return name === "Kptfile" || (name === clusterIdentityFile && hasOwnScope);
}

// A directory that cannot be listed may be a package.
function searchBelow(root: string, at: string, above: Above, found: Finds): void {
  try {
    search(root, at, above, found);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT") return;
    found.packages.add(at);
  }
}

// If it is unknown what a .krmignore excludes, it excludes nothing here, and reading the package reports it.
function scopeOf(root: string, at: string, { ignoring }: Above, found: Finds): Scope {
  if (!ignoring) return { at, rules: nothingIgnored };
  try {
    return { at, rules: readKrmIgnore(join(root, at)) };
  } catch (error) {
    if (!isReadError(error)) throw error;
    found.packages.add(at);
    return { at, rules: nothingIgnored };
  }
}

function isIgnored(at: string, name: string, { at: top, rules }: Scope): boolean {
  return rules.ignores(posix.join(posix.relative(top, at), name));
}

/** What a Kptfile says about packages. */
interface Kptfile {
  /** Its pipeline contains a function of this project, or cannot be read. */
  readonly isOurs: boolean;
  readonly configPaths: readonly string[];
}

/** Reads what a Kptfile says about its pipeline. */
export function readKptfile(root: string, path: string): Kptfile {
  const text = textOf(join(root, path));
  const source = text === undefined ? undefined : parseDocuments(text);
  if (source === undefined || isProblem(source) || source.unread.size > 0) return { isOurs: true, configPaths: [] };
  const steps = documents(source).flatMap((node, index) => {
    const item = readItem(source, node, { path, index });
    return item.kind === "Kptfile" ? readPipeline(item).steps : [];
  });
  return { isOurs: steps.length > 0, configPaths: steps.flatMap(({ configPath }) => configPath ?? []) };
}

function hasIdentity(root: string, at: string, files: readonly string[], above: Above): boolean {
  if (files.includes(clusterIdentityFile)) return !above.configPaths.includes(posix.join(at, clusterIdentityFile));
  if (above.isInPackage) return false;
  return files.some((name) => isYaml(name) && isOfPackage(join(root, at, name)));
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

// Links are not followed. Other special files cannot be read.
function isOfPackage(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink()) return false;
  return holdsOurs(path);
}

/** Whether a file contains an object of this project, or may contain one because it cannot be read. */
export function holdsOurs(path: string): boolean {
  const text = textOf(path);
  if (text === undefined) return true;
  const isNamed = text.includes("ClusterIdentity") || text.includes("cloudcredential.dev");
  // YAML can spell a name with escapes.
  if (!isNamed && !(text.includes("\\") && namesWhatIsRead(text))) return false;
  return holdsItem(text, isOurs);
}

// A policy is for all packages below it.
function isOurs({ apiVersion, kind, annotations }: Item): boolean {
  const isOfPackage = groupOf(apiVersion) === "fn.cloudcredential.dev" && kind !== policyKind;
  return isOfPackage || annotations.has(generatedBy);
}

// Undefined if it cannot be read.
function textOf(path: string): string | undefined {
  try {
    return decodeUtf8(readBytes(path));
  } catch (error) {
    if (isReadError(error)) return undefined;
    throw error;
  }
}

function isReadError(error: unknown): boolean {
  return isSystemError(error) || error instanceof FindingsError;
}
