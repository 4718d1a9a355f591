import { lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory, writeAtomically } from "./atomic-write.ts";
import type { FileChange } from "./file-change.ts";
import { clearStage, makeStage, type WriteTarget } from "./stage.ts";

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
