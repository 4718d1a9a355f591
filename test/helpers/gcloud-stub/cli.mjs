// Parses the arguments of a call like gcloud.
import { Usage } from "./failure.mjs";

/**
 * @import { Command, Value } from "./types.ts"
 * @typedef {{ command: string, names: string[], flags: Record<string, Value>, project: string }} Parsed
 */

/** The words of a command at the beginning of the arguments. @param {readonly string[]} args @param {Record<string, Command>} commands */
function commandOf(args, commands) {
  for (let count = Math.min(4, args.length); count > 0; count--) {
    const words = args.slice(0, count).join(" ");
    if (Object.hasOwn(commands, words)) return words;
  }
  return undefined;
}

/**
 * The command of a call, its names, and its options.
 *
 * @param {readonly string[]} args @param {Record<string, Command>} commands @returns {Parsed}
 * @throws {Usage} what gcloud refuses. @throws {Error} what this stand-in does not cover.
 */
export function parsed(args, commands) {
  const words = commandOf(args, commands);
  if (words === undefined) throw new Error(`not covered: gcloud ${args.join(" ")}`);
  const command = /** @type {Command} */ (commands[words]);
  const takesOption = optionsOf(command);
  /** @type {Record<string, Value>} */
  const flags = {};
  /** @type {string[]} */
  const names = [];
  const queue = args.slice(words.split(" ").length);
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg.startsWith("-")) Object.assign(flags, takesOption(arg, queue));
    else names.push(arg);
  }
  check(words, command, names, flags);
  const { project, format: _, quiet: _quiet, ...rest } = flags;
  return { command: words, names, flags: rest, project };
}

/** What reads one option of a command, with its value. @param {Command} command */
function optionsOf(command) {
  const texts = new Set([...(command.texts ?? []), "project", "format"]);
  const choices = new Set(command.choices ?? []);
  const switches = new Set([...(command.switches ?? []), ...choices, "quiet"]);
  return (/** @type {string} */ arg, /** @type {string[]} */ queue) => {
    const [, name = "", value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg === "-q" ? "--quiet" : arg) ?? [];
    if (texts.has(name)) {
      // gcloud takes no option as a value.
      const isMissing = value === undefined && (queue[0] ?? "-").startsWith("-");
      if (isMissing) throw new Usage(`argument --${name}: expected one argument`);
      return { [name]: value ?? queue.shift() };
    }
    const isOff = name.startsWith("no-") && choices.has(name.slice(3));
    if (!isOff && !switches.has(name)) throw new Usage(`unrecognized arguments: ${arg}`);
    if (value !== undefined) throw new Usage(`argument --${name}: ignored explicit argument '${value}'`);
    return isOff ? { [name.slice(3)]: false } : { [name]: true };
  };
}

/** @param {string} words @param {Command} command @param {string[]} names @param {Record<string, Value>} flags */
function check(words, command, names, flags) {
  const [least = 0, most = least] = [command.names].flat();
  if (names.length > most) throw new Usage(`unrecognized arguments: ${names.slice(most).join(" ")}`);
  if (names.length < least) throw new Usage("argument NAME: Must be specified.");
  const missing = (command.required ?? []).find((name) => flags[name] === undefined);
  if (missing !== undefined) throw new Usage(`argument --${missing}: Must be specified.`);
  // Every call of the scripts has these.
  for (const name of ["project", "quiet", "format"]) {
    if (flags[name] === undefined) throw new Error(`not covered: gcloud ${words} without --${name}`);
  }
  if (flags["format"] !== "json") throw new Error(`not covered: --format=${flags["format"]}`);
}
