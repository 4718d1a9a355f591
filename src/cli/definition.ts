/*
 * What a command is, as data: parsing, help and completion are all made from it. The program that runs is beside it, so
 * that a name, a help text or a completion loads no command.
 */

/** A flag of a command. Without {@link Flag.value} it is a switch. */
export interface Flag {
  /** What it does, for the help. */
  readonly text: string;
  readonly short?: string;
  /** What its value is called in the help, such as `DIR`. */
  readonly value?: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** Its value where it is missing. */
  readonly fallback?: string;
  /** It may be repeated; with choices, one value may also be several of them, separated by commas. */
  readonly many?: true;
  /** The value is a path of this kind, for completion. */
  readonly path?: PathKind;
  /** The heading that it is listed under in the help, where that is not "Options:". */
  readonly group?: string;
}

/** A positional argument of a command. */
export interface Argument {
  readonly name: string;
  readonly text: string;
  readonly optional?: true;
  readonly choices?: readonly string[];
  readonly path?: PathKind;
}

/** `file` includes directories, on the way to a file or because the command takes both. */
export type PathKind = "file" | "directory";

export type Flags = Readonly<Record<string, Flag>>;

/** What a command is called, what it takes and what its help says. */
export interface Definition<F extends Flags = Flags, A extends readonly Argument[] = readonly Argument[]> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What its own help begins with. */
  readonly description: string;
  /** Usage lines without the name, where arguments and flags together do not say it. */
  readonly usage?: readonly string[];
  readonly arguments: A;
  readonly flags: F;
  /** More of the help: lines below a title. */
  readonly sections?: Readonly<Record<string, readonly string[]>>;
  /** What exit codes mean, where they mean more than 0 done, 1 failed. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  readonly examples: readonly string[];
}

/** A definition with the program that it defines. */
export interface Command extends Definition {
  run(flags: Readonly<Record<string, FlagValue>>, ...args: readonly (string | undefined)[]): number | Promise<number>;
}

/** What a command line says of one flag. */
export type FlagValue = boolean | string | readonly string[] | undefined;

type ValueOf<F extends Flag> = F extends { many: true }
  ? readonly string[]
  : F extends { value: string }
    ?
        | (F extends { choices: readonly (infer Choice)[] } ? Choice : string)
        | (F extends { fallback: string } ? never : undefined)
    : boolean;

/** The values of a definition's flags, as its program gets them. */
export type FlagsOf<D extends Definition> = { readonly [Name in keyof D["flags"]]: ValueOf<D["flags"][Name]> };

/** The values of a definition's arguments. */
type ArgumentsOf<A extends readonly Argument[]> = {
  readonly [Index in keyof A]:
    | (A[Index] extends { choices: readonly (infer Choice)[] } ? Choice : string)
    | (A[Index] extends { optional: true } ? undefined : never);
};

/** A definition with the types of all that is in it. */
export function define<const F extends Flags, const A extends readonly Argument[]>(
  definition: Definition<F, A>,
): Definition<F, A> {
  return definition;
}

/** A command of a definition and a program that takes what it defines. */
export function runnable<F extends Flags, A extends readonly Argument[]>(
  definition: Definition<F, A>,
  run: (flags: FlagsOf<Definition<F, A>>, ...args: ArgumentsOf<A>) => number | Promise<number>,
): Command {
  return { ...definition, run: run as unknown as Command["run"] };
}
