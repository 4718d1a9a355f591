import { compareText } from "../core/text.ts";
import { type Budget, separator, spend } from "./automaton.ts";
import { areDisjoint, type Condition, describeCondition, sizeOfAlternatives, splitCondition } from "./condition.ts";
import { type Glob, intersects, isCovered, matches, mayOverlap, type SetDifference } from "./glob.ts";

/** A statement as sets: principals, actions, resources, and a condition. */
export interface Grant {
  readonly effect: "Allow" | "Deny";
  /** Sets of principals, or one empty text if the policy belongs to an identity. */
  readonly principals: readonly Glob[];
  /** Verbatim; actions are case-insensitive in every cloud. */
  readonly actions: readonly Glob[];
  /** Actions that this statement does not contain, although `actions` do. Another statement may contain them. */
  readonly except?: readonly Glob[];
  readonly resources: readonly Glob[];
  readonly condition: Condition;
  /** Why the statement cannot be represented as sets: `NotAction`, or an unknown form. */
  readonly undecided?: string;
}

/** What an identity may do: everything that is allowed and not denied. */
export type Permissions = readonly Grant[];

/** The smallest part of a statement: one set of each kind. */
export interface Atom {
  readonly principal: Glob;
  readonly action: Glob;
  /** The actions of its statement's `except` that `action` may contain; missing if there are none. */
  readonly except?: readonly Glob[];
  readonly resource: Glob;
  readonly condition: Condition;
  /** Why it could not be decided whether the part is covered. */
  readonly undecided?: string;
  /** Set if everything that can be compared does not cover the part: then only something unreadable leaves it undecided. */
  readonly isCompared?: true;
}

/** The action of a part, with its exceptions. */
export type ActionPart = Pick<Atom, "action" | "except">;

/** The parts of all readable statements with an effect. */
export function atomsOf(permissions: Permissions, effect: Grant["effect"]): Atom[] {
  return permissions.flatMap((grant) => (grant.effect === effect && grant.undecided === undefined ? atoms(grant) : []));
}

/** The parts of a statement. */
export function atoms({ principals, actions, except = [], resources, condition }: Grant): Atom[] {
  const parts = except.length === 0 ? actions.map((action) => ({ action })) : remaining(actions, except);
  return principals.flatMap((principal) =>
    parts.flatMap((part) =>
      resources.flatMap((resource) =>
        splitCondition(condition).map((alternative) => ({ principal, ...part, resource, condition: alternative })),
      ),
    ),
  );
}

// An exception without "?" that matches the text of a set contains the set: its "*" matches that of the set.
function remaining(actions: readonly Glob[], except: readonly Glob[]): ActionPart[] {
  const exceptions = except.map((text) => ({ text, set: text.toLowerCase() }));
  return actions.flatMap((action): ActionPart[] => {
    const [name, isSet] = [action.toLowerCase(), /[*?]/.test(action)];
    if (exceptions.some(({ set }) => !(isSet && set.includes("?")) && matches(set, name))) return [];
    const near = isSet ? exceptions.filter(({ set }) => mayOverlap(set, name)).map(({ text }) => text) : [];
    return [near.length === 0 ? { action } : { action, except: near }];
  });
}

/** The single part that represents an unreadable statement. */
export function unreadAtom({ principals, actions, resources, condition, undecided = "" }: Grant): Atom {
  const only = (list: readonly Glob[]) => (list.length === 1 ? (list[0] as Glob) : "*");
  return { principal: only(principals), action: only(actions), resource: only(resources), condition, undecided };
}

/**
 * What may allow or deny something that nothing readable does: unreadable statements, on any resource, for any principal, and
 * under any condition; and managed policies, whose documents are not known and which exist to allow. Sorted.
 */
export function unreadAtoms(permissions: Permissions, effect: Grant["effect"]): Atom[] {
  const found = permissions.flatMap((grant): Atom[] => {
    if (grant.undecided !== undefined) return grant.effect === effect ? [widest(unreadAtom(grant))] : [];
    return grant.actions.flatMap((action) => {
      const { kind, name } = namedAction(action) ?? {};
      if (kind !== "managed policy" || effect === "Deny") return [];
      const undecided = `the document of the managed policy ${name} is not known`;
      return [{ principal: "*", action: "*", resource: "*", condition: [], undecided }];
    });
  });
  const byText = new Map(found.map((atom) => [`${globOf(atom)}${separator}${atom.undecided}`, atom]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, atom]) => atom);
}

