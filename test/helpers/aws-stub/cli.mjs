// Parses the arguments of a call like the AWS CLI.
import { search } from "jmespath";
import { NotCovered } from "../amazon/errors.mjs";
import { isMapping, optionOf, shapeOf } from "../amazon/parameters.mjs";
import { ClientError } from "./errors.mjs";
import { parseShorthand, typed } from "./shorthand.mjs";

/**
 * @import { Operation, Value } from "../amazon/types.ts"
 * @import { Shape } from "../amazon/parameters.mjs"
 * @typedef {{ output: string, query?: string, region?: string }} Options
 * @typedef {{ options: Options, rest: string[] }} Split
 * @typedef {(name: string) => Buffer} Read
 */

/** Options of every call, with whether they take a value. @type {Record<string, boolean>} */
const globals = {
  "--output": true,
  "--query": true,
  "--region": true,
  "--profile": true,
  "--color": true,
  "--cli-read-timeout": true,
  "--cli-connect-timeout": true,
  "--no-sign-request": false,
  "--no-verify-ssl": false,
  "--debug": false,
};
const globalsOf2 = { "--no-cli-pager": false, "--no-cli-auto-prompt": false, "--cli-binary-format": true };

/** Takes out the options that every call has. @param {string[]} args @param {1 | 2} cli @returns {Split} */
export function splitOptions(args, cli) {
  const known = cli === 2 ? { ...globals, ...globalsOf2 } : globals;
  /** @type {Record<string, string>} */
  const given = {};
  /** @type {string[]} */
  const rest = [];
  const queue = [...args];
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    const [name = "", value] = nameAndValue(arg);
    if (!(name in known)) rest.push(arg);
    else if (known[name] === true) given[name.slice(2)] = value ?? valueAfter(name, queue);
    else if (value !== undefined)
      throw new ClientError("usage", `argument ${name}: ignored explicit argument '${value}'`);
  }
  const { output = "", query, region } = given;
  if (!["", "json", "text"].includes(output)) throw new NotCovered(`--output ${output}`);
  if (query !== undefined) checkQuery(query);
  return {
    rest,
    options: { output, ...(query === undefined ? {} : { query }), ...(region === undefined ? {} : { region }) },
  };
}

/** @param {string} query */
function checkQuery(query) {
  try {
    search({}, query);
  } catch (error) {
    // What is wrong with an empty answer alone (a function of nothing) is for later.
    if (error instanceof Error && error.message.startsWith("TypeError")) return;
    const message = error instanceof Error ? error.message : String(error);
    throw new ClientError("parameters", `Bad value for --query ${query}: ${message}`);
  }
}

/** @param {string} arg @returns {[string, string | undefined]} */
function nameAndValue(arg) {
  const at = arg.indexOf("=");
  return arg.startsWith("--") && at > 0 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg, undefined];
}

/** Python's argparse never treats text that looks like an option as a value. @param {string} arg */
function isOption(arg) {
  return /^-(?!$)/.test(arg) && !arg.includes(" ") && !/^-\d+(\.\d+)?$/.test(arg);
}

/** @param {string} name @param {string[]} queue */
function valueAfter(name, queue) {
  const value = queue[0];
  if (value === undefined || isOption(value)) throw new ClientError("usage", `argument ${name}: expected one argument`);
  queue.shift();
  return value;
}

/**
 * The parameters of a call, and the file that it names without an option.
 *
 * @param {string[]} args what is left after the operation's name.
 * @param {Operation} operation @param {string} name of the operation.
 * @param {{ read: Read, cli: 1 | 2 }} around
 * @returns {{ parameters: Record<string, Value>, file: string | undefined }}
 */
