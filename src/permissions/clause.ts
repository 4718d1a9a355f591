import type { Glob } from "./glob.ts";

/** One line of a condition: an operator, a key, and the values that it may (or must not) have. */
export interface Clause {
  readonly operator: string;
  /** In lowercase, because keys are case-insensitive. */
  readonly key: string;
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
  /** What the operator requires, according to its cloud; missing if that is not known. */
  readonly meaning?: ClauseMeaning;
}

/** What a clause requires of a request. A clause with the same operator, key and values always has the same meaning. */
export interface ClauseMeaning {
  /**
   * - `any`: the request has the key, and its value matches one of the values. More values match more requests.
   * - `none`: the request does not have the key, or its value matches none of the values.
   * - `present`, `absent`: the request has the key, or does not.
   */
  readonly holds: "any" | "none" | "present" | "absent";
  /** How values are compared as texts; missing if the values of two clauses cannot be compared. */
  readonly texts?: TextMeaning;
}

/** How an operator compares texts. */
export interface TextMeaning {
  readonly ignoresCase: boolean;
  /** `*` and `?` are wildcards. Otherwise, a star may mean itself, and a value with one cannot be compared. */
  readonly hasWildcards: boolean;
  /** What marks a value that only the cloud knows, such as a variable. */
  readonly variable: string;
}

/** What a clause requires of the value of its key: to be in one of the sets, or in none of them. */
export interface Asking {
  readonly isAny: boolean;
  readonly ignoresCase: boolean;
  readonly sets: readonly Glob[];
}

/** Returns what a clause requires of its key, as sets; undefined if its values cannot be compared. */
export function askingOf({ values, meaning }: Clause): Asking | undefined {
  if (meaning?.texts === undefined) return undefined;
  const { ignoresCase, hasWildcards, variable } = meaning.texts;
  if (values.some((value) => value.includes(variable) || (!hasWildcards && /[*?]/.test(value)))) return undefined;
  const sets = ignoresCase ? values.map((value) => value.toLowerCase()) : values;
  return { isAny: meaning.holds === "any", ignoresCase, sets };
}

/** The same requirement, ignoring case. */
export function inLowerCase(asking: Asking): Asking {
  return { ...asking, ignoresCase: true, sets: asking.sets.map((text) => text.toLowerCase()) };
}
