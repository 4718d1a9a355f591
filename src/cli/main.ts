import { generators } from "../../functions/generators.ts";
import { functionNamed, functions } from "../../functions/registry.ts";
import { quote } from "../core/text.ts";
import { didYouMean } from "../core/words.ts";
import { runOnStdio } from "../krm/stdio.ts";
import { parse } from "./command-line.ts";
import { commands } from "./commands.ts";
import type { Command } from "./definition.ts";
import { commandHelp, functionHelp, mainHelp, topicHelp } from "./help.ts";
import { asksForJson, type Failure, failureJson, failureOf, UsageError } from "./terminal/errors.ts";
import { beQuiet, beVerbose, failureLines, write, writeHint, writeJson } from "./terminal/output.ts";
import { version } from "./terminal/version.ts";
import { topics } from "./topics.ts";

/**
 * The program name under which kustomize runs a legacy exec plugin: the kind of its configuration (kustomize documentation,
 * "Exec plugins"). It is the only form that `kubectl kustomize` runs.
 */
const pluginName = "ClusterIdentity";

/** Runs the command or function that the arguments or the program's name select, and sets the exit code. */
export async function main(args: readonly string[], called: string, isTerminal: boolean): Promise<void> {
  beQuiet(false);
  beVerbose(false);
  // Node.js ends silently if a promise never settles. That is a failure.
  process.exitCode = 1;
  try {
    process.exitCode = called === pluginName ? await runPlugin(args) : await dispatch(args, called, isTerminal);
  } catch (error) {
    process.exitCode = 1;
    tell(failureOf(error, helpCommand(args, called)), asksForJson(args));
  }
  if (!asksForJson(args)) writeHint();
}

// The code of the plugin and of validators is loaded only if they run: every `ccf render` starts here.
async function runPlugin(args: readonly string[]): Promise<number> {
  const { kustomizePlugin } = await import("./kustomize-plugin/kustomize-plugin.ts");
  return kustomizePlugin(args, pluginName);
}

async function runFunction(name: string): Promise<number> {
  const { validators } = await import("../../functions/validators.ts");
  return runOnStdio([...generators, ...validators].filter((fn) => fn.name === name));
}

function tell(failure: Failure, inJson: boolean): void {
  try {
    write(2, failureLines(failure));
    if (inJson) writeJson(failureJson(failure));
  } catch {
    // If the streams cannot be written, only the exit code can report the failure.
  }
}

// The command line that prints the help for the selected command.
function helpCommand([first = ""]: readonly string[], called: string): string {
  const named = commandNamed(first) ?? functionNamed(first) ?? functionNamed(called);
  return ["ccf", ...(named === undefined ? [] : [named.name]), "--help"].join(" ");
}

async function dispatch(given: readonly string[], called: string, isTerminal: boolean): Promise<number> {
  const named = functionNamed(given[0] ?? "");
  const fn = named ?? functionNamed(called);
  const args = named === undefined ? given : given.slice(1);
  if (args.length === 0 && fn !== undefined) return runFunction(fn.name);
  if (args.length === 0 && !isTerminal) return runOnStdio(generators);
  const [first = "--help", ...rest] = fn === undefined ? args : [fn.name, ...args];
  if (first === "--version" || first === "version") write(1, [version]);
  else if (first === "help") write(1, helpFor(rest[0]));
  else if (args.length === 0 || asksForHelp(args)) write(1, helpFor(first));
  else return run(first, rest);
  return 0;
}

// After "--", every word is an argument, even a directory with the name of an option.
function asksForHelp(args: readonly string[]): boolean {
  const stop = args.indexOf("--");
  return args.slice(0, stop === -1 ? args.length : stop).some((arg) => arg === "--help" || arg === "-h");
}

function run(name: string, rest: readonly string[]): number | Promise<number> {
  const command = commandNamed(name);
  if (command === undefined) throw wrongName(name);
  const { flags, args } = parse(command, rest);
  beQuiet(flags["quiet"] === true);
  beVerbose(flags["verbose"] === true);
  return command.run(flags, ...args);
}

// A function may have a command with the same name, which does the same for files.
function commandNamed(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

function wrongName(name: string, more: readonly { readonly name: string }[] = []): UsageError {
  if (functionNamed(name) !== undefined)
    return new UsageError(`${name} accepts no arguments; it reads a ResourceList from standard input`);
  if (name.startsWith("-")) return new UsageError(`unknown option ${quote(name)}; name a command first`);
  const names = [...commands, ...functions, ...more].map((one) => one.name);
  return new UsageError(`unknown command ${quote(name)}${didYouMean(name, names)}`);
}

function helpFor(asked = "--help"): string[] {
  const [fn, command, topic] = [functionNamed(asked), commandNamed(asked), topics.find(({ name }) => name === asked)];
  const texts = [
    ...(fn === undefined ? [] : [functionHelp(fn)]),
    ...(command === undefined ? [] : [commandHelp(command)]),
    ...(topic === undefined ? [] : [topicHelp(topic)]),
  ];
  if (texts.length === 0 && !asked.startsWith("-")) throw wrongName(asked, topics);
  return (texts.length === 0 ? mainHelp(commands, functions) : texts.join("\n\n")).split("\n");
}
