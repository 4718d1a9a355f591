import { compareText } from "../core/text.ts";
import { type Budget, spend, unlessTooComplex } from "./automaton.ts";
import { areDisjoint, type Condition, describeCondition, implies } from "./condition.ts";
import { intersects, isCovered } from "./glob.ts";
import {
  type Atom,
  atomKey,
  atomsOf,
  exceptionsOf,
  globOf,
  type Permissions,
  setOf,
  unreadAtom,
  widest,
} from "./permissions.ts";

/*
 * What denials remove from what is allowed, and the answers to questions about parts of statements.
 */

/**
 * Returns the denials that remove something from what is allowed, unless other denials remove it anyway.
 *
 * @param among the other denials.
 */
export function denialsOf(
  denials: readonly Atom[],
  allowed: readonly Atom[],
  among: readonly Atom[],
  budget: Budget,
): Atom[] {
  const stated = allowed.map(({ isCompared, undecided, ...atom }) =>
    isCompared === true || undecided === undefined ? atom : { ...atom, undecided },
  );
  return each(denials.flatMap((atom) => lift(atom, atom.undecided, { allowed: stated, denied: among }, budget)));
}

/**
 * Prepares the question which denials remove a part of a statement for every request that the statement allows: those whose
 * condition its condition implies. A denial for which that cannot be decided is not among them.
 *
 * @param denials those that can be read.
 */
export function removing<D extends { readonly condition: Condition }>(
  denials: readonly D[],
  budget: Budget,
): (when: Condition) => readonly D[] {
  if (denials.every(({ condition }) => condition.length === 0)) return () => denials;
  const known = new Map<string, readonly D[]>();
  return (when) => {
    const text = describeCondition(when);
    const before = known.get(text);
    if (before !== undefined) return before;
    spend(budget, denials.length * lookCost);
    const found = denials.filter(({ condition }) => implies(when, condition, budget) === true);
    known.set(text, found);
    return found;
  };
}

/** The cost of finding nothing: most denials are about another key. */
const lookCost = 1 / 8;

/** What the permissions that lack a denial allow and deny. */
export interface Permitted {
  readonly allowed: readonly Atom[];
  readonly denied: readonly Atom[];
}

/** What permissions allow and deny. An unreadable statement may allow its actions on any resource and under any condition. */
export function permittedBy(permissions: Permissions, denied: readonly Atom[]): Permitted {
  const unread = permissions.filter(({ effect, undecided }) => effect === "Allow" && undecided !== undefined);
  return { allowed: each([...atomsOf(permissions, "Allow"), ...unread.map(unreadAtom).map(widest)]), denied };
}

/** The denial itself, if it would remove something that is allowed here; otherwise nothing. */
export function lift(atom: Atom, undecided: string | undefined, reach: Permitted, budget: Budget): Atom[] {
  const denial = undecided === undefined ? atom : widest({ ...atom, undecided });
  const answer = unlessTooComplex(tooComplex, () => liftOf(denial, reach, budget));
  return answer.is === "gain" ? [withReason(atom, answer)] : [];
}

// Whether the denial would remove something that is allowed here.
function liftOf(denial: Atom, { allowed, denied }: Permitted, budget: Budget): GainAnswer {
  let open: GainAnswer = { is: "covered" };
  for (const atom of allowed) {
    const answer = takesFrom(denial, atom, denied, budget);
    if (answer.is === "gain" && answer.why === undefined) return answer;
    if (open.is === "covered") open = answer;
  }
  return open;
}

function takesFrom(denial: Atom, atom: Atom, denied: readonly Atom[], budget: Budget): GainAnswer {
  spend(budget, 1);
  const both = [globOf(atom), globOf(denial)] as const;
  if (!intersects(...both, budget)) return { is: "covered" };
  const apart = areDisjoint(atom.condition, denial.condition, budget);
  if (apart === true) return { is: "covered" };
  const when = [...atom.condition, ...denial.condition];
  spend(budget, denied.length);
  const except = [...exceptionsOf(atom), ...exceptionsOf(denial)];
  const own = denied.map((atom) => ({ set: setOf(atom), one: atom, answer: implies(when, atom.condition, budget) }));
  const isWithin = (some: typeof own) => isCovered(both, [...some.map(({ set }) => set), ...except], budget);
  if (isWithin(own.filter(({ answer }) => answer))) return { is: "covered" };
  const unread = atom.undecided ?? denial.undecided;
  if (unread !== undefined) return gain(unread);
  if (apart === undefined) return gain(cannotCompare(atom.condition, denial.condition));
  const open = own.find(({ answer }) => answer === undefined);
  return open !== undefined && isWithin(own.filter(({ answer }) => answer !== false))
    ? gain(cannotCompare(when, open.one.condition))
    : { is: "gain" };
}

/** Whether a part is a gain, and the reason if that could not be decided. */
export interface GainAnswer {
  readonly is: "covered" | "dormant" | "gain";
  readonly why?: string;
}

/** A part with the reason of its answer. */
export function withReason(atom: Atom, { why }: GainAnswer): Atom {
  return why === undefined ? atom : { ...atom, undecided: why };
}

/** The answer if a question exceeds its budget. */
export const tooComplex = gain("it has too many wildcards to compare");

/** A gain that could not be decided. */
export function gain(why: string): GainAnswer {
  return { is: "gain", why };
}

/** Why two conditions leave a question open. */
export function cannotCompare(a: Condition, b: Condition): string {
  return `the conditions ${describeCondition(a)} and ${describeCondition(b)} cannot be compared`;
}

/** Each part once, sorted. */
export function each(all: readonly Atom[]): Atom[] {
  const found = new Map(all.map((atom) => [atomKey(atom), atom]));
  return [...found].sort(([x], [y]) => compareText(x, y)).map(([, atom]) => atom);
}
