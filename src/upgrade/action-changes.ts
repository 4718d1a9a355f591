import { compareText } from "../core/text.ts";
import { type Budget, unlessTooComplex } from "../permissions/budget.ts";
import { describeCondition } from "../permissions/condition.ts";
import { type Glob, isCovered } from "../permissions/glob.ts";
import { type Atom, atomKey, isPartOf, meet } from "../permissions/permissions.ts";
import { type ActionIndex, actionIndex, nameOf } from "./action-index.ts";

/** One action (permission, role) of which what it is allowed on, or when, is another now; or what it is denied on. */
export interface ActionChange {
  /** "changed" is one that was allowed, and is, for something. */
  readonly kind: "added" | "removed" | "changed";
  readonly action: string;
  /** Of a changed one, whether it is allowed on more resources, or on fewer. */
  readonly resources: "none" | "widened" | "narrowed" | "both";
  /** Of a changed one, whether it depends on a condition that it did not depend on, or the other way round. */
  readonly condition: "none" | "added" | "removed" | "changed";
  /** Of a changed one, what it was allowed on and when, by the statements that are others now. */
  readonly old: readonly Extent[];
  readonly new: readonly Extent[];
  /** What of it was allowed before, by other statements. */
  readonly allowedBefore: readonly Part[];
  /** What of it is still allowed, by other statements. */
  readonly stillAllowed: readonly Part[];
  /** What of it is allowed now and was not before. */
  readonly more: readonly Extent[];
  readonly less: readonly Extent[];
}

/** What an action is allowed on, and when. */
export interface Extent {
  readonly resource: string;
  /** As people read it, "" for always. */
  readonly condition: string;
  /** Why it could not be compared, and counts as a change; "" where it could. */
  readonly undecided: string;
}

/** A statement of the other side that has something in common with a change. */
export interface Part {
  readonly action: string;
  readonly resource: string;
  readonly condition: string;
  /** Whether all of it is a part of the change; else the two have something in common, and each has more. */
  readonly within: boolean;
}

/** What is allowed, or what is denied, on both sides, and what of it is more and less. */
export interface Sides {
  readonly more: readonly Atom[];
  readonly less: readonly Atom[];
  readonly old: readonly Atom[];
  readonly now: readonly Atom[];
}

/**
 * What became of actions, one by one, in order. How a change is called is worth no more than the budget: where it is used
 * up, notes are left out.
 */
export function actionChanges({ more, less, old, now }: Sides, budget: Budget): ActionChange[] {
  const [before, after] = [actionIndex(old, budget), actionIndex(now, budget)];
  const names = new Map<string, [Atom[], Atom[]]>();
  for (const [side, atoms] of [more, less].entries()) {
    for (const atom of atoms) {
      const both = names.get(nameOf(atom)) ?? [[], []];
      both[side]?.push(atom);
      names.set(nameOf(atom), both);
    }
  }
  return [...names]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, [added, removed]]) => actionChange(name, added, removed, before, after, budget));
}

function actionChange(
  name: string,
  more: readonly Atom[],
  less: readonly Atom[],
  old: ActionIndex,
  now: ActionIndex,
  budget: Budget,
): ActionChange {
  const [before, after] = [old, now].map((side) => unlessTooComplex([], () => side.whole(name))) as [Atom[], Atom[]];
  const kind = before.length === 0 ? "added" : after.length === 0 ? "removed" : "changed";
  const [was, is] = kind === "changed" ? others(before, after) : [[], []];
  const [resources, condition] = [resourceChange(was, is, budget), conditionChange(was, is)];
  const isTold = resources !== "none" || condition !== "none";
  const [told, toldNow] = isTold ? [was, is] : [[], []];
  return {
    kind,
    action: ((more[0] ?? less[0]) as Atom).action,
    resources,
    condition,
    old: places(told),
    new: places(toldNow),
    allowedBefore: unlessTooComplex([], () => parts(more, old.near(name), told, budget)),
    stillAllowed: unlessTooComplex([], () => parts(less, now.near(name), toldNow, budget)),
    more: places(more),
    less: places(less),
  };
}

// What only one side says; where one of them has nothing of its own, everything.
function others(before: readonly Atom[], after: readonly Atom[]): [readonly Atom[], readonly Atom[]] {
  const [old, now] = [before, after].map((all) => new Set(all.map(atomKey))) as [Set<string>, Set<string>];
  const [was, is] = [before.filter((atom) => !now.has(atomKey(atom))), after.filter((atom) => !old.has(atomKey(atom)))];
  return was.length === 0 || is.length === 0 ? [before, after] : [was, is];
}

// What the other side says of a change, but for what is told as its old or its new place.
function parts(changed: readonly Atom[], other: readonly Atom[], told: readonly Atom[], budget: Budget): Part[] {
  const known = new Set(told.map(atomKey));
  const decided = changed.filter(({ undecided }) => undecided === undefined);
  const found = other.flatMap((atom) => {
    const met = known.has(atomKey(atom)) ? undefined : decided.find((one) => meet(atom, one, budget));
    if (met === undefined) return [];
    const within = isPartOf(atom, met, budget);
    const { action, resource, condition } = atom;
    return [{ action, resource, condition: describeCondition(condition), within }];
  });
  return inOrder(found);
}

function resourceChange(before: readonly Atom[], after: readonly Atom[], budget: Budget): ActionChange["resources"] {
  const [old, now] = [before, after].map((atoms) => atoms.map(({ resource }) => resource)) as [Glob[], Glob[]];
  const [isMore, isLess] = [
    !now.every((text) => covered([text], old, budget)),
    !old.every((text) => covered([text], now, budget)),
  ];
  if (isMore) return isLess ? "both" : "widened";
  return isLess ? "narrowed" : "none";
}

function conditionChange(before: readonly Atom[], after: readonly Atom[]): ActionChange["condition"] {
  const [old, now] = [before, after].map((atoms) =>
    [...new Set(atoms.map(({ condition }) => describeCondition(condition)))].sort(compareText),
  ) as [string[], string[]];
  if (JSON.stringify(old) === JSON.stringify(now)) return "none";
  if (old.includes("") && !now.includes("")) return "added";
  return !old.includes("") && now.includes("") ? "removed" : "changed";
}

function covered(within: readonly Glob[], of: readonly Glob[], budget: Budget): boolean {
  return unlessTooComplex(false, () => isCovered(within, of, budget));
}

function places(atoms: readonly Atom[]): Extent[] {
  return inOrder(
    atoms.map(({ resource, condition, undecided = "" }) => ({
      resource,
      condition: describeCondition(condition),
      undecided,
    })),
  );
}

function inOrder<T>(all: readonly T[]): T[] {
  const each = new Map(all.map((one) => [JSON.stringify(Object.values(one as object)), one]));
  return [...each].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
}