export function parametersOf(args, operation, name, { read, cli }) {
  const members = shapeOf(operation.parameters).members ?? new Map();
  const byOption = new Map([...members].map(([member, shape]) => [`--${optionOf(member)}`, { member, shape }]));
  byOption.set("--cli-input-json", { member: "", shape: { type: "string", required: false, min: 0 } });
  /** @type {Record<string, Value>} */
  const given = {};
  /** @type {string[]} */
  const positional = [];
  /** @type {string[]} */
  const unknown = [];
  const queue = [...args];
  const load = (/** @type {string} */ option, /** @type {string} */ text) =>
    loaded(option, text, read, cli === 1 && `${name}${option}` !== "CreateOpenIDConnectProvider--url");
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    const [option = "", value] = nameAndValue(arg);
    const found = byOption.get(option);
    if (found !== undefined) given[found.member] = valueFor(option, found.shape, value, queue, load);
    else if (isFlag(option, byOption)) given[byOption.get(`--${option.slice(5)}`)?.member ?? ""] = false;
    else if (notCovered.includes(option)) throw new NotCovered(option);
    else if (!isOption(arg) && operation.positional !== undefined && positional.length === 0) positional.push(arg);
    else unknown.push(arg);
  }
  const { "": json, ...rest } = given;
  const wanted = json === undefined ? [...byOption].filter(([, { shape }]) => shape.required) : [];
  const missing = wanted.filter(([, { member }]) => !(member in given)).map(([option]) => option);
  if (operation.positional !== undefined && positional.length === 0) missing.push(operation.positional);
  if (missing.length > 0) throw new ClientError("usage", `the following arguments are required: ${missing.join(", ")}`);
  if (unknown.length > 0) throw new ClientError("unknown", unknown.join(", "));
  return { parameters: { ...inputJson(json), ...rest }, file: positional[0] };
}

const notCovered = ["--max-items", "--starting-token", "--page-size", "--no-paginate", "--generate-cli-skeleton"];

/** @param {string} option @param {Map<string, { shape: Shape }>} byOption */
function isFlag(option, byOption) {
  return option.startsWith("--no-") && byOption.get(`--${option.slice(5)}`)?.shape.type === "bool";
}

/** @param {string | undefined} text @returns {Record<string, Value>} */
function inputJson(text) {
  if (text === undefined) return {};
  const value = parsedJson(text, "cli-input-json");
  if (!isMapping(value)) throw new ClientError("parameters", "'list' object has no attribute 'keys'");
  return value;
}

/** @param {string} text @param {string} name @returns {Value} */
function parsedJson(text, name) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const said = `Error parsing parameter '${name}': Invalid JSON: ${message}\nJSON received: ${text}`;
    throw new ClientError("parameters", said);
  }
}

/**
 * @param {string} option @param {Shape} shape @param {string | undefined} given after `=`. @param {string[]} queue
 * @param {(option: string, text: string) => string} load
 * @returns {Value}
 */
function valueFor(option, shape, given, queue, load) {
  if (shape.type === "bool") return true;
  if (shape.type !== "list") {
    const text = given ?? valueAfter(option, queue);
    return shape.type === "blob" ? text : scalarOrMapping(option, shape, load(option, text));
  }
  const texts = given === undefined ? [] : [given];
  while (given === undefined && queue[0] !== undefined && !isOption(queue[0])) texts.push(queue.shift() ?? "");
  const [first] = texts;
  if (texts.length === 1 && first !== undefined) {
    const text = load(option, first).trim();
    if (text.startsWith("[")) return parsedJson(text, option);
  }
  const values = texts.map((text) => scalarOrMapping(option, shape.item, load(option, text)));
  return values.flat();
}

/** @param {string} option @param {Shape | undefined} shape @param {string} text @returns {Value} */
function scalarOrMapping(option, shape, text) {
  if (shape?.type === "int") {
    if (!/^\s*[-+]?\d+\s*$/.test(text)) {
      throw new ClientError("parameters", `invalid literal for int() with base 10: '${text}'`);
    }
    return Number(text);
  }
  if (shape?.type !== "structure" && shape?.type !== "map") return text;
  if (/^\s*[[{]/.test(text)) return parsedJson(text, option);
  try {
    return typed(parseShorthand(text), shape);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ClientError("parameters", `Error parsing parameter '${option}': ${error.message}`);
  }
}

/** What a `file://` names. @param {string} option @param {string} text @param {Read} read @param {boolean} follows */
function loaded(option, text, read, follows) {
  // Version 1 fetches every value that looks like a URL.
  if (follows && /^https?:\/\//.test(text)) throw new NotCovered(`${option}: the CLI would fetch ${text}`);
  if (!/^fileb?:\/\//.test(text)) return text;
  const name = text.replace(/^fileb?:\/\//, "");
  try {
    return read(name).toString("utf8");
  } catch {
    const why = `[Errno 2] No such file or directory: '${name}'`;
    throw new ClientError(
      "parameters",
      `Error parsing parameter '${option}': Unable to load paramfile ${text}: ${why}`,
    );
  }
}
