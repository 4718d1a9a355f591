import { lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../terminal/errors.ts";
import { writeAtomically } from "./atomic-write.ts";
import { isRunning, readRecord, recordText, thisProcess } from "./this-process.ts";

/** A directory that a command writes into. */
export interface WriteTarget {
  readonly directory: string;
  readonly command: "render" | "set" | "export" | "create-key-pair" | "update-requests";
}

/**
 * The stage: the directory where a command writes new files before it moves them into place. It is inside the directory
 * that the command writes to, so that each move is a single rename. Only its owner can read it.
 *
 * Files in the stage are never used again. After an interrupted run, each target file has either its old or its new
 * content. The next run clears the stage, whatever it contains, and writes the rest.
 */
export function stageDirectory(command: WriteTarget["command"]): string {
  // Two commands that write to a package must not run at the same time.
  return `.ccf-${command === "set" ? "render" : command}`;
}

const ownerName = "process";
const maxOwnerBytes = 1024;

/** Creates the stage and records this process as its owner. @returns its path. */
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

/** Whether an interrupted run left a stage. @throws UsageError if another run is writing. */
export function wasInterrupted(target: WriteTarget): boolean {
  const stage = stageOf(target);
  const stat = lstatSync(stage, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isDirectory()) throw new UsageError(`${stageDirectory(target.command)} is not a directory; remove it`);
  if (isAtWork(stage)) throw busy(target);
  return true;
}

/** Removes the stage, at the end of a run or after an interrupted run. */
export function clearStage(target: WriteTarget): void {
  rmSync(stageOf(target), { recursive: true, force: true });
}

function stageOf({ directory, command }: WriteTarget): string {
  return join(directory, stageDirectory(command));
}

// The run that created the stage may still be writing. A file of that name may also come with the package. So only a
// small regular file is read, and only the record of a running process counts.
function isAtWork(stage: string): boolean {
  const path = join(stage, ownerName);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > maxOwnerBytes) return false;
  const owner = readRecord(readFileSync(path, "utf8"));
  return owner !== undefined && isRunning(owner);
}

function busy({ command }: WriteTarget): UsageError {
  const stage = stageDirectory(command);
  return new UsageError(
    `another ${command === "set" ? '"ccf render" or "ccf set"' : `"ccf ${command}"`} is writing to this directory; if no such process is running, remove the directory ${stage}`,
  );
}
