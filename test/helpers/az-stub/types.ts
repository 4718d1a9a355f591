import type { Value } from "../arm/types.ts";

export type { Seed, Settings, State, Value } from "../arm/types.ts";

/**
 * How a call fails: refused, throttled or not served before it had its effect; without an answer, before or after it; killed
 * with its callers, before or after it; or with a message of its own before it.
 */
export type How =
  | "refused"
  | "throttled"
  | "unavailable"
  | "reset"
  | "lost"
  | "killed-before"
  | "killed-after"
  | { readonly error: string };

export interface Call {
  /** The words of the command, such as `storage blob upload`. */
  command: string;
  /** Everything after `az`. */
  args: string[];
  /** The options, without those that every call has. */
  flags: Record<string, string>;
  /** The request of `az rest`: its method in capitals, its path without the query, and its body. */
  method: string;
  path: string;
  body: Value;
  /** Whether the command changes something, regardless of its result. */
  changes: boolean;
  /** What standard input is, such as `/dev/null`. */
  input: string;
  /** The exit code, and the HTTP status of the answer. */
  status: number;
  http: number;
}
