import { type Budget, manySteps } from "./budget.ts";
import { denialsOf, type Gains, gains } from "./gains.ts";
import { type Atom, atomKey, atomsOf, bounded, type Permissions } from "./permissions.ts";

/** How two permissions differ, told by what is written: allowances and denials each for themselves. All in order. */
export interface Comparison {
  /** What is allowed now, and was not. */
  readonly granted: readonly Atom[];
  readonly taken: readonly Atom[];
  /** What is denied now and was not, and takes away something that was allowed. */
  readonly denied: readonly Atom[];
  /** What was denied and no longer is, and gives something that is allowed now. */
  readonly lifted: readonly Atom[];
  /** What is denied now and was not, and takes away something of what is granted alone. */
  readonly limiting: readonly Atom[];
  /** What was denied and no longer is, and took away something of what is taken alone. */
  readonly limited: readonly Atom[];
  /** Whether something was allowed by a statement that is gone, and denied by one that is gone too. */
  readonly isUncovered: boolean;
}

/** Compares permissions; each direction has steps of its own, so that the way back is the mirror image of the way there. */
export function comparePermissions(old: Permissions, now: Permissions): Comparison {
  const [there, back] = [{ steps: manySteps }, { steps: manySteps }];
  const [more, less] = [gains(now, old, there), gains(old, now, back)];
  const limited = limiting(old, now, less, more, back);
  return {
    granted: more.allowed,
    taken: less.allowed,
    denied: less.lifted,
    lifted: more.lifted,
    limiting: limiting(now, old, more, less, there),
    limited,
    isUncovered: less.dormant.length > 0 && more.lifted.length + limited.length > 0,
  };
}

// A denial that takes nothing away yet comes with what it limits.
function limiting(now: Permissions, old: Permissions, more: Gains, less: Gains, budget: Budget): Atom[] {
  const told = new Set(less.lifted.map(atomKey));
  const denied = atomsOf(bounded(now), "Deny").filter((atom) => !told.has(atomKey(atom)));
  return denialsOf(denied, more.allowed, atomsOf(bounded(old), "Deny"), budget);
}

/** Whether more is allowed than was. */
export function isMore({ granted, lifted }: Comparison): boolean {
  return granted.length + lifted.length > 0;
}

/** Whether less is allowed than was. */
export function isLess({ taken, denied }: Comparison): boolean {
  return taken.length + denied.length > 0;
}

/** Whether there is a part of which it could not be told whether it is another. */
export function isUndecided({ granted, taken, denied, lifted, limiting: more, limited }: Comparison): boolean {
  return [granted, taken, denied, lifted, more, limited].flat().some(({ undecided }) => undecided !== undefined);
}
