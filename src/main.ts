import { fstatSync } from "node:fs";
import { basename } from "node:path";
import { generators } from "../functions/generators.ts";
import { main } from "./cli/main.ts";
import { runOnStdio } from "./krm/stdio.ts";

/*
 * Which function runs: the first argument, when it is a function's name; the name that the program was called by; else
 * all generators, which is what a ClusterIdentity asks for. Anything else on the command line is a command of `ccf`.
 *
 * A generator starts at every render, so everything else stands behind `main`: what only commands and other functions
 * need is compiled, and asked of Node, when one of them runs.
 */
const args = process.argv.slice(2);
const called = basename(process.argv[1] ?? "");
const [named = called, ...more] = args;
// Another function's name has a hyphen, too.
const mayBeOther = args.length > 0 || called.includes("-");
const generator = more.length === 0 ? generators.find(({ name }) => name === named) : undefined;

if (generator !== undefined) process.exitCode = runOnStdio([generator]);
else if (!mayBeOther && !isTerminal()) process.exitCode = runOnStdio(generators);
else void main(args, called, isTerminal());

// The descriptor is asked first: `process.stdin` would load streams, sockets and terminals to say the same.
function isTerminal(): boolean {
  return fstatSync(0).isCharacterDevice() && process.stdin.isTTY;
}
