import { compareText } from "../core/text.ts";
import { type Budget, fewSteps, readingCost, spend, unlessTooComplex } from "./budget.ts";
import type { Clause } from "./clause.ts";
import { intersects, isCovered } from "./glob.ts";
import { type Asking, askingOf } from "./text-operators.ts";

export type { Clause };

/** Clauses that must all hold, sorted; none is always true. */
export type Condition = readonly Clause[];

/** Operators that hold when one of the values fits: more values, more requests. */
const anyOf = new Set(["StringEquals", "StringEqualsIgnoreCase", "StringLike", "ArnEquals", "ArnLike", "IpAddress"]);

/** Operators that hold when none of the values fits: more values, fewer requests. */
const noneOf = new Set([
  "StringNotEquals",
  "StringNotEqualsIgnoreCase",
  "StringNotLike",
  "ArnNotEquals",
  "ArnNotLike",
  "NotIpAddress",
]);

/** Puts clauses in order. */
export function condition(clauses: readonly Clause[]): Condition {
  return clauses
    .map(({ operator, key, values }) => ({
      operator,
      key: key.toLowerCase(),
      values: [...new Set(values)].sort(compareText),
    }))
    .sort((a, b) => compareText(textOf(a), textOf(b)));
}

/**
 * Says whether every request that meets `narrow` meets `wide`, as far as that can be told: undefined where it cannot,
 * because an operator is one whose values have no order that is known here.
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
  // Of other operators it is known whether more values are more requests, and not which values have something in common.
  const [small, large] = anyOf.has(wide.operator) ? [narrow, wide] : noneOf.has(wide.operator) ? [wide, narrow] : [];
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

/** A condition for each value of the operators of which one value is enough, so that each can be looked at alone. */
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

/** How many {@link alternatives} a condition has, and how many characters one of them has at most. */
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

function isSplit({ operator, values }: Clause, before: number): boolean {
  return anyOf.has(operator) && values.length > 1 && before * values.length <= maxAlternatives;
}

function lengthOf({ values }: Clause): number {
  return values.reduce((sum, { length }) => sum + length, 0);
}

const maxAlternatives = 256;

/** A condition as people read it. */
export function describeCondition(whole: Condition): string {
  return whole.map(textOf).join(" and ");
}

function textOf({ operator, key, values }: Clause): string {
  return `${operator} ${key} ${values.map((value) => JSON.stringify(value)).join(" or ")}`;
}
