import { type Dirent, lstatSync } from "node:fs";
import { join, posix } from "node:path";
import { cloudOfPath } from "../../clouds/index.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { moduleDirectory } from "../../clouds/terraform.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isConfigObject } from "../../openshift/config-objects.ts";
import { entriesIn } from "../files/directory.ts";
import { blockedParent, fileFinding } from "../files/paths.ts";
import { readBytes, readText } from "../files/read-bytes.ts";
import { stageDirectory } from "../files/stage.ts";
import { blockedProblem, type FileChange, type WriteStep } from "../files/write-files.ts";
import {
  bothLists,
  type ExportedFile,
  type ExportList,
  exportTops,
  listedDigest,
  listPath,
  readList,
  writeList,
} from "../package/export-files.ts";
import { isForCluster } from "../package/manifests.ts";
import type { Package } from "../package/package-files.ts";
import { otherOwner, ownerPaths } from "./export-directory.ts";
import { isNamespace, namespacePath } from "./installable.ts";

/** The mode of every file of an export, whatever the umask. */
const fileMode = 0o644;

/** The changes of an export to its directory. If a finding is an error, nothing is changed. */
export interface ExportPlan {
  /** Sorted by path, without unchanged files. */
  readonly changes: readonly FileChange[];
  /** The same changes, in an order that allows an interruption at any point. */
  readonly steps: readonly WriteStep[];
  readonly findings: readonly Finding[];
}

/**
 * Compares an export's directory with the files to export. Only files that an export wrote are ever changed or removed:
 * they are in its list with their current digest.
 *
 * @param replace the owner of another export that may be overwritten.
 */
export function planExport(directory: string, files: readonly ExportedFile[], replace?: string): ExportPlan {
  const old = readOldList(directory);
  if ("severity" in old) return { changes: [], steps: [], findings: [old] };
  const other = otherOwner(directory, files, old.list, replace);
  if (other !== undefined) return { changes: [], steps: [], findings: [other] };
  const list: ExportList = new Map(files.map(({ path, text }) => [path, [listedDigest(text)]]));
  // If a parent of a listed file is now a symbolic link, the exported file no longer exists.
  const leaving = [...old.list.keys()].filter((path) => !list.has(path) && !blockedParent(directory, path));
  const looks = [
    ...files.map((file) => lookAtWanted(directory, file, list.get(file.path)?.[0] ?? "", old.list)),
    ...leaving.map((path) => lookAtLeaving(directory, path, old.list)),
  ];
  const findings = looks.filter((look) => look !== undefined && "severity" in look) as Finding[];
  const changes = looks.filter((look) => look !== undefined && "path" in look) as FileChange[];
  const both = writeList(bothLists(old.list, list));
  const done = writeList(list);
  return {
    changes: [...changes, ...listChange(old.text, done)].sort((a, b) => compareText(a.path, b.path)),
    // During the export, the list contains the old and the new digests, so that the next export recognizes every file
    // after an interruption.
    steps: [
      { changes: listChange(old.text, both) },
      { changes, emptied: directoriesOf(leaving) },
      { changes: listChange(both, done) },
    ],
    findings: [...findings, ...strayFindings(directory, [...list.keys()], leaving)],
  };
}

function readOldList(directory: string): { text: string | undefined; list: ExportList } | Finding {
  const path = join(directory, listPath);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { text: undefined, list: new Map() };
  const text = stat.isFile() ? readText(path) : undefined;
  const list = text === undefined ? undefined : readList(text);
  if (list !== undefined) return { text, list };
  const message = "is not the list of an export; move it away, or export to a separate directory.";
  return fileFinding("error", "export-list-invalid", listPath, message);
}

function listChange(before: string | undefined, after: string): FileChange[] {
  return before === after ? [] : [{ path: listPath, before, after, mode: fileMode }];
}

/** What exists at a path: nothing, a file with its contents, or something else. */
function look(directory: string, path: string): "nothing" | "something" | { bytes: Buffer; mode: number } {
  const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (stat === undefined) return "nothing";
  return stat.isFile() ? { bytes: readBytes(join(directory, path)), mode: stat.mode & 0o777 } : "something";
}

