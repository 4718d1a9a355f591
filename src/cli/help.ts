import { allByKey } from "../core/resource.ts";
import { wrapped, wrappedWords } from "../core/wrapped.ts";
import { type Argument, type Definition, type Entry, type Flag, type Flags, helpWidth } from "./definition.ts";
import { type Topic, topics } from "./topics.ts";

/*
 * The texts that `--help` and `ccf help` print. Commands and topics are data, so that the reference shows the same.
 */

/** A command or a function in a list. */
interface Named {
  readonly name: string;
  readonly summary: string;
}

/** What `ccf --help` prints. */
export function mainHelp(commands: readonly Named[], functions: readonly Named[]): string {
  const list = (all: readonly Named[]) => all.map(({ name, summary }) => [name, summary] as const);
  return `Usage: ccf COMMAND [arguments] [options]
       ccf FUNCTION < LIST
       ccf help COMMAND|TOPIC

Render short-term cloud credentials for OpenShift and OKD into Git.

${[
  section("Commands", list(commands)),
  section("KRM functions, which kpt and kustomize run on a ResourceList", list(functions), 28),
  section('Topics, which "ccf help TOPIC" explains', list(topics)),
  section("Examples", [
    `ccf init clusters/demo --platform aws --name demo \\
  --account-id 123456789012 --region us-east-2 \\
  --public-key-file serviceaccount-signer.public \\
  --credentials-requests credrequests/`,
    "ccf render clusters/demo",
    "ccf export clusters/demo --output-dir out",
    "kpt fn source clusters/demo | ccf generate-cloud-credentials",
  ]),
  section("Exit codes", [
    ["0", "success"],
    ["1", "failure"],
    ["2", "a negative answer: for example, --check found changes, or validate found problems"],
    "Functions exit with 0 or 1 only.",
  ]),
].join("\n\n")}

${wrapped('"ccf explain-finding CODE" explains a finding; docs/reference/findings.md explains all.', helpWidth).join("\n")}`;
}

/** What `ccf FUNCTION --help` prints. */
export function functionHelp({ name, summary }: Named): string {
  return `${wrapped(`${name}: ${summary}`, helpWidth).join("\n")}

This KRM function reads a ResourceList from standard input and writes a
ResourceList to standard output. It does not use the network, files or
environment variables. Its configuration is a ClusterIdentity: the
functionConfig, or one of the items.

Usage:
  ccf ${name} < LIST

Examples:
  kpt fn source DIR | ccf ${name} | kpt fn sink OUT
  kpt fn eval DIR --exec "ccf ${name}"
  ccf render DIR`;
}

/** What `ccf COMMAND --help` prints. */
export function commandHelp(definition: Definition): string {
  const { description, arguments: given, flags, sections = {}, exitCodes = {}, examples } = definition;
  const codes = Object.entries(exitCodes);
  return [
    usageOf(definition)
      .map((line, index) => `${index === 0 ? "Usage: " : "       "}${line}`)
      .join("\n"),
    wrapped(description, helpWidth).join("\n"),
    ...optional("Arguments", given.map(argumentEntry)),
    ...optionSections({ ...flags, help: helpFlag }),
    ...topics.flatMap((topic) => optional(`${topic.title} (see "ccf help ${topic.name}")`, namesOf(topic, flags))),
    ...Object.entries(sections).map(([title, entries]) => section(title, entries)),
    ...optional("Exit codes", codes),
    section("Examples", examples.map(exampleLines)),
  ].join("\n\n");
}

/** What `ccf help TOPIC` prints. */
export function topicHelp({ title, description, flags, sections }: Topic): string {
  return [
    title,
    wrapped(description, helpWidth).join("\n"),
    section("Options", Object.entries(flags).map(flagEntry)),
    ...Object.entries(sections).map(([name, entries]) => section(name, entries)),
  ].join("\n\n");
}

/** The usage lines of a command. */
export function usageOf({ name, usage, arguments: given }: Definition): string[] {
  const shown = given.map(({ name: of, many, optional: isOptional }) => {
    const word = many ? `${of}...` : of;
    return isOptional ? `[${word}]` : word;
  });
  return (usage ?? [["[options]", ...shown].join(" ")]).map((line) => `ccf ${name} ${line}`);
}

