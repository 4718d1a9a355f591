import { lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../terminal/errors.ts";
import { writeAtomically } from "./atomic-write.ts";
import { isRunning, readRecord, recordText, thisProcess } from "./this-process.ts";

/** A directory that a command writes into. */
export interface WriteTarget {
  readonly directory: string;
  readonly command: "render" | "export" | "create-key-pair";
}

/**
 * Where a command writes new files before they take their places: a directory of its own inside the one that it writes
 * to, so that the move is one step. Nobody but its owner may look into it.
 *
 * Nothing in it is ever read again. A run that was interrupted leaves each file old or new, whole, and the next run does
 * the rest; what stands here is cleared away, whoever put it there.
 */
export function stageDirectory(command: WriteTarget["command"]): string {
  return `.ccf-${command}`;
}

const ownerName = "process";
const maxOwnerBytes = 1024;

/** Makes the stage, and says in it which process is at work. @returns its path. */
export function makeStage(target: WriteTarget): string {
  const stage = stageOf(target);
  try {
    mkdirSync(stage, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw busy(target);
    throw error;
  }
  try {
    writeAtomically(join(stage, ownerName), recordText(thisProcess()), 0o644, { sync: false });
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw error;
  }
  return stage;
}

/** Says whether an interrupted run left something behind. */
export function wasInterrupted(target: WriteTarget): boolean {
  const stage = stageOf(target);
  const stat = lstatSync(stage, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isDirectory()) throw new UsageError(`${stageDirectory(target.command)} is no directory; remove it`);
  if (isAtWork(stage)) throw busy(target);
  return true;
}

/** Clears the stage away: at the end of a run, or what an interrupted one left behind. */
export function clearStage(target: WriteTarget): void {
  rmSync(stageOf(target), { recursive: true, force: true });
}

function stageOf({ directory, command }: WriteTarget): string {
  return join(directory, stageDirectory(command));
}

// The run that made the directory may still be at work. What else has the file's name, such as one that came with the
// package, says nothing: only a small regular file is read, and only a process that runs stops another.
function isAtWork(stage: string): boolean {
  const path = join(stage, ownerName);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > maxOwnerBytes) return false;
  const owner = readRecord(readFileSync(path, "utf8"));
  return owner !== undefined && isRunning(owner);
}

function busy({ command }: WriteTarget): UsageError {
  const stage = stageDirectory(command);
  return new UsageError(`another "ccf ${command}" is writing here; if none is, remove the directory ${stage}`);
}