function lookAtWanted(
  directory: string,
  { path, text: after }: ExportedFile,
  wanted: string,
  list: ExportList,
): FileChange | Finding | undefined {
  const blocked = blockedProblem(directory, path);
  if (blocked !== undefined) return blocked;
  const found = look(directory, path);
  if (found === "nothing") return { path, before: undefined, after, mode: fileMode };
  const digest = found === "something" ? "" : listedDigest(found.bytes);
  if (found === "something" || (digest !== wanted && !list.get(path)?.includes(digest))) {
    if (list.has(path)) return edited(path);
    const message =
      "is needed, but something that no export wrote already exists there; move it away, or export to a separate directory.";
    return fileFinding("error", "path-taken", path, message);
  }
  if (digest === wanted && found.mode === fileMode) return undefined;
  return { path, before: found.bytes.toString("utf8"), after, mode: fileMode };
}

function lookAtLeaving(directory: string, path: string, list: ExportList): FileChange | Finding | undefined {
  const found = look(directory, path);
  if (found === "nothing") return undefined;
  if (found === "something" || !list.get(path)?.includes(listedDigest(found.bytes))) return edited(path);
  return { path, before: found.bytes.toString("utf8"), after: undefined };
}

function edited(path: string): Finding {
  const message =
    "was changed after the export and is not overwritten. Make the change in the package, move the file away, and export again.";
  return fileFinding("error", "export-file-edited", path, message);
}

/** All parent directories of files, the innermost first. */
function directoriesOf(paths: readonly string[]): string[] {
  return [...parentsOf(paths)].sort((a, b) => b.length - a.length || compareText(a, b));
}

const maxNamed = 8;

/**
 * Reports what is in an export's directory but not part of the export: an error for each entry that looks like a part
 * of it, and a warning or a note that names the others.
 *
 * @param staying the files of the export.
 * @param leaving files of an earlier export that this export removes.
 */
function strayFindings(directory: string, staying: readonly string[], leaving: readonly string[]): Finding[] {
  const own = { files: new Set([...staying, ...leaving]), parents: parentsOf([...staying, ...leaving]) };
  const strays = exportTops.flatMap((top) => straysBelow(directory, top, own));
  const parents = parentsOf(staying);
  const applied = new Set(strays.filter((stray) => isApplied(stray, parents)));
  const others = strays.filter((stray) => !applied.has(stray)).map(({ path }) => path);
  const message = (path: string) =>
    `is not part of this export, but ${isOfModule(path) ? "Terraform would apply it" : "looks like a part of it"}; move it away.`;
  return [
    ...[...applied].map(({ path }) => fileFinding("error", "export-unlisted-input", path, message(path))),
    ...notApplied(others, topsOf(directory)),
  ];
}

function notApplied(inside: readonly string[], outside: readonly string[]): Finding[] {
  const all = [...inside, ...outside];
  if (all.length === 0) return [];
  const named = all.slice(0, maxNamed).map(quoteWhole).join(", ");
  const more = all.length > maxNamed ? `, and ${all.length - maxNamed} more` : "";
  const message = `The directory contains files that are not part of this export: ${named}${more}. They were not changed. A tool that applies the whole directory would apply them too; move away what does not belong there.`;
  return [finding(inside.length > 0 ? "warning" : "info", "export-unlisted-files", message)];
}

interface Stray {
  /** With a trailing slash for a directory. */
  readonly path: string;
  readonly isFile: boolean;
}

// A reader of the export takes every identity directory, and the input files in it, for what is applied.
function isApplied({ path, isFile }: Stray, parents: ReadonlySet<string>): boolean {
  const [top = "", below = "", name = "", inside = ""] = path.split("/");
  if (isOfModule(path)) return true;
  const cloud = inspectors.find((inspector) => inspector.name === top);
  const isIdentities = cloud?.identityDirectory === `${top}/${below}`;
  if (cloud === undefined || !(isIdentities || below === "issuer")) return false;
  if (name === "" || (isIdentities && inside === "")) return !isFile && !name.startsWith(".");
  if (isIdentities && !parents.has(`${top}/${below}/${name}`)) return true;
  return path.endsWith(".json");
}

