import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";

/** What tells a process from every other one: numbers are given to processes anew, and by every machine. */
export interface ProcessRecord {
  readonly pid: number;
  /** Of one machine, from when it started to when it stops. */
  readonly machine: string;
  /** When the process started: by the clock of the kernel where it says so, otherwise in milliseconds since 1970. */
  readonly started: number;
}

/** This process, as another one can tell it from those that will have its number. */
export function thisProcess(): ProcessRecord {
  const started = kernelStart(process.pid) ?? Math.round(Date.now() - process.uptime() * 1000);
  return { pid: process.pid, machine: thisMachine(), started };
}

/**
 * Says whether the process of a record is running on this machine. Where the system does not say when a process started,
 * one that has its number is taken for it, unless the machine has started since.
 */
export function isRunning(record: ProcessRecord): boolean {
  if (record.machine !== thisMachine() || !hasProcess(record.pid)) return false;
  const started = kernelStart(record.pid);
  if (started !== undefined) return started === record.started;
  if (kernelStart(process.pid) !== undefined) return true;
  const machineStarted = Date.now() - uptime() * 1000;
  return record.started >= machineStarted && record.started <= Date.now() && record.pid !== process.pid;
}

/** A record from its text, or undefined for any other text. */
export function readRecord(text: string): ProcessRecord | undefined {
  const [, pid, started, machine] = /^([1-9]\d{0,9}) (\d{1,15}) (\S{1,255})\n$/.exec(text) ?? [];
  return machine === undefined ? undefined : { pid: Number(pid), started: Number(started), machine };
}

export function recordText({ pid, started, machine }: ProcessRecord): string {
  return `${pid} ${started} ${machine}\n`;
}

// Linux gives each start of a machine a number of its own (random(4), "boot_id"). A container, which numbers its
// processes by itself, shows the same, and has another host name.
function thisMachine(): string {
  const boot = read("/proc/sys/kernel/random/boot_id")?.trim();
  const name = boot === undefined || boot === "" ? hostname() : `${boot}/${hostname()}`;
  return name.replace(/\s+/g, "_").slice(0, 255);
}

// The second field is the command's name in parentheses, which may hold any character; the start is the 22nd (proc(5)).
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
