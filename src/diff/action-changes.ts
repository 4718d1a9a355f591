import { compareText } from "../core/text.ts";
import { type Budget, separator, spend, unlessTooComplex } from "../permissions/automaton.ts";
import { describeCondition } from "../permissions/condition.ts";
import { type Glob, isCovered, overlapFinder, type SetDifference } from "../permissions/glob.ts";
import { type ActionPart, type Atom, atomKey, describeAction, isPartOf, meet } from "../permissions/permissions.ts";

/** One action (permission, role) whose allowed or denied resources or conditions change. */
export interface ActionChange {
  /** "changed": allowed before and after, for some resource. "undecided": it is not known whether it changes, or how. */
  readonly kind: "added" | "removed" | "changed" | "undecided";
  readonly action: string;
  /** Of a changed action: whether it is allowed on more or on fewer resources. */
  readonly resources: "none" | "widened" | "narrowed" | "both" | "undecided";
  /** Of a changed action: whether it gains or loses a condition. */
  readonly condition: "none" | "added" | "removed" | "changed" | "undecided";
  /** Of a changed action: its resources and conditions before, in the statements that change. */
  readonly old: readonly Extent[];
  readonly new: readonly Extent[];
  /** The part that other statements allowed before. */
  readonly allowedBefore: readonly Part[];
  /** The part that other statements still allow. */
  readonly stillAllowed: readonly Part[];
  /** What is newly allowed; `less` is what is no longer allowed. */
  readonly more: readonly Extent[];
  readonly less: readonly Extent[];
  /** Of a permission that is not granted by itself: the roles that it comes with. */
  readonly roles?: readonly string[];
}

/** The resource and the condition of an action. */
export interface Extent {
  readonly resource: string;
  /** For people; "" for always. */
  readonly condition: string;
  /** Why it could not be compared and counts as a change; "" if it could. */
  readonly undecided: string;
}

/** A statement of the other side that overlaps with a change. */
export interface Part {
  readonly action: string;
  readonly resource: string;
  readonly condition: string;
  /** Whether the change contains all of it; otherwise the two only overlap. */
  readonly within: boolean;
}

/** Allowed or denied permissions of both sides, and the difference in each direction. */
export interface Sides {
  readonly more: readonly Atom[];
  readonly less: readonly Atom[];
  readonly old: readonly Atom[];
  readonly now: readonly Atom[];
}

/**
 * The changes of actions, one by one, sorted. The notes on a change must not exceed the budget: when it is used up, they are
 * undecided.
 */
export function actionChanges({ more, less, old, now }: Sides, budget: Budget): ActionChange[] {
  const [before, after] = [actionIndex(old, budget), actionIndex(now, budget)];
  const names = new Map<string, [Atom[], Atom[]]>();
  for (const [side, atoms] of [more, less].entries()) {
    for (const atom of atoms) {
      const name = describeAction(atom).toLowerCase();
      const both = names.get(name) ?? [[], []];
      both[side]?.push(atom);
      names.set(name, both);
    }
  }
  return [...names]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, [added, removed]]) => actionChange(added, removed, before, after, budget));
}

/**
 * The changes of permissions that have only names, one by one, sorted. Each of them is on one side alone.
 *
 * @param rolesOf the roles that a permission comes with, by its action for people.
 */
export function namedChanges(
  more: readonly Atom[],
  less: readonly Atom[],
  rolesOf: ReadonlyMap<string, readonly string[]>,
): ActionChange[] {
  const none = { resources: "none", condition: "none", old: [], new: [], allowedBefore: [], stillAllowed: [] } as const;
  const change =
    (side: "added" | "removed") =>
    (atom: Atom): ActionChange => {
      const action = describeAction(atom);
      const [here, roles] = [places([atom]), rolesOf.get(action)];
      const extents = side === "added" ? { more: here, less: [] } : { more: [], less: here };
      const kind = atom.undecided === undefined ? side : "undecided";
      return { kind, action, ...none, ...extents, ...(roles === undefined ? {} : { roles }) };
    };
  return [...more.map(change("added")), ...less.map(change("removed"))].sort((a, b) => compareText(a.action, b.action));
}

function actionChange(
  more: readonly Atom[],
  less: readonly Atom[],
  old: ActionIndex,
  now: ActionIndex,
  budget: Budget,
): ActionChange {
  const one = (more[0] ?? less[0]) as Atom;
  const notes = unlessTooComplex(undefined, () => notesOn(one, more, less, old, now, budget)) ?? undecidedNotes;
  return { action: describeAction(one), ...notes, more: places(more), less: places(less) };
}

type Notes = Omit<ActionChange, "action" | "more" | "less" | "roles">;

const undecidedNotes: Notes = {
  ...{ kind: "undecided", resources: "undecided", condition: "undecided" },
  ...{ old: [], new: [], allowedBefore: [], stillAllowed: [] },
};

