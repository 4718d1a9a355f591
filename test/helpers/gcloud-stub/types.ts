import type { Request, Response, Settings, State, Value } from "../google/types.ts";

export type { Binding, Constraint, Seed, Settings, State, Value } from "../google/types.ts";

/** How a call fails: before or after it had its effect, or with a message of its own before it. */
export type How =
  | "refused"
  | "unavailable"
  | "lost"
  | "lost-and-retried"
  | "killed-before"
  | "killed-after"
  | { readonly error: string };

export interface Call {
  /** The words of the command, such as `iam roles create`. */
  command: string;
  /** Everything after `gcloud`. */
  args: string[];
  /** The names without an option, and the options, without those that every call has. */
  names: string[];
  flags: Record<string, Value>;
  /** Whether the command changes something, regardless of its result. */
  changes: boolean;
  /** What standard input is, such as `/dev/null`. */
  input: string;
  /** The exit code. */
  status: number;
  /** The requests that it made, as method and path. */
  requests: string[];
}

/** What a command can use. */
export interface Situation {
  names: readonly string[];
  flags: Readonly<Record<string, Value>>;
  project: string;
  /** Asks Google; throws a `Failure` with the command's form of what Google refuses. */
  ask(method: Request["method"], path: string, more?: Partial<Omit<Request, "method" | "path">>): Value;
  /** Asks Google, and gives every response. */
  response(method: Request["method"], path: string, more?: Partial<Omit<Request, "method" | "path">>): Response;
  /** Reads a file that an argument names. */
  read(name: string): string;
  /** Prints a line on standard error. */
  say(text: string): void;
  state: State;
  settings: Settings;
}

export interface Command {
  /** The options that take a value, or none, or both forms (`--disabled`, `--no-disabled`). */
  texts?: readonly string[];
  switches?: readonly string[];
  choices?: readonly string[];
  /** Options that must be given. */
  required?: readonly string[];
  /** The number of names without an option, or the least and the most. */
  names: number | readonly [number, number];
  changes?: boolean;
  run(situation: Situation): Value;
}
