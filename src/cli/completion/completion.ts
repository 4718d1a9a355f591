import { functions } from "../../../functions/registry.ts";
import type { Argument, Definition, Flag } from "../definition.ts";
import { helpFlag } from "../help.ts";
import { write } from "../terminal/output.ts";
import { topics } from "../topics.ts";
import type { shells } from "./definition.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `ccf completion SHELL`: prints the completion script of a shell. */
export async function completion(shell: (typeof shells)[number], definitions: readonly Definition[]): Promise<number> {
  write(1, scripts[shell](await completionOf(definitions, functions)));
  return 0;
}

/** What can be completed, independent of the shell. */
interface Completion {
  /** The choices for the first word. */
  readonly names: readonly Described[];
  readonly commands: readonly CommandWords[];
}

/** A word and its meaning. */
type Described = readonly [word: string, meaning: string];

/** Words or paths to complete; an empty list for values that only the user knows. */
type Values = readonly string[] | "file" | "directory" | undefined;

/** What can be completed after a command's name. */
interface CommandWords {
  readonly name: string;
  readonly options: readonly OptionWords[];
  /** The values of its positional arguments. */
  readonly values: Values;
}

interface OptionWords {
  readonly long: string;
  readonly short: string | undefined;
  /** The long and the short form, with their hyphens. */
  readonly spellings: readonly string[];
  readonly text: string;
  /** Undefined for a switch. */
  readonly values: Values;
}

/** Derives the completion from definitions; `help` completes the names of commands, functions, and topics. */
async function completionOf(
  definitions: readonly Definition[],
  functions: readonly { readonly name: string; readonly summary: string }[],
): Promise<Completion> {
  const all = [...definitions, ...functions];
  const names = new Map(all.map(({ name, summary }) => [name, summary]));
  names.set("help", "print the help of a command or a topic");
  const commands = await Promise.all(
    definitions.map(async ({ name, flags, arguments: given }) => ({
      name,
      options: [...Object.entries(flags), ["help", helpFlag] as const].map(([long, flag]) => optionOf(long, flag)),
      values: await valuesOf(given),
    })),
  );
  const helped = [...names.keys(), ...topics.map(({ name }) => name)];
  return { names: [...names], commands: [...commands, { name: "help", options: [], values: helped }] };
}

function optionOf(long: string, { short, text, value, choices, path }: Flag): OptionWords {
  const spellings = [`--${long}`, ...(short === undefined ? [] : [`-${short}`])];
  return { long, short, spellings, text, values: value === undefined ? undefined : (choices ?? path ?? []) };
}

// All arguments of a command share these values, because most commands have only one argument that can be completed.
async function valuesOf(given: readonly Argument[]): Promise<Values> {
  return (
    (await given.find(({ completed }) => completed !== undefined)?.completed?.()) ??
    given.find(({ choices }) => choices !== undefined)?.choices ??
    given.find(({ path }) => path !== undefined)?.path ??
    []
  );
}

/** The words alone. */
function withoutDescription(list: readonly (readonly string[])[]): string {
  return list.map(([word]) => word).join(" ");
}

/** The script for bash 3.2 (the version of macOS) and later. */
function bashScript({ names, commands }: Completion): string[] {
  return [
    "# bash completion for ccf",
    "_ccf() {",
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words="" files="" word',
    '  # bash splits "--output=json" into three words.',
    "  if [[ $cur == = ]]; then cur=",
    "  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
    "  if (( COMP_CWORD == 1 )); then",
    `    words="${withoutDescription(names)}"`,
    "  else",
    '    case "${COMP_WORDS[1]} $prev" in',
    ...commands.flatMap(({ name, options }) =>
      options
        .filter(({ values }) => values !== undefined)
        .map(({ spellings, values }) => {
          const patterns = spellings.map((spelling) => `"${name} ${spelling}"`).join("|");
          return `      ${patterns}) ${bashValues(values)} ;;`;
        }),
    ),
    '      *) case "${COMP_WORDS[1]}" in',
    ...commands.map(({ name, options, values }) => {
      const all = withoutDescription(
        options.flatMap(({ spellings, text }) => spellings.map((spelling) => [spelling, text])),
      );
      return `        ${name}) if [[ $cur == -* ]]; then words="${all}"; else ${bashValues(values)}; fi ;;`;
    }),
    "      esac ;;",
    "    esac",
    "  fi",
    "  COMPREPLY=()",
    "  [[ -n $files ]] && compopt -o filenames 2> /dev/null",
    '  while IFS= read -r word; do COMPREPLY+=("$word"); done \\',
    '    < <(if [[ -n $files ]]; then compgen "$files" -- "$cur"; else compgen -W "$words" -- "$cur"; fi)',
    "}",
    "complete -F _ccf ccf",
  ];
}

