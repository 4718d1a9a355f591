import { type Budget, unlessTooComplex } from "./budget.ts";
import { type Asking, askingOf, type Clause, inLowerCase } from "./clause.ts";
import type { Condition } from "./condition.ts";
import { intersects, isCovered } from "./glob.ts";

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
