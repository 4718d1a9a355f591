import { lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory, writeWhole } from "./atomic-write.ts";
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
 */
export function writeFiles(target: WriteTarget, steps: readonly WriteStep[]): void {
  const { directory } = target;
  const changes = steps.flatMap((step) => step.changes);
  if (changes.length === 0) return;
  const stage = makeStage(target);
  const staged = new Map(changes.map((change, place) => [change, join(stage, String(place))]));
  try {
    for (const [{ path, after, mode }, file] of staged) {
      if (after === undefined) continue;
      writeWhole(file, after, mode ?? modeOf(join(directory, path)), mode !== undefined);
    }
    for (const step of steps) {
      for (const change of step.changes) place(join(directory, change.path), change, staged);
      for (const path of step.emptied ?? []) removeEmpty(join(directory, path));
      const parents = step.changes.map(({ path }) => dirname(join(directory, path)));
      for (const parent of new Set(parents)) syncDirectory(parent);
    }
  } finally {
    clearStage(target);
  }
}

function place(target: string, change: FileChange, staged: ReadonlyMap<FileChange, string>): void {
  if (change.after === undefined) {
    unlinkSync(target);
  } else {
    mkdirSync(dirname(target), { recursive: true });
    renameSync(staged.get(change) as string, target);
  }
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
