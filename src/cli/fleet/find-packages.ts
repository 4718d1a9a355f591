import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import ignore, { type Ignore } from "ignore";
import { compareText } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/find.ts";
import { readItem } from "../../krm/item.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { decodeUtf8 } from "../../yaml/decode.ts";
import { parseDocuments } from "../../yaml/parse-documents.ts";
import { documents, isProblem } from "../../yaml/source.ts";
import { readBytes } from "../files/read-bytes.ts";
import { requireDirectory } from "../files/require-directory.ts";
import { readPipeline } from "../render/kptfile.ts";

/** The file of a package's ClusterIdentity, as `ccf init` names it. */
const identityFile = "cluster-identity.yaml";

/** The start of the names of directories in which commands stage files: see files/stage.ts. */
const stagePrefix = ".ccf-";

/**
 * The packages at or below a directory, as paths relative to it with slashes, sorted; "." is the directory itself. A
 * package is a directory
 *
 * - with a Kptfile whose pipeline contains a function of this project,
 * - with a file `cluster-identity.yaml`, if the Kptfile of a package above it does not name this file, or
 * - outside of packages, with another YAML file that contains a ClusterIdentity.
 *
 * A file that cannot be read counts as the file that it may be: the package then fails, and is not missing. `.git` and
 * symbolic links are not followed. `.krmignore` applies to everything below its directory.
 *
 * @throws UsageError if it is not a directory
 */
export function findPackages(root: string): string[] {
  requireDirectory(root);
  const found: string[] = [];
  search(root, ".", { rules: [], configPaths: [], isInPackage: false }, found);
  return found.sort(compareText);
}

/** What applies to a directory because of the directories above it. */
interface Above {
  /** The rules of each .krmignore, with the directory that it is in. */
  readonly rules: readonly { readonly at: string; readonly rules: Ignore }[];
  /** The configurations that Kptfiles name, relative to the root. */
  readonly configPaths: readonly string[];
  readonly isInPackage: boolean;
}

function search(root: string, at: string, above: Above, found: string[]): void {
  const entries = readdirSync(join(root, at), { withFileTypes: true });
  const rules = [...above.rules, ...rulesIn(root, at, entries)];
  const kept = entries.filter((entry) => !isIgnored(posix.join(at, entry.name), entry.isDirectory(), rules));
  const files = kept.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const kptfile = files.includes("Kptfile") ? readKptfile(root, posix.join(at, "Kptfile")) : undefined;
  const configPaths = (kptfile?.configPaths ?? []).map((path) => posix.join(at, path));
  const isPackage = kptfile?.isOurs === true || hasIdentity(root, at, files, above);
  if (isPackage) found.push(at);
  const within: Above = {
    rules,
    configPaths: [...above.configPaths, ...configPaths],
    isInPackage: above.isInPackage || isPackage,
  };
  for (const entry of kept) {
    if (!entry.isDirectory() || entry.name === ".git" || entry.name.startsWith(stagePrefix)) continue;
    searchBelow(root, posix.join(at, entry.name), within, found);
  }
}

// A directory that cannot be listed may be a package.
function searchBelow(root: string, at: string, above: Above, found: string[]): void {
  try {
    search(root, at, above, found);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT") return;
    found.push(at);
  }
}

function rulesIn(root: string, at: string, entries: readonly Dirent[]): Above["rules"] {
  if (!entries.some(({ name }) => name === ".krmignore")) return [];
  const path = join(root, at, ".krmignore");
  // Reading the package reports any other kind of file.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  return [{ at, rules: ignore().add(readBytes(path).toString("utf8")) }];
}

function isIgnored(path: string, isDirectory: boolean, rules: Above["rules"]): boolean {
  return rules.some(({ at, rules }) => rules.ignores(`${posix.relative(at, path)}${isDirectory ? "/" : ""}`));
}

/** What a Kptfile says about packages. */
interface Kptfile {
  readonly isOurs: boolean;
  readonly configPaths: readonly string[];
}

function readKptfile(root: string, path: string): Kptfile {
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
  if (files.includes(identityFile)) return !above.configPaths.includes(posix.join(at, identityFile));
  if (above.isInPackage) return false;
  return files.some((name) => /\.ya?ml$/.test(name) && containsIdentity(join(root, at, name)));
}

function containsIdentity(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const text = textOf(path);
  if (!text?.includes("ClusterIdentity")) return false;
  const source = parseDocuments(text);
  if (isProblem(source)) return true;
  return documents(source).some((node) => source.unread.has(node) || isClusterIdentity(readItem(source, node)));
}

// Undefined if it cannot be read.
function textOf(path: string): string | undefined {
  try {
    return decodeUtf8(readBytes(path));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
