import type { Clause } from "./clause.ts";
import type { Glob } from "./glob.ts";

/** What an operator that compares texts asks of a key: whether one of some sets must have its value, or none may. */
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

// Keys of which a request may have several values (IAM User Guide, "Single-valued vs. multivalued context keys"): then
// each of two conditions may be met by another one of them.
const severalValues = new Set([
  "aws:calledvia",
  "aws:principalorgpaths",
  "aws:principalservicenameslist",
  "aws:resourceorgpaths",
  "aws:sourceorgpaths",
  "aws:tagkeys",
  "aws:vpceorgpaths",
]);

/** What a clause asks of its key, as sets; undefined where it is no question about texts that is known here. */
export function askingOf({ key, operator, values }: Clause): Asking | undefined {
  if (severalValues.has(key) || !Object.hasOwn(operators, operator)) return undefined;
  const { isAny, ignoresCase, hasWildcards } = operators[operator] as (typeof operators)[string];
  // A policy variable stands for a text that only AWS knows, and a star may stand for itself.
  if (values.some((value) => value.includes("${") || (!hasWildcards && /[*?]/.test(value)))) return undefined;
  return { isAny, ignoresCase, sets: ignoresCase ? values.map((value) => value.toLowerCase()) : values };
}

/** Whether a clause holds only where a request has its key. */
export function needsKey({ operator, values }: Clause): boolean {
  if (operator === "Null") return values.length === 1 && values[0] === "false";
  return Object.hasOwn(operators, operator) && operators[operator]?.isAny === true;
}

/** The same question without regard to case. */
export function inLowerCase(asking: Asking): Asking {
  return { ...asking, ignoresCase: true, sets: asking.sets.map((text) => text.toLowerCase()) };
}
