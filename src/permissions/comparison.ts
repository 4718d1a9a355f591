import { type Budget, manySteps } from "./automaton.ts";
import { denialsOf } from "./denials.ts";
import { type Gains, gains } from "./gains.ts";
import { type Atom, atomKey, atomsOf, bounded, type Permissions } from "./permissions.ts";

/** How two permissions differ, in terms of their statements: Allow and Deny are compared separately. All lists are sorted. */
export interface PermissionComparison {
  /** Newly allowed parts. */
  readonly granted: readonly Atom[];
  /** Parts that are no longer allowed. */
  readonly taken: readonly Atom[];
  /** New denials that remove something that was allowed. */
  readonly denied: readonly Atom[];
  /** Removed denials, if something that they denied is allowed now. */
  readonly lifted: readonly Atom[];
  /** New denials that remove only something of the newly allowed parts. */
  readonly limiting: readonly Atom[];
  /** Removed denials that removed only something of the parts that are no longer allowed. */
  readonly limited: readonly Atom[];
  /** Whether something was allowed by a removed statement and denied by another removed statement. */
  readonly isUncovered: boolean;
}

/** Compares permissions. Each direction has its own budget, so that swapping the arguments mirrors the result. */
export function comparePermissions(old: Permissions, now: Permissions): PermissionComparison {
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

// A new denial that removes nothing of what was allowed is reported with the new permissions that it limits.
function limiting(now: Permissions, old: Permissions, more: Gains, less: Gains, budget: Budget): Atom[] {
  const told = new Set(less.lifted.map(atomKey));
  const denied = atomsOf(bounded(now), "Deny").filter((atom) => !told.has(atomKey(atom)));
  return denialsOf(denied, more.allowed, atomsOf(bounded(old), "Deny"), budget);
}

/** Whether more is allowed than before. */
export function isMore({ granted, lifted }: PermissionComparison): boolean {
  return granted.length + lifted.length > 0;
}

/** Whether less is allowed than before. */
export function isLess({ taken, denied }: PermissionComparison): boolean {
  return taken.length + denied.length > 0;
}

/** The comparison without what could not be decided. */
export function decidedPart({ isUncovered, ...lists }: PermissionComparison): PermissionComparison {
  const decided = (atoms: readonly Atom[]) => atoms.filter(({ undecided }) => undecided === undefined);
  const { granted, taken, denied, lifted, limiting: more, limited } = lists;
  return {
    ...{ granted: decided(granted), taken: decided(taken), denied: decided(denied), lifted: decided(lifted) },
    ...{ limiting: decided(more), limited: decided(limited), isUncovered },
  };
}

/** Whether some parts could not be compared. What something unreadable may cover was compared with everything else. */
export function isIncomparable({
  granted,
  taken,
  denied,
  lifted,
  limiting: more,
  limited,
}: PermissionComparison): boolean {
  const all = [granted, taken, denied, lifted, more, limited].flat();
  return all.some(({ undecided, isCompared }) => undecided !== undefined && isCompared !== true);
}
