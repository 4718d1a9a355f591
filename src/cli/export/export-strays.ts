import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { cloudOfPath } from "../../clouds/index.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { fileFinding } from "../files/package-files.ts";
import { stageDirectory } from "../files/stage.ts";
import { exportTops } from "./export-files.ts";
import { listPath } from "./export-list.ts";

const maxNamed = 8;

/**
 * Reports what is in an export's directory but not part of the export: an error for each entry that the scripts would
 * apply, and a warning or a note that names the others.
 *
 * @param staying the files of the export.
 * @param leaving files of an earlier export that this export removes.
 */
export function strayFindings(directory: string, staying: readonly string[], leaving: readonly string[]): Finding[] {
  const own = { files: new Set([...staying, ...leaving]), parents: parentsOf([...staying, ...leaving]) };
  const strays = exportTops.flatMap((top) => straysBelow(directory, top, own));
  const parents = parentsOf(staying);
  const applied = new Set(strays.filter((stray) => isApplied(stray, parents)));
  const others = strays.filter((stray) => !applied.has(stray)).map(({ path }) => path);
  const message = "is not part of this export, but the scripts would apply it; move it away.";
  return [
    ...[...applied].map(({ path }) => fileFinding("error", "export-unlisted-input", path, message)),
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
  /** With a slash at the end for a directory. */
  readonly path: string;
  readonly isFile: boolean;
}

// The scripts act on every identity directory, and what they do depends on the input files in it.
function isApplied({ path, isFile }: Stray, parents: ReadonlySet<string>): boolean {
  const [top = "", below = "", name = "", inside = ""] = path.split("/");
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

function straysBelow(directory: string, path: string, own: Own): Stray[] {
  return entriesOf(join(directory, path)).flatMap((entry): Stray[] => {
    const below = posix.join(path, entry.name);
    // A running script keeps its state in hidden files.
    if (own.files.has(below) || (path === cloudOfPath(path)?.name && entry.name.startsWith("."))) return [];
    if (!entry.isDirectory()) return [{ path: below, isFile: entry.isFile() }];
    return own.parents.has(below) ? straysBelow(directory, below, own) : [{ path: `${below}/`, isFile: false }];
  });
}

/** All directories that contain files, directly or not. */
export function parentsOf(paths: readonly string[]): ReadonlySet<string> {
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
  return readdirSync(directory, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
}
