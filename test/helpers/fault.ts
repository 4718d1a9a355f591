import { type SpawnSyncReturns, spawnSync } from "node:child_process";
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

/** How many changes of the file system a run makes, which is made. */
export function countChanges(args: readonly string[]): number {
  const { status, stderr } = runWithFault("count", 0, args);
  if (status !== 0) throw new Error(stderr);
  return Number(/calls: (\d+)/.exec(stderr)?.[1]);
}
