import type { Argument, Definition, Flag } from "../definition.ts";

/** What can be completed, independent of the shell. */
export interface Completion {
  /** The choices for the first word. */
  readonly names: readonly Described[];
  readonly commands: readonly CommandWords[];
}

/** A word and its meaning. */
export type Described = readonly [word: string, meaning: string];

/** Words or paths to complete; an empty list for values that only the user knows. */
export type Values = readonly string[] | "file" | "directory" | undefined;

/** What can be completed after a command's name. */
export interface CommandWords {
  readonly name: string;
  readonly options: readonly OptionWords[];
  /** The values of its positional arguments. */
  readonly values: Values;
}

export interface OptionWords {
  readonly long: string;
  readonly short: string | undefined;
  /** The long and the short form, with their hyphens. */
  readonly spellings: readonly string[];
  readonly text: string;
  /** Undefined for a switch. */
  readonly values: Values;
}

/** Derives the completion from definitions; `help` completes the names of commands and functions. */
export function completionOf(
  definitions: readonly Definition[],
  functions: readonly { readonly name: string; readonly summary: string }[],
): Completion {
  const all = [...definitions, ...functions];
  const names = new Map(all.map(({ name, summary }) => [name, summary]));
  names.set("help", "print the help of a command");
  const commands = definitions.map((definition) => ({
    name: definition.name,
    options: [...Object.entries(definition.flags), ["help", help] as const].map(([long, flag]) => optionOf(long, flag)),
    values: valuesOf(definition.arguments),
  }));
  return { names: [...names], commands: [...commands, { name: "help", options: [], values: [...names.keys()] }] };
}

const help: Flag = { short: "h", text: "print this help" };

function optionOf(long: string, { short, text, value, choices, path }: Flag): OptionWords {
  const spellings = [`--${long}`, ...(short === undefined ? [] : [`-${short}`])];
  return { long, short, spellings, text, values: value === undefined ? undefined : (choices ?? path ?? []) };
}

// All arguments of a command share these values, because most commands have only one argument that can be completed.
function valuesOf(given: readonly Argument[]): Values {
  return (
    given.find(({ choices }) => choices !== undefined)?.choices ??
    given.find(({ path }) => path !== undefined)?.path ??
    []
  );
}

/** The words alone. */
export function withoutDescription(list: readonly (readonly string[])[]): string {
  return list.map(([word]) => word).join(" ");
}
