import type { Clause } from "./clause.ts";
import type { Glob } from "./glob.ts";

/** What a condition operator for strings requires of a key: its value must be in one of the sets, or in none of them. */
export interface Asking {
  readonly isAny: boolean;
  readonly ignoresCase: boolean;
  readonly sets: readonly Glob[];
}

const operators: Readonly<Record<string, Omit<Asking, "sets"> & { readonly hasWildcards: boolean }>> = {
  StringEquals: { isAny: true, ignoresCase: false, hasWildcards: false },
  StringNotEquals: { isAny: false, ignoresCase: false, hasWildcards: false },
  StringEqualsIgnoreCase: { isAny: true, ignoresCase: true, hasWildcards: false },
  StringNotEqualsIgnoreCase: { isAny: false, ignoresCase: true, hasWildcards: false },
  StringLike: { isAny: true, ignoresCase: false, hasWildcards: true },
  StringNotLike: { isAny: false, ignoresCase: false, hasWildcards: true },
  Bool: { isAny: true, ignoresCase: true, hasWildcards: false },
};

// Keys that may have more than one value in a request (IAM User Guide, "Single-valued vs. multivalued context keys").
// Different values may then meet different conditions.
const severalValues = new Set([
  "aws:calledvia",
  "aws:principalorgpaths",
  "aws:principalservicenameslist",
  "aws:resourceorgpaths",
  "aws:sourceorgpaths",
  "aws:tagkeys",
  "aws:vpceorgpaths",
]);

/** Returns what a clause requires of its key, as sets; undefined if it is not a known comparison of strings. */
export function askingOf({ key, operator, values }: Clause): Asking | undefined {
  if (severalValues.has(key) || !Object.hasOwn(operators, operator)) return undefined;
  const { isAny, ignoresCase, hasWildcards } = operators[operator] as (typeof operators)[string];
  // Only AWS knows the value of a policy variable. Without wildcards, a star may mean itself.
  if (values.some((value) => value.includes("${") || (!hasWildcards && /[*?]/.test(value)))) return undefined;
  return { isAny, ignoresCase, sets: ignoresCase ? values.map((value) => value.toLowerCase()) : values };
}

/** Whether a clause is true only if the request has its key. */
export function needsKey({ operator, values }: Clause): boolean {
  if (operator === "Null") return values.length === 1 && values[0] === "false";
  return Object.hasOwn(operators, operator) && operators[operator]?.isAny === true;
}

/** The same requirement, ignoring case. */
export function inLowerCase(asking: Asking): Asking {
  return { ...asking, ignoresCase: true, sets: asking.sets.map((text) => text.toLowerCase()) };
}