/** The files of an export, and the directories that contain them, directly or not. */
interface Own {
  readonly files: ReadonlySet<string>;
  readonly parents: ReadonlySet<string>;
}

/** Whether Terraform or OpenTofu would read a file as a part of the module. */
function isOfModule(path: string): boolean {
  return posix.dirname(path) === moduleDirectory && /\.(?:tf|tofu)(?:\.json)?$/.test(path);
}

function straysBelow(directory: string, path: string, own: Own): Stray[] {
  return entriesOf(join(directory, path)).flatMap((entry): Stray[] => {
    const below = posix.join(path, entry.name);
    if (own.files.has(below)) return [];
    if (!entry.isDirectory()) return [{ path: below, isFile: entry.isFile() }];
    return own.parents.has(below) ? straysBelow(directory, below, own) : [{ path: `${below}/`, isFile: false }];
  });
}

/** All directories that contain files, directly or not. */
function parentsOf(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const path of paths) {
    let parent = posix.dirname(path);
    for (; parent !== "." && !all.has(parent); parent = posix.dirname(parent)) all.add(parent);
  }
  return all;
}

function topsOf(directory: string): string[] {
  const own = [...exportTops, listPath, stageDirectory("export"), ".git"];
  return entriesOf(directory)
    .filter(({ name }) => !own.includes(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
}

// If the export needs a directory, a symbolic link in its place was already reported.
function entriesOf(directory: string): Dirent[] {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return entriesIn(directory);
}

/**
 * A note that names the objects for the cluster that are in the package but not in its export. The installer applies
 * the manifests of an export. A CloudCredential without the mode of a new cluster would change the mode of that
 * cluster.
 */
export function notExported({ files }: Package, exported: readonly ExportedFile[]): Finding[] {
  if (exported.length === 0) return [];
  const paths = new Set(exported.map(({ path }) => path));
  const isExported = (item: Item) =>
    isConfigObject(item, "Authentication") || (isNamespace(item) && paths.has(namespacePath(item.name)));
  const all = files
    .flatMap((file) => file.items)
    .filter(isForCluster)
    .filter((item) => !item.annotations.has(generatedBy) && !isExported(item))
    .map(({ kind, name, path = "" }) => `${kind} ${quoteWhole(name)} (${quoteWhole(path)})`);
  if (all.length === 0) return [];
  const more = all.length > maxNamed ? `, and ${all.length - maxNamed} more` : "";
  const named = `${all.slice(0, maxNamed).join(", ")}${more}`;
  const message = `Not exported: ${named}. An export contains only generated objects and the Namespaces of their Secrets, because the installer also uses it. Apply these objects to the running cluster yourself, for example with "oc apply -f FILE".`;
  return [finding("info", "not-exported", message)];
}

/**
 * An error if identities would be exported without the file that names the account or project, and the resources.
 */
export function missingCluster(files: readonly ExportedFile[]): Finding[] {
  const [cloud] = files.flatMap(({ path }) => cloudOfPath(path) ?? []);
  if (cloud === undefined || files.some(({ path }) => ownerPaths.includes(path))) return [];
  const message = `is missing; it tells which ${cloud.accountNoun} and which resources belong to the cluster. Add "generate-oidc-issuer", which generates it, to the pipeline of the Kptfile. Then render and export again.`;
  return [fileFinding("error", "cluster-bundle-missing", `${cloud.name}/cluster.yaml`, message)];
}

/** Warns if the policy for the administrator who applies an export allows anything in the account. */
export function adminPolicyFindings(files: readonly ExportedFile[]): Finding[] {
  return inspectors.flatMap(({ exports: { adminPolicy } }) => {
    const file = files.find(({ path }) => path === adminPolicy.path);
    if (file === undefined || !adminPolicy.isUnbounded(JSON.parse(file.text))) return [];
    const { code, message, bundlePath, field } = adminPolicy.unbounded;
    return [{ ...fileFinding("warning", code, bundlePath, message), ...(field === undefined ? {} : { field }) }];
  });
}
