import { compareText } from "../core/text.ts";
import { separator } from "./automaton.ts";
import { type Budget, spend } from "./budget.ts";
import { alternatives, type Condition, describeCondition, sizeOfAlternatives } from "./condition.ts";
import { areDisjoint } from "./disjoint.ts";
import { type Glob, intersects, isCovered } from "./glob.ts";

/** A statement, as sets: who, what, on what, when. */
export interface Grant {
  readonly effect: "Allow" | "Deny";
  /** Who: sets of principals, or one empty text where the policy belongs to an identity. */
  readonly principals: readonly Glob[];
  /** As they are written; no cloud tells them apart by case. */
  readonly actions: readonly Glob[];
  readonly resources: readonly Glob[];
  readonly condition: Condition;
  /** Why what it says is no set that is known here: `NotAction`, an unknown form. */
  readonly undecided?: string;
}

/** What an identity may do: everything that is allowed and not denied. */
export type Permissions = readonly Grant[];

/** A part of permissions that stands alone: one set of each kind. */
export interface Atom {
  readonly principal: Glob;
  readonly action: Glob;
  readonly resource: Glob;
  readonly condition: Condition;
  /** Why it could not be told whether it is covered. */
  readonly undecided?: string;
}

/** Everything that is allowed by one statement and denied by none that is read here, part by part. */
export function atomsOf(permissions: Permissions, effect: Grant["effect"]): Atom[] {
  return permissions.flatMap((grant) => (grant.effect === effect && grant.undecided === undefined ? atoms(grant) : []));
}

/** The parts of a statement. */
export function atoms({ principals, actions, resources, condition }: Grant): Atom[] {
  return principals.flatMap((principal) =>
    actions.flatMap((action) =>
      resources.flatMap((resource) =>
        alternatives(condition).map((alternative) => ({ principal, action, resource, condition: alternative })),
      ),
    ),
  );
}

/** The one part that stands for a statement that cannot be read. */
export function unreadAtom({ principals, actions, resources, condition, undecided = "" }: Grant): Atom {
  const only = (list: readonly Glob[]) => (list.length === 1 ? (list[0] as Glob) : "*");
  return { principal: only(principals), action: only(actions), resource: only(resources), condition, undecided };
}

/** So much of an identity's permissions is compared, in characters; what IAM takes for a role has some ten thousand. */
const maxText = 150_000;

/** What a part costs besides its characters. */
const partCost = 60;

/** Permissions without the statements that have too many parts to be compared: these are undecided as a whole. */
export function bounded(permissions: Permissions): Permissions {
  const counted = permissions.map((grant) => ({ grant, size: sizeOf(grant) }));
  if (counted.reduce((sum, { size }) => sum + size, 0) <= maxText) return permissions;
  let left = maxText;
  return counted
    .map(({ grant, size }) => ({ grant, size, key: keyOf(grant) }))
    .sort((x, y) => x.size - y.size || compareText(x.key, y.key))
    .map(({ grant, size }) => {
      left -= size;
      return left >= 0 ? grant : { ...grant, undecided: grant.undecided ?? tooMany };
    });
}

// How long all parts of a statement are together.
function sizeOf({ principals, actions, resources, condition }: Grant): number {
  const { count, characters } = sizeOfAlternatives(condition);
  const lists = [principals, actions, resources];
  const parts = lists.reduce((product, { length }) => product * length, count);
  const average = (list: readonly Glob[]) => list.reduce((sum, { length }) => sum + length, 0) / (list.length || 1);
  return parts * (partCost + characters + lists.reduce((sum, list) => sum + average(list), 0));
}

const tooMany = "a statement has too many actions, resources and values to be compared";

/** Whether two parts have something in common. */
export function meet(a: Atom, b: Atom, budget: Budget): boolean {
  spend(budget, 1);
  return intersects(globOf(a), globOf(b), budget) && areDisjoint(a.condition, b.condition, budget) !== true;
}

/** Whether a part is within another, whenever that is. */
export function isPartOf(a: Atom, b: Atom, budget: Budget): boolean {
  return isCovered([globOf(a)], [globOf(b)], budget);
}

/** What a part is about, whenever that is. */
export function globOf({ principal, action, resource }: Omit<Atom, "condition">): Glob {
  return `${principal}${separator}${action.toLowerCase()}${separator}${resource}`;
}

/** What tells parts apart: who, what, on what, when. */
export function atomKey(atom: Atom): string {
  return `${globOf(atom)}${separator}${describeCondition(atom.condition)}`;
}

/** What tells statements apart; order, repetition and case of their lists do not. */
export function keyOf({ effect, principals, actions, resources, condition, undecided = "" }: Grant): string {
  const sorted = (list: readonly string[]) => [...new Set(list)].sort(compareText);
  const sets = [sorted(principals), sorted(actions.map((action) => action.toLowerCase())), sorted(resources)];
  return JSON.stringify([effect, ...sets, describeCondition(condition), undecided]);
}
