import { accessSync, constants, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { allByKey } from "../../core/resource.ts";
import { namesIn } from "./directory.ts";
import { blockedParent, fileFinding, foldCase, onlyCaseDiffers } from "./paths.ts";
import { readText } from "./read-bytes.ts";
import { clearStage, makeStage, syncDirectory, type WriteTarget, wasInterrupted, writeAtomically } from "./stage.ts";

/** Changes that must all be on disk before the next step begins. */
export interface WriteStep {
  readonly changes: readonly FileChange[];
  /** Directories to remove if they are empty, the innermost first. */
  readonly emptied?: readonly string[];
}

/**
 * Writes changes in steps, each file atomically. No file is changed before all new files have been written to the
 * stage.
 *
 * With more than one step, each step is flushed to disk before the next. A single step is not flushed: after a power
 * failure, some of its files can be missing, and the next run writes them again.
 */
export function writeFiles(target: WriteTarget, steps: readonly WriteStep[]): void {
  if (steps.some(({ changes }) => changes.length > 0)) planAndWrite(target, () => ({ steps }));
  else clearInterrupted(target);
}

/**
 * Plans changes and writes them as {@link writeFiles} does. From before the plan to the end, no other command can write to
 * the directory, so that the plan is made from what is replaced.
 *
 * @returns the plan
 * @throws UsageError if another run is writing.
 */
export function planAndWrite<Planned extends { readonly steps: readonly WriteStep[] }>(
  target: WriteTarget,
  plan: () => Planned,
): Planned {
  clearInterrupted(target);
  const stage = makeStage(target);
  try {
    const planned = plan();
    writeStaged(target.directory, stage, planned.steps);
    return planned;
  } finally {
    clearStage(target);
  }
}

function clearInterrupted(target: WriteTarget): void {
  if (wasInterrupted(target)) clearStage(target);
}

function writeStaged(directory: string, stage: string, steps: readonly WriteStep[]): void {
  const changes = steps.flatMap((step) => step.changes);
  const staged = new Map(changes.map((change, index) => [change, join(stage, String(index))]));
  const isOrdered = steps.length > 1;
  for (const [change, file] of staged) stageFile(directory, change, file, isOrdered);
  for (const step of steps) {
    moveIntoPlace(directory, step, staged);
    for (const path of step.emptied ?? []) removeEmpty(join(directory, path));
    if (isOrdered) for (const parent of parentsOf(directory, step.changes)) syncDirectory(parent);
  }
}

function stageFile(directory: string, { path, before, after, mode }: FileChange, file: string, sync: boolean): void {
  if (after === undefined) return;
  const old = before === undefined ? 0o644 : modeOf(join(directory, path));
  writeAtomically(file, after, mode ?? old, { exact: mode !== undefined, sync });
}

function moveIntoPlace(directory: string, { changes }: WriteStep, staged: ReadonlyMap<FileChange, string>): void {
  const made = changes.filter(({ after }) => after !== undefined);
  for (const parent of parentsOf(directory, made)) mkdirSync(parent, { recursive: true });
  for (const change of changes) {
    const target = join(directory, change.path);
    if (change.after === undefined) unlinkSync(target);
    else renameSync(staged.get(change) as string, target);
  }
}

function parentsOf(directory: string, changes: readonly FileChange[]): ReadonlySet<string> {
  return new Set(changes.map(({ path }) => dirname(join(directory, path))));
}

// The directory may contain files of others, or may already have been removed.
function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
}

function modeOf(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}

/** A file that a command changes; `before` is undefined for a new file, `after` for a file to remove. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The permissions to set; if undefined, an existing file keeps its permissions and a new file gets the default. */
  readonly mode?: number;
}

/** The kind of a change. */
export type ChangeKind = "added" | "changed" | "removed";

/** The paths of changed files, by the kind of change. */
export function changedPaths(changes: readonly FileChange[]): Record<ChangeKind, string[]> {
  const paths: Record<ChangeKind, string[]> = { added: [], changed: [], removed: [] };
  for (const change of changes) paths[kindOf(change)].push(change.path);
  return paths;
}

