/*
 * A command as data. Parsing, help and completion are all derived from it. The code that runs the command is in a
 * separate module, so that help and completion load no command.
 */

/** A flag of a command. A flag without {@link Flag.value} is a switch. */
export interface Flag {
  /** Its line in the help. */
  readonly text: string;
  readonly short?: string;
  /** The name of its value in the help, such as `DIR`. */
  readonly value?: string;
  /** The values that it accepts; undefined accepts any value. */
  readonly choices?: readonly string[];
  /** More values that it accepts beside its choices, and how the help shows them. */
  readonly also?: { readonly shown: string; readonly pattern: RegExp };
  /** The value if the flag is not set. */
  readonly fallback?: string;
  /** The flag may be repeated. With choices, a value may also be a comma-separated list of them. */
  readonly many?: true;
  /** If the value is a path, its kind, for completion. */
  readonly path?: PathKind;
  /** The heading of the flag in the help, if it is not "Options". */
  readonly group?: string;
  /** The topic of `ccf help` that explains the flag; the help of its commands only names it. */
  readonly topic?: TopicName;
}

/** A positional argument of a command. */
export interface Argument {
  readonly name: string;
  readonly text: string;
  readonly optional?: true;
  /** The argument may be repeated; only the last one. */
  readonly many?: true;
  readonly choices?: readonly string[];
  /** Loads the values that completion offers, if they are too many to be choices in the help. */
  readonly completed?: () => Promise<readonly string[]>;
  readonly path?: PathKind;
}

/** `file` also completes directories, because a file may be in one or because the command accepts both. */
export type PathKind = "file" | "directory";

/** What several commands have in common, and `ccf help` explains once. */
export type TopicName = "packages" | "credentials" | "releases" | "clouds";

/** A paragraph of a section of the help, or a term with its meaning. */
export type Entry = string | readonly [term: string, meaning: string];

/** The width of help and of explanations, the same on every terminal and in every file. */
export const helpWidth = 80;

export type Flags = Readonly<Record<string, Flag>>;

/** The name, the arguments, the flags and the help of a command. */
export interface Definition<F extends Flags = Flags, A extends readonly Argument[] = readonly Argument[]> {
  readonly name: string;
  /** One line in the list of commands: imperative, lower case, without a period. */
  readonly summary: string;
  /** The first paragraph of the command's help: imperative, whole sentences. */
  readonly description: string;
  /** Usage lines without the name, if the arguments and flags alone do not show the usage. */
  readonly usage?: readonly string[];
  readonly arguments: A;
  readonly flags: F;
  /** More sections of the help: what is below each title. */
  readonly sections?: Readonly<Record<string, readonly Entry[]>>;
  /** The meaning of the exit codes, if it is more than 0 for success and 1 for failure. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  readonly examples: readonly string[];
}

/** A definition with the function that runs the command. */
export interface Command extends Definition {
  run(flags: Readonly<Record<string, FlagValue>>, ...args: readonly ArgumentValue[]): number | Promise<number>;
}

/** The value of one argument on a command line; a list if it may be repeated. */
export type ArgumentValue = string | readonly string[] | undefined;

/** The value of one flag on a command line. */
export type FlagValue = boolean | string | readonly string[] | undefined;

type ValueOf<F extends Flag> = F extends { many: true }
  ? readonly string[]
  : F extends { value: string }
    ?
        | (F extends { choices: readonly (infer Choice)[] } ? Choice : string)
        | (F extends { fallback: string } ? never : undefined)
    : boolean;

/** The values of a definition's flags, as the command receives them. */
export type FlagsOf<D extends Pick<Definition, "flags">> = {
  readonly [Name in keyof D["flags"]]: ValueOf<D["flags"][Name]>;
};

/** The values of a definition's arguments. */
type ArgumentsOf<A extends readonly Argument[]> = {
  readonly [Index in keyof A]: A[Index] extends { many: true }
    ? readonly string[]
    :
        | (A[Index] extends { choices: readonly (infer Choice)[] } ? Choice : string)
        | (A[Index] extends { optional: true } ? undefined : never);
};

/** Returns the definition with the literal types of its flags and arguments. */
export function define<const F extends Flags, const A extends readonly Argument[]>(
  definition: Definition<F, A>,
): Definition<F, A> {
  return definition;
}

/** Makes a command from a definition and an import of the function that runs it, which accepts its flags and arguments. */
export function runnable<F extends Flags, A extends readonly Argument[]>(
  definition: Definition<F, A>,
  load: () => Promise<(flags: FlagsOf<Definition<F, A>>, ...args: ArgumentsOf<A>) => number | Promise<number>>,
): Command {
  return { ...definition, run: async (...given) => ((await load()) as unknown as Command["run"])(...given) };
}

/*
 * Arguments and flags that commands share, each with one meaning.
 */

/** The package that a command reads or changes. */
export const packageArgument = {
  name: "DIR",
  text: "the package directory (default: the current directory)",
  optional: true,
  path: "directory",
} as const;

/** `-o FORMAT`; the first format is the default, for people. */
export function outputFlag<const Forms extends readonly [string, ...string[]]>(...choices: Forms) {
  const [fallback] = choices;
  return { short: "o", value: "FORMAT", choices, fallback, text: "output format" } as const;
}

/** `--quiet` omits notes and progress. `--verbose` adds what is only information: findings with the severity `info`. */
export const messageFlags = {
  quiet: { short: "q", text: "print only problems and requested output" },
  verbose: { text: "also print notes, with the severity info" },
} as const;

/** `--check`: prints what a run would do. */
export const checkFlag = { text: "write nothing; exit with 2 if a file would change" } as const;

/** For a package with parts that this project does not own. */
export const onlyOursFlag = { text: "skip third-party functions and nested packages" } as const;

/** For commands that compare or judge the permissions of roles. */
export const roleDefinitionsFlag = {
  value: "DIR",
  path: "directory",
  text: 'files with the output of "gcloud iam roles describe ROLE --format=json" or "az role definition list --name ROLE --output json"; they replace the definitions of roles that ccf contains',
} as const;

/** For commands that compare a cluster with the release that it is upgraded to. */
export const previousReleaseFlag = {
  value: "DIR",
  path: "directory",
  text: 'the directory of the release that the cluster runs, from "ccf extract-release": it decides which capabilities the upgrade enables, as in the cluster-version-operator',
} as const;

/** The flag of commands that answer questions about permissions, or judge them. */
export const policyDocumentsFlag = {
  value: "FILE",
  path: "file",
  many: true,
  text: 'managed policies and permissions boundaries: the output of "aws iam get-account-authorization-details --filter LocalManagedPolicy AWSManagedPolicy", a file for each account; may be repeated',
} as const;
