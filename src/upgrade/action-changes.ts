import { compareText } from "../core/text.ts";
import { describeCondition } from "../permissions/condition.ts";
import { type Budget, fewSteps, type Glob, isCovered, TooComplex } from "../permissions/glob.ts";
import { type Atom, atomsOf, type Permissions } from "../permissions/permissions.ts";
import type { IdentityDiff } from "./diff.ts";

/** One action (permission, role) of which what it is allowed on, or when, is another now. */
export interface ActionChange {
  /** "changed" is one that was allowed, and is, for something. */
  readonly kind: "added" | "removed" | "changed";
  readonly action: string;
  /** Of a changed one, whether it is allowed on more resources, or on fewer. */
  readonly resources: "none" | "widened" | "narrowed" | "both";
  /** Of a changed one, whether it depends on a condition that it did not depend on, or the other way round. */
  readonly condition: "none" | "added" | "removed" | "changed";
  /** Of one with wildcards that came or went, the actions of the other side that are a part of it. */
  readonly parts: readonly string[];
  /** What of it is allowed now and was not before. */
  readonly more: readonly Place[];
  readonly less: readonly Place[];
}

/** What an action is allowed on, and when. */
export interface Place {
  readonly resource: string;
  /** As people read it, "" for always. */
  readonly condition: string;
  /** Why it could not be compared, and counts as a change; "" where it could. */
  readonly undecided: string;
}

/** What became of an identity's permissions, action by action, in order. */
export function actionChanges({ added, removed, old, now }: IdentityDiff): ActionChange[] {
  // How a change is called is not worth more; what it is has been decided.
  const budget = { steps: fewSteps };
  const names = [...added, ...removed].map(({ action }) => action.toLowerCase());
  return [...new Set(names)].sort(compareText).map((name) => {
    const [more, less] = [added, removed].map((all) => all.filter(({ action }) => action.toLowerCase() === name)) as [
      Atom[],
      Atom[],
    ];
    const [before, after] = [old, now].map((side) => allowing(side?.permissions ?? [], name, budget)) as [
      Atom[],
      Atom[],
    ];
    const kind = before.length === 0 ? "added" : after.length === 0 ? "removed" : "changed";
    const isChanged = kind === "changed";
    const other = kind === "added" ? old : now;
    return {
      kind,
      action: ((more[0] ?? less[0]) as Atom).action,
      parts: isChanged || !isWildcard([...more, ...less]) ? [] : partsOf(name, other?.permissions ?? [], budget),
      resources: isChanged ? resourceChange(before, after, budget) : "none",
      condition: isChanged ? conditionChange(before, after) : "none",
      more: places(more),
      less: places(less),
    };
  });
}

// Everything that allows the whole of an action, on whatever and whenever; nothing where only a part of it is allowed.
function allowing(permissions: Permissions, action: string, budget: Budget): Atom[] {
  const all = atomsOf(permissions, "Allow").map((atom) => ({ ...atom, action: atom.action.toLowerCase() }));
  const whole = all.filter((atom) => covered([action], [atom.action], budget));
  return whole.length > 0 ||
    !covered(
      [action],
      all.map((atom) => atom.action),
      budget,
    )
    ? whole
    : all;
}

// What could not be read is called "*", and is none.
function isWildcard(atoms: readonly Atom[]): boolean {
  return atoms.some(({ action, undecided }) => undecided === undefined && /[*?]/.test(action));
}

function partsOf(action: Glob, permissions: Permissions, budget: Budget): string[] {
  const all = atomsOf(permissions, "Allow").map((atom) => atom.action);
  return [...new Set(all)].filter((one) => covered([one.toLowerCase()], [action], budget)).sort(compareText);
}

function resourceChange(before: readonly Atom[], after: readonly Atom[], budget: Budget): ActionChange["resources"] {
  const [old, now] = [before, after].map((atoms) => atoms.map(({ resource }) => resource)) as [Glob[], Glob[]];
  const [isMore, isLess] = [
    !now.every((one) => covered([one], old, budget)),
    !old.every((one) => covered([one], now, budget)),
  ];
  if (isMore) return isLess ? "both" : "widened";
  return isLess ? "narrowed" : "none";
}

function conditionChange(before: readonly Atom[], after: readonly Atom[]): ActionChange["condition"] {
  const [old, now] = [before, after].map((atoms) => [
    ...new Set(atoms.map(({ condition }) => describeCondition(condition))),
  ]) as [string[], string[]];
  if (JSON.stringify(old.sort(compareText)) === JSON.stringify(now.sort(compareText))) return "none";
  if (old.includes("") && !now.includes("")) return "added";
  return !old.includes("") && now.includes("") ? "removed" : "changed";
}

function covered(within: readonly Glob[], of: readonly Glob[], budget: Budget): boolean {
  try {
    return isCovered(within, of, budget);
  } catch (error) {
    if (error instanceof TooComplex) return false;
    throw error;
  }
}

function places(atoms: readonly Atom[]): Place[] {
  const all = atoms.map(({ resource, condition, undecided = "" }) => ({
    resource,
    condition: describeCondition(condition),
    undecided,
  }));
  const each = new Map(all.map((one) => [JSON.stringify([one.resource, one.condition, one.undecided]), one]));
  return [...each].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
}
