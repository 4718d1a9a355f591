import { fstatSync } from "node:fs";
import { basename } from "node:path";
import { functionNamed, generators } from "../functions/registry.ts";
import { main } from "./cli/main.ts";
import { runOnList } from "./krm/run.ts";
import { readInput, writeOutput } from "./krm/stdio.ts";

/*
 * Which function runs: the first argument, when it is a function's name; the name that the program was called by; else
 * all of them, which is what a ClusterIdentity asks for. Anything else on the command line is a command of `ccf`.
 *
 * A function starts at every render, so what only commands need of Node is loaded by the commands; the rest of them is
 * text in the bundle that nobody compiles.
 */
const [first, ...rest] = process.argv.slice(2);
const called = basename(process.argv[1] ?? "");
const named = first === undefined ? undefined : functionNamed(first);
const fn = named ?? functionNamed(called);
const args = named === undefined ? process.argv.slice(2) : rest;

if (fn !== undefined && args.length === 0) {
  finish([fn]);
} else if (first === undefined && !isTerminal()) {
  finish(generators);
} else {
  void main(fn, args, called);
}

// The descriptor is asked first: `process.stdin` would load streams, sockets and terminals to say the same.
function isTerminal(): boolean {
  return fstatSync(0).isCharacterDevice() && process.stdin.isTTY;
}

function finish(chosen: typeof generators): void {
  const { stdout, stderr, exitCode } = runOnList(chosen, readInput());
  process.exitCode = writeOutput(stdout, stderr) ? exitCode : 1;
}
