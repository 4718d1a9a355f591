import { fstatSync } from "node:fs";
import { basename } from "node:path";
import { generators } from "../functions/generators.ts";
import { runOnStdio } from "./krm/stdio.ts";

/*
 * Selects what runs: the function that the first argument names; otherwise the function that the program was called as;
 * otherwise, on a pipe, all generators. Any other command line is a command of `ccf`.
 *
 * Generators start at every render, so the code of commands and of other functions is in other parts of the program,
 * which are loaded only when one of them runs.
 */
const args = process.argv.slice(2);
const called = basename(process.argv[1] ?? "");
const [named = called, ...more] = args;
// Names of other functions contain a hyphen too.
const mayBeOther = args.length > 0 || called.includes("-");
const generator = more.length === 0 ? generators.find(({ name }) => name === named) : undefined;

if (generator !== undefined) process.exitCode = runOnStdio([generator]);
else if (!mayBeOther && !isTerminal()) process.exitCode = runOnStdio(generators);
else void import("./cli/main.ts").then(({ main }) => main(args, called, isTerminal()));

// Checks the descriptor first: `process.stdin` would load streams, sockets and terminals for the same answer.
function isTerminal(): boolean {
  return fstatSync(0).isCharacterDevice() && process.stdin.isTTY;
}
