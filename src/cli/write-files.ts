import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "./errors.ts";
import type { FileChange } from "./file-change.ts";

/**
 * Where new files are written before they take their places: a directory of its own inside the package, so that the
 * move is one step.
 *
 * Nothing in it is ever read again. A run that was interrupted leaves each file of the package old or new, whole, and
 * the next run makes the same change from the same sources; what stands here is cleared away, whoever put it there.
 */
export const stageDirectory = ".ccf-render";

const ownerName = "process";

/** Writes changes, each file whole or not at all. Nothing is changed before everything has been written beside it. */
export function writeFiles(directory: string, changes: readonly FileChange[]): void {
  if (changes.length === 0) return;
  const stage = join(directory, stageDirectory);
  makeStage(stage);
  try {
    for (const [place, { path, after }] of changes.entries()) {
      if (after !== undefined) writeWhole(join(stage, String(place)), after, modeOf(join(directory, path)));
    }
    for (const [place, { path, after }] of changes.entries()) {
      const target = join(directory, path);
      if (after === undefined) {
        unlinkSync(target);
      } else {
        mkdirSync(dirname(target), { recursive: true });
        renameSync(join(stage, String(place)), target);
      }
    }
    for (const parent of new Set(changes.map(({ path }) => dirname(join(directory, path))))) syncDirectory(parent);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function makeStage(stage: string): void {
  try {
    mkdirSync(stage);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw busy();
    throw error;
  }
  try {
    writeWhole(join(stage, ownerName), `${process.pid}\n`, 0o644);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw error;
  }
}

/** Says whether an interrupted run left something behind. */
export function wasInterrupted(directory: string): boolean {
  const stage = join(directory, stageDirectory);
  const stat = lstatSync(stage, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isDirectory()) throw new UsageError(`${stageDirectory} is no directory; remove it`);
  if (isAtWork(stage)) throw busy();
  return true;
}

/** Clears away what an interrupted run left behind. */
export function clearInterrupted(directory: string): void {
  rmSync(join(directory, stageDirectory), { recursive: true, force: true });
}

// The run that made the directory may still be at work. In a container every run has the same number: its own. Without
// its newline a number was not written whole, and would be another process's.
function isAtWork(stage: string): boolean {
  try {
    const text = readFileSync(join(stage, ownerName), "utf8");
    const owner = /^[1-9]\d*\n$/.test(text) ? Number(text) : 0;
    return owner > 0 && owner !== process.pid && process.kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function busy(): UsageError {
  return new UsageError(`another "ccf render" is writing here; if none is, remove the directory ${stageDirectory}`);
}

function modeOf(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}

function writeWhole(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    const bytes = Buffer.from(text, "utf8");
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// A new name is on the disk only when its directory is. Some systems cannot do that for a directory, and do not need it.
function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EISDIR" && code !== "EPERM" && code !== "EINVAL" && code !== "ENOENT") throw error;
  }
}
