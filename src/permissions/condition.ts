import { compareText } from "../core/text.ts";
import { type Budget, fewSteps, readingCost, spend, unlessTooComplex } from "./automaton.ts";
import { type Glob, intersects, isCovered } from "./glob.ts";

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
interface Asking {
  readonly isAny: boolean;
  readonly ignoresCase: boolean;
  readonly sets: readonly Glob[];
}

/** Returns what a clause requires of its key, as sets; undefined if its values cannot be compared. */
function askingOf({ values, meaning }: Clause): Asking | undefined {
  if (meaning?.texts === undefined) return undefined;
  const { ignoresCase, hasWildcards, variable } = meaning.texts;
  if (values.some((value) => value.includes(variable) || (!hasWildcards && /[*?]/.test(value)))) return undefined;
  const sets = ignoresCase ? values.map((value) => value.toLowerCase()) : values;
  return { isAny: meaning.holds === "any", ignoresCase, sets };
}

/** The same requirement, ignoring case. */
function inLowerCase(asking: Asking): Asking {
  return { ...asking, ignoresCase: true, sets: asking.sets.map((text) => text.toLowerCase()) };
}

/** Clauses that must all be true, sorted. An empty condition is always true. */
export type Condition = readonly Clause[];

/** Returns the condition with the given clauses, in canonical order. */
export function condition(clauses: readonly Clause[]): Condition {
  return clauses
    .map((clause) => ({
      ...clause,
      key: clause.key.toLowerCase(),
      values: [...new Set(clause.values)].sort(compareText),
    }))
    .sort((a, b) => compareText(textOf(a), textOf(b)));
}

/**
 * Returns whether every request that meets `narrow` also meets `wide`. Undefined if that cannot be decided, because this code
 * cannot compare the values of an operator.
 */
export function implies(narrow: Condition, wide: Condition, budget: Budget = { steps: fewSteps }): boolean | undefined {
  let unknown = false;
  for (const clause of wide) {
    const answers = narrow.filter(({ key }) => key === clause.key).map((one) => clauseImplies(one, clause, budget));
    if (answers.includes(true)) continue;
    if (!answers.includes(undefined)) return false;
    unknown = true;
  }
  return unknown ? undefined : true;
}

function clauseImplies(narrow: Clause, wide: Clause, budget: Budget): boolean | undefined {
  spend(budget, 1 + (lengthOf(narrow) + lengthOf(wide)) * readingCost);
  if (textOf(narrow) === textOf(wide)) return true;
  const [one, other] = [askingOf(narrow), askingOf(wide)];
  if (one !== undefined && other !== undefined && one.ignoresCase === other.ignoresCase)
    return unlessTooComplex<boolean | undefined>(undefined, () => askImplies(one, other, budget));
  if (narrow.operator !== wide.operator) return undefined;
  // For other operators, only the effect of more values is known, not which values overlap.
  const holds = wide.meaning?.holds;
  const [small, large] = holds === "any" ? [narrow, wide] : holds === "none" ? [wide, narrow] : [];
  return large !== undefined && small?.values.every((value) => large.values.includes(value)) ? true : undefined;
}

function askImplies(narrow: Asking, wide: Asking, budget: Budget): boolean {
  const isWithin = (a: Asking, b: Asking) => a.sets.every((set) => isCovered([set], b.sets, budget));
  if (narrow.isAny) {
    if (wide.isAny) return isWithin(narrow, wide);
    return !narrow.sets.some((set) => wide.sets.some((each) => intersects(set, each, budget)));
  }
  return !wide.isAny && isWithin(wide, narrow);
}

/**
 * Splits a condition into one condition for each value of the operators that need only one matching value. Conditions that no
 * request can meet are excluded, so there are none for a condition that contradicts itself.
 */
export function splitCondition(whole: Condition): readonly Condition[] {
  let all: Clause[][] = [[]];
  for (const clause of whole) {
    const parts = isSplit(clause, all.length)
      ? clause.values.map((value) => ({ ...clause, values: [value] }))
      : [clause];
    all = all.flatMap((one) => parts.map((part) => [...one, part]));
  }
  return isRepeating(whole) ? all.filter((one) => !isContradictory(one)) : all;
}

// Only clauses about the same key can contradict each other.
function isRepeating(whole: Condition): boolean {
  return new Set(whole.map(({ key }) => key)).size < whole.length;
}

function isContradictory(whole: Condition): boolean {
  const budget = { steps: fewSteps };
  return whole.some((one, index) => areDisjoint([one], whole.slice(index + 1), budget) === true);
}

/** The number of {@link splitCondition} of a condition, and the maximum number of characters in one of them. */
export function sizeOfAlternatives(whole: Condition): { readonly count: number; readonly characters: number } {
  let [count, characters] = [1, 0];
  for (const clause of whole) {
    const split = isSplit(clause, count);
    characters += split ? Math.max(...clause.values.map(({ length }) => length)) : lengthOf(clause);
    characters += clause.operator.length + clause.key.length;
    if (split) count *= clause.values.length;
  }
  return { count, characters };
}

function isSplit({ values, meaning }: Clause, before: number): boolean {
  return meaning?.holds === "any" && values.length > 1 && before * values.length <= maxAlternatives;
}

function lengthOf({ values }: Clause): number {
  return values.reduce((sum, { length }) => sum + length, 0);
}

const maxAlternatives = 256;

/** Describes a condition for people. */
export function describeCondition(whole: Condition): string {
  return whole.map(textOf).join(" and ");
}

function textOf({ operator, key, values }: Clause): string {
  return `${operator} ${key} ${values.map((value) => JSON.stringify(value)).join(" or ")}`;
}

/**
 * Returns whether no request meets both conditions. Undefined if that cannot be decided. False if a request may meet both,
 * for example because the conditions are about different keys.
 */
export function areDisjoint(a: Condition, b: Condition, budget: Budget): boolean | undefined {
  let unknown = false;
  for (const clause of a) {
    for (const other of b) {
      const answer = clause.key === other.key ? clausesAreDisjoint(clause, other, budget) : false;
      if (answer === true) return true;
      unknown ||= answer === undefined;
    }
  }
  return unknown ? undefined : false;
}

function clausesAreDisjoint(a: Clause, b: Clause, budget: Budget): boolean | undefined {
  if (isAbsence(a) || isAbsence(b)) return needsKey(isAbsence(a) ? b : a) || undefined;
  const [one, other] = [askingOf(a), askingOf(b)];
  if (one === undefined || other === undefined) return isSame(a, b) ? false : undefined;
  return unlessTooComplex<boolean | undefined>(undefined, () => askDifferent(one, other, budget));
}

function askDifferent(a: Asking, b: Asking, budget: Budget): boolean | undefined {
  if (!(a.isAny || b.isAny)) return false;
  if (a.ignoresCase !== b.ignoresCase) {
    // A negated set can be compared only with a set that treats case the same.
    return a.isAny && b.isAny ? askDifferent(inLowerCase(a), inLowerCase(b), budget) : undefined;
  }
  if (a.isAny && b.isAny) return !a.sets.some((set) => b.sets.some((each) => intersects(set, each, budget)));
  const [any, none] = a.isAny ? [a, b] : [b, a];
  return any.sets.every((set) => isCovered([set], none.sets, budget));
}

function isSame(a: Clause, b: Clause): boolean {
  return a.operator === b.operator && JSON.stringify(a.values) === JSON.stringify(b.values);
}

function isAbsence({ meaning }: Clause): boolean {
  return meaning?.holds === "absent";
}

function needsKey({ meaning }: Clause): boolean {
  return meaning?.holds === "any" || meaning?.holds === "present";
}
