import { lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { allByKey } from "../../core/lookup.ts";
import { clearStage, makeStage, syncDirectory, type WriteTarget, writeAtomically } from "./stage.ts";

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
  const { directory } = target;
  const changes = steps.flatMap((step) => step.changes);
  if (changes.length === 0) return;
  const stage = makeStage(target);
  const staged = new Map(changes.map((change, index) => [change, join(stage, String(index))]));
  const isOrdered = steps.length > 1;
  try {
    for (const [change, file] of staged) stageFile(directory, change, file, isOrdered);
    for (const step of steps) {
      moveIntoPlace(directory, step, staged);
      for (const path of step.emptied ?? []) removeEmpty(join(directory, path));
      if (isOrdered) for (const parent of parentsOf(directory, step.changes)) syncDirectory(parent);
    }
  } finally {
    clearStage(target);
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
export function changeLines(changes: readonly FileChange[]): string[] {
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
