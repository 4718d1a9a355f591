import { compareText } from "../core/text.ts";
import { type Budget, fewSteps, readingCost, spend, unlessTooComplex } from "./budget.ts";
import { type Asking, askingOf, type Clause } from "./clause.ts";
import { intersects, isCovered } from "./glob.ts";

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

/** Splits a condition into one condition for each value of the operators that need only one matching value. */
export function alternatives(whole: Condition): readonly Condition[] {
  let all: Clause[][] = [[]];
  for (const clause of whole) {
    const parts = isSplit(clause, all.length)
      ? clause.values.map((value) => ({ ...clause, values: [value] }))
      : [clause];
    all = all.flatMap((one) => parts.map((part) => [...one, part]));
  }
  return all;
}

/** The number of {@link alternatives} of a condition, and the maximum number of characters in one of them. */
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