/** The part that an unreadable statement may contain: it is unknown to whom, where, and when it applies. */
export function widest(atom: Atom): Atom {
  return { ...atom, principal: "*", resource: "*", condition: [] };
}

/** The maximum size of an identity's permissions that are compared, in characters. IAM accepts some ten thousand for a role. */
const maxText = 150_000;

/** The cost of a part in addition to its characters. */
const partCost = 60;

/** Returns the permissions, with statements that have too many parts to compare marked as undecided. */
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

// The total length of all parts of a statement.
function sizeOf({ principals, actions, except = [], resources, condition }: Grant): number {
  const { count, characters } = sizeOfAlternatives(condition);
  const lists = [principals, actions, resources];
  const parts = lists.reduce((product, { length }) => product * length, count);
  const average = (list: readonly Glob[]) => list.reduce((sum, { length }) => sum + length, 0) / (list.length || 1);
  const exceptions = except.reduce((sum, { length }) => sum + length, 0);
  return parts * (partCost + characters + exceptions + lists.reduce((sum, list) => sum + average(list), 0));
}

const tooMany = "a statement has too many actions, resources and values to compare";

/** Whether two parts may overlap. */
export function meet(a: Atom, b: Atom, budget: Budget): boolean {
  spend(budget, 1);
  const sets = [globOf(a), globOf(b)] as const;
  if (!intersects(...sets, budget) || areDisjoint(a.condition, b.condition, budget) === true) return false;
  const except = [...exceptionsOf(a), ...exceptionsOf(b)];
  return except.length === 0 || !isCovered(sets, except, budget);
}

/** Whether a part is within another, regardless of their conditions. */
export function isPartOf(a: Atom, b: Atom, budget: Budget): boolean {
  return isCovered([globOf(a)], [setOf(b), ...exceptionsOf(a)], budget);
}

/** The principal, action and resource of a part as one glob, without its exceptions and its condition. */
export function globOf({ principal, action, resource }: Omit<Atom, "condition">): Glob {
  return `${principal}${separator}${action.toLowerCase()}${separator}${resource}`;
}

/** The exceptions of a part, as sets like those of {@link globOf}. */
export function exceptionsOf({ except = [] }: Pick<Atom, "except">): Glob[] {
  return except.map((action) => `*${separator}${action.toLowerCase()}${separator}*`);
}

/** The principal, action and resource of a part as a set, without its condition. */
export function setOf(atom: Omit<Atom, "condition">): Glob | SetDifference {
  const except = exceptionsOf(atom);
  return except.length === 0 ? globOf(atom) : { set: globOf(atom), except };
}

/** The action of a part for people, with its exceptions. */
export function describeAction({ action, except = [] }: ActionPart): string {
  if (except.length === 0) return action;
  const names = except.map((one) => namedAction(one)?.name ?? one);
  return `${action} (except ${[...new Set(names)].sort(compareText).join(", ")})`;
}

/** The key that identifies a part: principal, action, exceptions, resource and condition. */
export function atomKey(atom: Atom): string {
  const except = atom.except === undefined ? "" : `${separator}${sortedNames(atom.except).join(separator)}`;
  return `${globOf(atom)}${separator}${describeCondition(atom.condition)}${except}`;
}

function sortedNames(actions: readonly Glob[]): string[] {
  return [...new Set(actions.map((action) => action.toLowerCase()))].sort(compareText);
}

/** The key that identifies a statement. The order, duplicates and case of its lists do not matter. */
export function keyOf({ effect, principals, actions, except, resources, condition, undecided = "" }: Grant): string {
  const sorted = (list: readonly string[]) => [...new Set(list)].sort(compareText);
  const sets = [sorted(principals), sortedNames(actions), sorted(resources), ...(except ? [sortedNames(except)] : [])];
  return JSON.stringify([effect, ...sets, describeCondition(condition), undecided]);
}

/** The kind and name of an action that does not apply to resources, for example a role; undefined for other actions. */
export function namedAction(action: string): { readonly kind: string; readonly name: string } | undefined {
  const [, kind, name] = /^(managed policy|role|permission|data permission) (.*)$/s.exec(action) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}
