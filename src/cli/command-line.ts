import { Argument, CommanderError, Option, Command as Parser } from "commander";
import { quote } from "../core/text.ts";
import { didYouMean } from "../core/words.ts";
import type { ArgumentValue, Definition, Flag, FlagValue } from "./definition.ts";
import { refuseTokens } from "./terminal/arguments.ts";
import { UsageError } from "./terminal/errors.ts";

/*
 * The only module that uses commander: it parses command lines from definitions. It prints nothing and does not
 * end the process. commander repeats values verbatim in its messages, so this module words them itself.
 */

/** The flags and arguments of a command line, by their names in the definition. */
export interface Parsed {
  readonly flags: Readonly<Record<string, FlagValue>>;
  readonly args: readonly ArgumentValue[];
}

/**
 * Reads the command line of a command.
 * @param args the arguments after the command's name.
 * @throws UsageError
 */
export function parse(definition: Definition, args: readonly string[]): Parsed {
  refuseTokens(args);
  refuseForgottenValues(definition, args);
  const parser = parserOf(definition);
  try {
    parser.parse(args, { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? usageError(error, definition) : error;
  }
  const values = parser.options.map((option) => [option.name(), givenValue(parser, option, definition)] as const);
  return { flags: Object.fromEntries(values), args: parser.processedArgs };
}

function parserOf({ name, arguments: given, flags }: Definition): Parser {
  const parser = silent(new Parser(`ccf ${name}`));
  for (const { name: of, optional, many, choices } of given) {
    const shown = many ? `${of}...` : of;
    const argument = new Argument(optional ? `[${shown}]` : `<${shown}>`);
    parser.addArgument(choices === undefined ? argument : argument.argParser(oneOf(of, choices)));
  }
  for (const [long, flag] of Object.entries(flags)) parser.addOption(optionOf(long, flag));
  return parser;
}

function silent(parser: Parser): Parser {
  return parser
    .exitOverride()
    .configureOutput({
      writeErr: () => undefined,
      writeOut: () => undefined,
    })
    .showSuggestionAfterError(false)
    .helpOption(false);
}

function optionOf(long: string, { short, value, choices, also, fallback, many }: Flag): Option {
  const name = `--${long}`;
  const option = new Option(
    `${short === undefined ? "" : `-${short}, `}${name}${value === undefined ? "" : ` <${value}>`}`,
  );
  const check = choices === undefined ? (word: string) => word : oneOf(name, choices, also);
  if (fallback !== undefined) option.default(fallback);
  if (many === undefined) return option.argParser(check);
  const words = (list: string) => (choices === undefined ? [list] : list.split(",").map((word) => word.trim()));
  return option.argParser((list: string, before?: readonly string[]) => [...(before ?? []), ...words(list).map(check)]);
}

function oneOf(name: string, choices: readonly string[], also?: Flag["also"]): (word: string) => string {
  const quoted = [...choices, ...(also === undefined ? [] : [also.shown])].map(quote);
  const all = quoted.length === 1 ? quoted[0] : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return (word) => {
    if (choices.includes(word) || also?.pattern.test(word)) return word;
    throw new UsageError(`${name} must be ${all}, not ${quote(word)}${didYouMean(word, choices)}`);
  };
}

function givenValue(parser: Parser, option: Option, { flags }: Definition): FlagValue {
  const value = parser.getOptionValue(option.attributeName()) as FlagValue;
  const flag = flags[option.name()];
  // Here "--no-x" is a switch with that name. For commander it turns the option "x" off.
  if (flag?.value === undefined) return option.negate ? value === false : value === true;
  return flag.many ? (value ?? []) : value;
}

// If a value is missing, commander would use the next flag as the value, for example as the name of a file.
function refuseForgottenValues({ flags }: Definition, args: readonly string[]): void {
  const known = new Map(
    Object.entries(flags).flatMap(([long, flag]) =>
      [`--${long}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])].map((name) => [name, { long, flag }]),
    ),
  );
  for (const [index, arg] of args.entries()) {
    if (arg === "--") return;
    const { long, flag } = known.get(arg) ?? {};
    if (flag?.value === undefined) continue;
    const next = args[index + 1];
    if (next === undefined) throw new UsageError(`${arg} requires a value: ${flag.value}`);
    if (next.length > 1 && next.startsWith("-"))
      throw new UsageError(
        `${arg} requires a value, but ${optionText(next)} looks like an option; if it is the value, write --${long}=${flag.value}`,
      );
  }
}

// Option names are the only part of the command line that a message repeats from commander's own text.
function usageError({ code, message }: CommanderError, { flags }: Definition): UsageError {
  const [, given = ""] = /^error: unknown option '(.*)'$/s.exec(message) ?? [];
  if (code !== "commander.unknownOption")
    return new UsageError(
      message
        .replace(/^error: /, "")
        .replace(". Expected", ": expected")
        .replaceAll("'", '"')
        .replace(/\.$/, ""),
    );
  const [name = ""] = given.split("=");
  if (name !== given && Object.hasOwn(flags, name.slice(2))) return new UsageError(`${name} does not accept a value`);
  const names = [...Object.keys(flags), "help"].map((text) => `--${text}`);
  if (name.length > maxOption) return new UsageError(`unknown option: ${optionText(name)}`);
  return new UsageError(`unknown option ${quote(name)}${didYouMean(name, names)}`);
}

/** The longest text that can be a mistyped option. */
const maxOption = 40;

/** A given option as a message names it. A long text is not repeated: it can be a part of a token that begins with a hyphen. */
function optionText(text: string): string {
  return text.length > maxOption ? `a text of ${text.length} characters` : quote(text);
}