function bashValues(values: Values): string {
  if (values === "file") return "files=-f";
  if (values === "directory") return "files=-d";
  return `words="${values?.join(" ") ?? ""}"`;
}

/** The script for zsh: save it as `_ccf` in `fpath`, or evaluate it after `compinit`. */
function zshScript({ names, commands }: Completion): string[] {
  return [
    "#compdef ccf",
    "_ccf() {",
    "  local -a names",
    `  names=(${names.map(([word, meaning]) => zshQuoted(`${word}:${meaning}`)).join(" ")})`,
    "  if (( CURRENT == 2 )); then",
    "    _describe command names",
    "    return",
    "  fi",
    "  shift words",
    "  (( CURRENT-- ))",
    "  case $words[1] in",
    ...commands.map(({ name, options, values }) => {
      const all = [...options.flatMap(zshOptions), zshQuoted(`*:argument${zshAction(values)}`)];
      return `    ${name}) _arguments ${all.join(" ")} ;;`;
    }),
    "  esac",
    "}",
    "# If loaded from fpath, this file is the function. If evaluated, register the function.",
    'if [[ $funcstack[1] == _ccf ]]; then _ccf "$@"; else compdef _ccf ccf; fi',
  ];
}

function zshOptions({ spellings, text, values }: OptionWords): string[] {
  const meaning = `[${text.replace(/[[\]\\]/g, "\\$&")}]`;
  return spellings.map((spelling) =>
    // The value of a long option is the next word, or follows "=".
    zshQuoted(
      values === undefined
        ? `*${spelling}${meaning}`
        : `*${spelling}${spelling.startsWith("--") ? "=" : "+"}${meaning}:value${zshAction(values)}`,
    ),
  );
}

function zshAction(values: Values): string {
  if (values === "file") return ":_files";
  if (values === "directory") return ":_files -/";
  return values === undefined || values.length === 0 ? ": " : `:(${values.join(" ")})`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The script for fish. */
function fishScript({ names, commands }: Completion): string[] {
  const first = "-n 'test (count (commandline -opc)) -eq 1'";
  return [
    "# fish completion for ccf",
    "complete -c ccf -f",
    ...names.map(([word, meaning]) => `complete -c ccf ${first} -a ${word} -d ${fishQuoted(meaning)}`),
    ...commands.flatMap(({ name, options, values }) => {
      const line = `complete -c ccf -n 'contains -- ${name} (commandline -opc)[2]'`;
      return [
        ...options.map((optionWords) => `${line} ${fishOption(optionWords)}`),
        ...(values?.length === 0 ? [] : [`${line} ${fishAction(values)}`]),
      ];
    }),
  ];
}

function fishOption({ long, short, text, values }: OptionWords): string {
  const value =
    values === undefined ? [] : values.length === 0 ? ["-x"] : [values === "file" ? "-r" : "-x", fishAction(values)];
  return [`-l ${long}`, ...(short === undefined ? [] : [`-s ${short}`]), ...value, `-d ${fishQuoted(text)}`].join(" ");
}

function fishAction(values: Values): string {
  if (values === "file") return "-F";
  if (values === "directory") return "-a '(__fish_complete_directories)'";
  return `-a ${fishQuoted(values?.join(" ") ?? "")}`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
