import { fstatSync } from "node:fs";
import { basename } from "node:path";
import { generators } from "../functions/generators.ts";
import { runOnStdio } from "./krm/stdio.ts";

/**
 * Selects what runs: the function that the first argument names; otherwise the function that the program was called as;
 * otherwise, on a pipe, all generators. Any other command line is a command of `ccf`.
 *
 * Generators start at every render, so the code of commands and of other functions is in other parts of the program,
 * which are loaded only when one of them runs.
 *
 * @param args what follows the name of the program.
 */
export function start(args: readonly string[]): void {
  const called = basename(calledAs());
  const [named = called, ...more] = args;
  // Names of other functions contain a hyphen too.
  const mayBeOther = args.length > 0 || called.includes("-");
  const generator = more.length === 0 ? generators.find(({ name }) => name === named) : undefined;

  if (generator !== undefined) process.exitCode = runOnStdio([generator]);
  else if (!mayBeOther && !isTerminal()) process.exitCode = runOnStdio(generators);
  else void import("./cli/main.ts").then(({ main }) => main(args, called, isTerminal()));
}

// An executable has its own code as the script, at a path that only Bun can read. The name that it was called by is in front of it.
function calledAs(): string {
  const [, script = ""] = process.argv;
  return script.startsWith("/$bunfs/") ? process.argv0 : script;
}

// Checks the descriptor first: `process.stdin` would load streams, sockets and terminals for the same answer.
function isTerminal(): boolean {
  return fstatSync(0).isCharacterDevice() && process.stdin.isTTY;
}