/** A flag with its value, as the help names it: `-o, --output FORMAT`. */
export function flagTerm(long: string, { short, value }: Flag): string {
  return `${short === undefined ? "" : `-${short}, `}--${long}${value === undefined ? "" : ` ${value}`}`;
}

/**
 * The lines of a section: paragraphs, and tables of terms with their meanings.
 *
 * @param maxTerm the longest term that has its meaning beside it, and not below it.
 */
export function sectionLines(entries: readonly Entry[], width: number, maxTerm = 24): string[] {
  const terms = entries.flatMap((entry) => (typeof entry === "string" ? [] : [entry[0].length]));
  const column = Math.max(0, ...terms.filter((length) => length <= maxTerm)) + 2;
  return entries.flatMap((entry) => {
    // An example that has line breaks is as it should be.
    if (typeof entry === "string") return entry.includes("\n") ? entry.split("\n") : wrapped(entry, width);
    const [term, meaning] = entry;
    const [first = "", ...rest] = wrapped(meaning, width - column);
    const below = rest.map((line) => " ".repeat(column) + line);
    if (term.length > maxTerm) return [...wrapped(term, width), " ".repeat(column) + first, ...below];
    return [term.padEnd(column) + first, ...below];
  });
}

function section(title: string, entries: readonly Entry[], maxTerm?: number): string {
  return [`${title}:`, ...sectionLines(entries, helpWidth - 2, maxTerm).map((line) => `  ${line}`)].join("\n");
}

function optional(title: string, entries: readonly Entry[]): string[] {
  return entries.length === 0 ? [] : [section(title, entries)];
}

/** The flag of every command. */
export const helpFlag: Flag = { short: "h", text: "print this help" };

function optionSections(flags: Flags): string[] {
  return [...optionGroups(flags)].map(([title, own]) => section(title, own.map(flagEntry)));
}

/** The flags that no topic explains, by their headings. */
export function optionGroups(flags: Flags): ReadonlyMap<string, readonly (readonly [string, Flag])[]> {
  return allByKey(Object.entries(flags), ([, { topic, group = "Options" }]) =>
    topic === undefined ? group : undefined,
  );
}

/** The flags of a command that a topic explains. */
export function flagsIn({ name }: Topic, flags: Flags): (readonly [string, Flag])[] {
  return Object.entries(flags).filter(([, { topic }]) => topic === name);
}

// A command lists the options of a topic without their meaning.
function namesOf(topic: Topic, flags: Flags): string[] {
  const names = flagsIn(topic, flags).map(([long, flag]) => flagTerm(long, flag));
  // An option and its value stay on one line.
  const words = names.map((term, index) => (index < names.length - 1 ? `${term},` : term));
  return names.length === 0 ? [] : wrappedWords(words, helpWidth - 2);
}

function argumentEntry({ name, text, choices }: Argument): Entry {
  return [name, withFacts(text, choices ?? [], undefined)];
}

function flagEntry([long, flag]: readonly [string, Flag]): Entry {
  const { text, choices = [], also, fallback } = flag;
  return [flagTerm(long, flag), withFacts(text, [...choices, ...(also === undefined ? [] : [also.shown])], fallback)];
}

// A text that explains each choice names all of them.
function withFacts(text: string, choices: readonly string[], fallback: string | undefined): string {
  const facts = [
    ...(choices.length === 0 || choices.every((choice) => text.includes(`"${choice}"`))
      ? []
      : [`one of ${choices.join(", ")}`]),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return facts.length === 0 ? text : `${text} (${facts.join("; ")})`;
}

/** An example in lines, as a shell reads it: a long one has a line for each command, and breaks before an option. */
export function exampleLines(example: string): string {
  if (example.length <= helpWidth - 2) return example;
  const parts: string[] = [];
  for (const word of example.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []) {
    const before = parts.at(-1) ?? "";
    // An option and its value, and "ccf" and its command, stay on one line.
    if (/(?:^| )(?:--?[\w-]+|[|<>]{1,2}|&&|ccf)$/.test(before) && !/^--?\w/.test(word))
      parts.push(`${parts.pop()} ${word}`);
    else parts.push(word);
  }
  const lines: string[] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    const fits = line !== undefined && line.length + part.length + 1 <= helpWidth - 4 && !part.startsWith("| ");
    if (fits) lines[lines.length - 1] = `${line} ${part}`;
    else lines.push(line === undefined ? part : `  ${part}`);
  }
  return lines.join(" \\\n");
}
