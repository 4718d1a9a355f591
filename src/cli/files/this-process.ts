import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";

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
  const boot = read("/proc/sys/kernel/random/boot_id")?.trim();
  const name = boot === undefined || boot === "" ? hostname() : `${boot}/${hostname()}`;
  return name.replace(/\s+/g, "_").slice(0, 255);
}

// Field 2 is the command's name in parentheses and may contain any character. Field 22 is the start time (proc(5)).
function kernelStart(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
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

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