// How an action changes. @throws TooComplex
function notesOn(
  one: Atom,
  more: readonly Atom[],
  less: readonly Atom[],
  old: ActionIndex,
  now: ActionIndex,
  budget: Budget,
): Notes {
  const name = actionName(one);
  const [before, after] = [old.whole(one), now.whole(one)];
  const isOnBoth = before.length > 0 && after.length > 0;
  const isDecided = [...more, ...less].some(({ undecided }) => undecided === undefined);
  const [was, is] = isOnBoth ? others(before, after) : [[], []];
  const [resources, condition] = [resourceChange(was, is, budget), conditionChange(was, is)];
  const isTold = resources !== "none" || condition !== "none";
  const [told, toldNow] = isTold ? [was, is] : [[], []];
  return {
    kind: isOnBoth ? "changed" : !isDecided ? "undecided" : before.length === 0 ? "added" : "removed",
    resources,
    condition,
    old: places(told),
    new: places(toldNow),
    allowedBefore: parts(more, old.near(name), told, budget),
    stillAllowed: parts(less, now.near(name), toldNow, budget),
  };
}

// The parts that only one side contains; everything if one side has no such parts.
function others(before: readonly Atom[], after: readonly Atom[]): [readonly Atom[], readonly Atom[]] {
  const [old, now] = [before, after].map((all) => new Set(all.map(atomKey))) as [Set<string>, Set<string>];
  const [was, is] = [before.filter((atom) => !now.has(atomKey(atom))), after.filter((atom) => !old.has(atomKey(atom)))];
  return was.length === 0 || is.length === 0 ? [before, after] : [was, is];
}

// The parts of the other side that overlap with a change, except those listed as its old or new extent.
function parts(changed: readonly Atom[], other: readonly Atom[], told: readonly Atom[], budget: Budget): Part[] {
  const known = new Set(told.map(atomKey));
  const decided = changed.filter(({ undecided }) => undecided === undefined);
  const found = other.flatMap((atom) => {
    const met = known.has(atomKey(atom)) ? undefined : decided.find((one) => meet(atom, one, budget));
    if (met === undefined) return [];
    const within = isPartOf(atom, met, budget);
    const { resource, condition } = atom;
    return [{ action: describeAction(atom), resource, condition: describeCondition(condition), within }];
  });
  return inOrder(found);
}

function resourceChange(before: readonly Atom[], after: readonly Atom[], budget: Budget): ActionChange["resources"] {
  const [old, now] = [before, after].map((atoms) => atoms.map(({ resource }) => resource)) as [Glob[], Glob[]];
  const [isMore, isLess] = [
    !now.every((text) => isCovered([text], old, budget)),
    !old.every((text) => isCovered([text], now, budget)),
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

/** Parts of permissions by action, in lower case. */
interface ActionIndex {
  /** The parts whose action overlaps with an action, if their exceptions are ignored. @throws TooComplex */
  near(action: Glob): readonly Atom[];
  /** The parts that cover an action, alone or together; empty if they cover only a part of it. @throws TooComplex */
  whole(part: ActionPart): readonly Atom[];
}

/** The action of a part without its exceptions, in the form in which actions are compared. */
export function actionName({ action }: ActionPart): string {
  return action.toLowerCase();
}

/** Indexes parts for questions about single actions. */
export function actionIndex(atoms: readonly Atom[], budget: Budget): ActionIndex {
  const byName = new Map<string, Map<string, Same>>();
  for (const atom of atoms) {
    const name = actionName(atom);
    const bySet = byName.get(name) ?? new Map<string, Same>();
    byName.set(name, bySet);
    const except = (atom.except ?? []).map((text) => text.toLowerCase());
    const key = except.join(separator);
    const same = bySet.get(key);
    if (same === undefined) bySet.set(key, { set: except.length === 0 ? name : { set: name, except }, atoms: [atom] });
    else same.atoms.push(atom);
  }
  const nearNames = overlapFinder([...byName.keys()], budget);
  const of = (names: readonly string[]) => names.flatMap((name) => [...(byName.get(name)?.values() ?? [])]);
  return {
    near: (action) => of(nearNames(action)).flatMap((same) => same.atoms),
    whole: (atom) => {
      const found = of(nearNames(actionName(atom)));
      spend(budget, found.length);
      const except = (atom.except ?? []).map((text) => text.toLowerCase());
      const isWithin = (some: readonly Same[]) =>
        isCovered([actionName(atom)], [...some.map(({ set }) => set), ...except], budget);
      const alone = found.filter((same) => isWithin([same]));
      return (alone.length === 0 && isWithin(found) ? found : alone).flatMap((same) => same.atoms);
    },
  };
}

/** Parts with the same action and the same exceptions. */
interface Same {
  readonly set: Glob | SetDifference;
  readonly atoms: Atom[];
}
