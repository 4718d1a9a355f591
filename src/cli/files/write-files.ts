import { lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory, writeAtomically } from "./atomic-write.ts";
import type { FileChange } from "./file-change.ts";
import { clearStage, makeStage, type WriteTarget } from "./stage.ts";

/** Changes of which each must be on the disk before the next step begins. */
export interface WriteStep {
  readonly changes: readonly FileChange[];
  /** Directories that go where nothing is left in them, the innermost first. */
  readonly emptied?: readonly string[];
}

/**
 * Writes changes in steps, each file whole or not at all. Nothing is changed before everything has been written beside
 * it.
 *
 * Several steps are in order on the disk, too. One alone is not waited for: if the power fails, files of it can be lost, and
 * the next run writes them again.
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

// Somebody else's files may be in it, and it may be gone already.
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
