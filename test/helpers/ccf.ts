import { fileURLToPath } from "node:url";
import { type Run, type RunOptions, run as runProgram } from "./programs.ts";

export type { Run };

/** The bundle that users run; `npm test` builds it first. */
export const ccf = fileURLToPath(new URL("../../dist/ccf", import.meta.url));

/** Runs the built `ccf` as a user does: arguments, standard input, and nothing of this process's environment but PATH. */
export function run(args: readonly string[], options: RunOptions = {}): Run {
  return runProgram(process.execPath, [ccf, ...args], options);
}
