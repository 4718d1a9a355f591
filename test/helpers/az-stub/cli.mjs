// Parses the arguments of a call like az.

/** az refuses its arguments, and sends nothing. */
export class Usage extends Error {}

/** @type {Record<string, { texts: readonly string[], switches: readonly string[], required: readonly string[] }>} */
export const commands = {
  version: { texts: [], switches: [], required: [] },
  "account show": { texts: [], switches: [], required: [] },
  rest: {
    texts: ["method", "url", "body", "headers", "output-file", "resource"],
    switches: ["skip-authorization-header"],
    required: ["url"],
  },
  "storage blob upload": {
    texts: [
      "blob-endpoint",
      "account-name",
      "account-key",
      "auth-mode",
      "container-name",
      "name",
      "file",
      "content-type",
    ],
    switches: ["overwrite", "no-progress"],
    required: [],
  },
};

/** @type {Record<string, string>} */
const others = { m: "method", u: "url", uri: "url", b: "body", o: "output", n: "name", f: "file", c: "container-name" };
const global = { texts: ["output", "subscription"], switches: ["only-show-errors"] };

/**
 * The command of a call, and its options.
 *
 * @param {readonly string[]} args @returns {{ command: string, flags: Record<string, string> }}
 * @throws {Usage} what az refuses. @throws {Error} what this stand-in does not cover.
 */
export function parsed(args) {
  const count = args.findIndex((arg) => arg.startsWith("-"));
  const words = args.slice(0, count === -1 ? args.length : count).join(" ");
  const command = commands[words];
  if (command === undefined) throw new Error(`not covered: az ${args.join(" ")}`);
  /** @type {Record<string, string>} */
  const flags = {};
  const queue = args.slice(words.split(" ").length);
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    const [, given = "", value] = /^--?([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const name = others[given] ?? given;
    if ([...command.texts, ...global.texts].includes(name)) {
      // az takes no option as a value.
      if (value === undefined && (queue[0] ?? "-").startsWith("-")) {
        throw new Usage(`argument ${shownName(given)}: expected one argument`);
      }
      flags[name] = value ?? queue.shift() ?? "";
    } else if ([...command.switches, ...global.switches].includes(name)) {
      flags[name] = "";
    } else {
      throw new Usage(`unrecognized arguments: ${arg}`);
    }
  }
  // Every call of the scripts has these; without them, az says more.
  if (words !== "version" && (flags["output"] === undefined || flags["only-show-errors"] === undefined)) {
    throw new Error(`not covered: az ${words} without --output and --only-show-errors`);
  }
  const missing = command.required.filter((name) => flags[name] === undefined);
  if (missing.length > 0) throw new Error(`not covered: az ${words} without --${missing[0]}`);
  return { command: words, flags };
}

/** All names of an option, as az lists them. @param {string} given */
function shownName(given) {
  const name = others[given] ?? given;
  /** @type {Record<string, string>} */
  const lists = { method: "--method/-m", url: "--url/--uri/-u", body: "--body/-b", output: "--output/-o" };
  return lists[name] ?? `--${name}`;
}