function kindOf({ before, after }: FileChange): ChangeKind {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

const maxListed = 12;

/** Changes for people: a line for each file or, if there are many files, for each directory. */
export function fileChangeLines(changes: readonly FileChange[]): string[] {
  return Object.entries(changedPaths(changes)).flatMap(([kind, paths]) => {
    const listed = paths.length <= maxListed ? paths : byDirectory(paths);
    return listed.map((path) => `${kind.padEnd(8)} ${path}`);
  });
}

function byDirectory(paths: readonly string[]): string[] {
  return [...allByKey(paths, posix.dirname)].flatMap(([directory, group]) =>
    group.length === 1 ? group : [`${directory}/ (${countFiles(group.length)})`],
  );
}

/** `1 file`, `2 files`. */
export function countFiles(count: number): string {
  return `${count} file${count === 1 ? "" : "s"}`;
}

/**
 * Finds what prevents a write before the first change is written: a symbolic link or a file in place of a needed
 * directory (a write could leave the target), a path that differs from another one only in upper and lower case, an existing file that was not read before, a file that another program
 * changed since it was read, a file or directory without write permission.
 */
export function writeProblems(target: WriteTarget, changes: readonly FileChange[]): Finding[] {
  // Thousands of files share a few directories.
  const parents = new Map<string, Parent>();
  const parentOf = (path: string): Parent => {
    const name = posix.dirname(path);
    const parent = parents.get(name) ?? readParent(target.directory, path);
    parents.set(name, parent);
    return parent;
  };
  return [
    ...caseProblems(target.directory, changes),
    ...changes.flatMap((change) => problemOf(target, change, parentOf(change.path)) ?? []),
  ];
}

// A new file would replace another one, or land in another directory, where the file system does not distinguish upper and
// lower case.
function caseProblems(directory: string, changes: readonly FileChange[]): Finding[] {
  const added = changes.flatMap(({ path, before, after }) =>
    before === undefined && after !== undefined ? [path] : [],
  );
  if (added.length === 0) return [];
  const removed = new Set(changes.flatMap(({ path, after }) => (after === undefined ? [path] : [])));
  const present = new Map<string, readonly string[]>();
  const besides = added.flatMap((path) =>
    path.split("/").flatMap((_, index, steps) => {
      const parent = steps.slice(0, index).join("/");
      const names = present.get(parent) ?? namesInside(join(directory, parent));
      present.set(parent, names);
      const name = steps.slice(0, index + 1).join("/");
      return [name, ...names.map((other) => posix.join(parent, other)).filter((other) => isCaseOf(name, other))];
    }),
  );
  return onlyCaseDiffers(besides.filter((path) => !removed.has(path)));
}

function isCaseOf(path: string, other: string): boolean {
  return path !== other && foldCase(path) === foldCase(other);
}

function namesInside(directory: string): readonly string[] {
  try {
    return namesIn(directory);
  } catch {
    // It does not exist, or the check of the parent reports it.
    return [];
  }
}

/** The state of a parent directory. */
interface Parent {
  readonly blocked: string | undefined;
  readonly nearest: string;
  readonly isWritable: boolean;
}

function readParent(directory: string, path: string): Parent {
  const blocked = blockedParent(directory, path);
  const nearest = blocked ?? nearestParent(directory, path);
  return { blocked, nearest, isWritable: isWritable(join(directory, nearest)) };
}

function problemOf(
  { directory, command }: WriteTarget,
  { path, before, after }: FileChange,
  parent: Parent,
): Finding | undefined {
  const file = join(directory, path);
  if (after !== undefined && parent.blocked !== undefined) return wayBlocked(path, parent.blocked);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (before === undefined && stat !== undefined) {
    const message =
      "is needed, but something that is not part of the package already exists there; move it away, or remove it from .krmignore.";
    return fileFinding("error", "path-taken", path, message);
  }
  if (before !== undefined && (!stat?.isFile() || readText(file) !== before)) {
    const message = `was changed by another program during the run; ${command} again.`;
    return fileFinding("error", "file-changed", path, message);
  }
  const isOwnFault = stat !== undefined && !isWritable(file);
  const obstacle = isOwnFault ? path : parent.isWritable ? undefined : parent.nearest;
  if (obstacle === undefined) return undefined;
  return fileFinding(
    "error",
    "file-not-writable",
    obstacle,
    `is not writable; change its permissions, or ${command} as its owner.`,
  );
}

/** The finding about a file or symbolic link in place of a parent directory, if there is one. */
export function blockedProblem(directory: string, path: string): Finding | undefined {
  const blocked = blockedParent(directory, path);
  return blocked === undefined ? undefined : wayBlocked(path, blocked);
}

function wayBlocked(path: string, blocked: string): Finding {
  const message = `requires the directory "${blocked}", but that is a file or a symbolic link; move it away.`;
  return fileFinding("error", "path-taken", path, message);
}

function nearestParent(directory: string, path: string): string {
  let parent = posix.dirname(path);
  while (parent !== "." && lstatSync(join(directory, parent), { throwIfNoEntry: false }) === undefined)
    parent = posix.dirname(parent);
  return parent;
}

/** Whether this process may write a file or directory. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Clears the stage of an interrupted run. If nothing may be written, reports the interrupted run instead.
 *
 * @param commandLine the command line that finishes the interrupted run.
 */
export function afterInterruption(
  code: FindingCode,
  target: WriteTarget,
  writes: boolean,
  commandLine: string,
): Finding[] {
  if (!wasInterrupted(target)) return [];
  if (writes) clearStage(target);
  const then = writes ? "This run finishes it." : `Run "${commandLine}" to finish it.`;
  const message = `An earlier run was interrupted; each file has either its old or its new content. ${then}`;
  return [finding("warning", code, message)];
}
