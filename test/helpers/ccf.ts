import { chmodSync, cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireFresh } from "./fresh.ts";
import { type Run, type RunOptions, run as runProgram } from "./programs.ts";
import { Resident } from "./resident/index.ts";

export type { Run };

/** The program as npm installs it; `npm test` builds it first. */
export const ccf = requireFresh(fileURLToPath(new URL("../../dist/ccf", import.meta.url)), "npm run build");

const { CCF_EXECUTABLE } = process.env;
/** The executable that the tests run instead, if there is one. `npm run test:all` runs them with each form of the program. */
export const executable =
  CCF_EXECUTABLE === undefined ? undefined : requireFresh(CCF_EXECUTABLE, "npm run build:standalone");

/** How to start the program with arguments: what `spawn` and the like take. */
export function commandLine(...args: readonly string[]): [program: string, args: string[]] {
  return executable === undefined ? [process.execPath, [ccf, ...args]] : [executable, [...args]];
}

/** Copies the program with its parts into a directory, as users may, and returns the path of the copy. */
export function copyProgram(directory: string, name = "ccf"): string {
  const program = join(directory, name);
  cpSync(ccf, program);
  chmodSync(program, 0o755);
  cpSync(join(dirname(ccf), "parts"), join(directory, "parts"), { recursive: true });
  return program;
}

const resident = new Resident(ccf);

/**
 * Runs the built `ccf` with arguments, standard input, and nothing of this process's environment but PATH, in a thread
 * that stays: for everything but what only a process shows, a signal, a descriptor or a flag of Node. That is
 * {@link runProcess}'s.
 */
export function run(args: readonly string[], options: RunOptions = {}): Run {
  if (executable !== undefined) return runProcess(args, options);
  return resident.run(args, { ...options, env: { PATH: process.env["PATH"], ...options.env } });
}

/** Runs the built `ccf` as a user does, in a process of its own. */
export function runProcess(args: readonly string[], options: RunOptions = {}): Run {
  return runProgram(...commandLine(...args), options);
}
