import { execFile, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { ccf } from "./ccf.ts";

const preload = resolve("test/helpers/fault.cjs");

/**
 * Runs the built `ccf`, and at its change number `at` of the file system lets happen what `fault` says: "kill", or an
 * error's code. With "count" nothing happens, and the last line of standard error says how many changes there were.
 */
export function runWithFault(fault: string, at: number, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ["-r", preload, ccf, ...args], {
    env: { PATH: process.env["PATH"], FAULT: fault, FAULT_AT: String(at) },
    encoding: "utf8",
  });
}

/** How a run ended. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The same, for a command that makes requests to a server in this process. @param more its environment. */
export function startWithFault(
  fault: string,
  at: number,
  args: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<Ended> {
  const env = { PATH: process.env["PATH"], FAULT: fault, FAULT_AT: String(at), ...more };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ["-r", preload, ccf, ...args], { env }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
  });
}

/** How many changes of the file system a run makes, which is made. */
export function countChanges(args: readonly string[]): number {
  return changesIn(runWithFault("count", 0, args));
}

/** How many changes of the file system a run made with the fault "count". */
export function changesIn({ status, stderr }: Pick<Ended, "status" | "stderr">): number {
  if (status !== 0) throw new Error(stderr);
  return Number(/calls: (\d+)/.exec(stderr)?.[1]);
}
