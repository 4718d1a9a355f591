import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { UsageError } from "../terminal/errors.ts";

/** A directory that a command writes into. */
export interface WriteTarget {
  readonly directory: string;
  readonly command: "render" | "set" | "apply" | "export" | "create-key-pair" | "extract-release" | "update-requests";
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
  return `.ccf-${command === "set" || command === "apply" ? "render" : command}`;
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
  if (isAtWork(stage) || isStarting(stage)) throw busy(target);
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
  const owner = ownerOf(stage);
  return owner !== undefined && isRunning(owner);
}

function ownerOf(stage: string): ProcessRecord | undefined {
  const path = join(stage, ownerName);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= maxOwnerBytes ? readRecord(readFileSync(path, "utf8")) : undefined;
}

/** How long a run may need from the creation of its stage to its record, in milliseconds. */
const startTime = 50;

// Without a record, the run may have created its stage just now.
function isStarting(stage: string): boolean {
  if (ownerOf(stage) !== undefined) return false;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, startTime);
  return isAtWork(stage);
}

function busy({ command }: WriteTarget): UsageError {
  const stage = stageDirectory(command);
  // Several commands share one stage.
  const other = stage === stageDirectory("render") ? "another ccf command" : `another "ccf ${command}"`;
  return new UsageError(
    `${other} is writing to this directory. Wait until it ends, and run the same command again. If no such process is running, remove the directory ${stage}`,
  );
}

/**
 * Writes a new file, and fails if the path exists.
 *
 * @param how `exact` sets exactly the given permissions; otherwise the umask of the process applies. `sync` waits until
 *   the file is on disk.
 */
export function writeAtomically(
  path: string,
  text: string,
  mode: number,
  how: { exact?: boolean; sync?: boolean } = {},
): void {
  const { exact = false, sync = true } = how;
  const descriptor = openSync(path, "wx", mode);
  try {
    if (exact) fchmodSync(descriptor, mode);
    const bytes = Buffer.from(text, "utf8");
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    if (sync) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Flushes a directory to disk, because a new file name survives a crash only if its directory was flushed. Some systems
 * cannot flush a directory, and do not need it.
 */
export function syncDirectory(path: string): void {
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

/** Identifies a process uniquely, because process IDs are reused and every machine assigns its own. */
export interface ProcessRecord {
  readonly pid: number;
  /** Identifies the machine, from one boot to the next. */
  readonly machine: string;
  /** The start time of the process: in the kernel's clock if available, otherwise in milliseconds since 1970. */
  readonly started: number;
}

/** The record of this process. It differs from the records of later processes with the same ID. */
export function thisProcess(): ProcessRecord {
  const started = kernelStart(process.pid) ?? Math.round(Date.now() - process.uptime() * 1000);
  return { pid: process.pid, machine: thisMachine(), started };
}

/**
 * Whether the process of a record is running on this machine. If the system does not report start times, a process with
 * the same ID counts as the recorded process, unless the machine has booted since.
 */
export function isRunning(record: ProcessRecord): boolean {
  if (record.machine !== thisMachine() || !hasProcess(record.pid)) return false;
  const started = kernelStart(record.pid);
  if (started !== undefined) return started === record.started;
  if (kernelStart(process.pid) !== undefined) return true;
  const machineStarted = Date.now() - uptime() * 1000;
  return record.started >= machineStarted && record.started <= Date.now() && record.pid !== process.pid;
}

/** Reads the text of a record; undefined for any other text. */
export function readRecord(text: string): ProcessRecord | undefined {
  const [, pid, started, machine] = /^([1-9]\d{0,9}) (\d{1,15}) (\S{1,255})\n$/.exec(text) ?? [];
  return machine === undefined ? undefined : { pid: Number(pid), started: Number(started), machine };
}

export function recordText({ pid, started, machine }: ProcessRecord): string {
  return `${pid} ${started} ${machine}\n`;
}

// Linux assigns an ID to each boot (random(4), "boot_id"). A container has its own process IDs and shows the boot ID of
// its host, but has another host name.
function thisMachine(): string {
  const boot = textOfFile("/proc/sys/kernel/random/boot_id")?.trim();
  const name = boot === undefined || boot === "" ? hostname() : `${boot}/${hostname()}`;
  return name.replace(/\s+/g, "_").slice(0, 255);
}

// Field 2 is the command's name in parentheses and may contain any character. Field 22 is the start time (proc(5)).
function kernelStart(pid: number): number | undefined {
  const stat = textOfFile(`/proc/${pid}/stat`);
  const field = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return field !== undefined && /^\d{1,15}$/.test(field) ? Number(field) : undefined;
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function textOfFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
