import { compareText } from "../core/text.ts";
import { type Budget, manySteps, spend, unlessTooComplex } from "./automaton.ts";
import { type Condition, describeCondition, implies, splitCondition } from "./condition.ts";
import {
  cannotCompare,
  each,
  type GainAnswer,
  gain,
  lift,
  permittedBy,
  removing,
  tooComplex,
  withReason,
} from "./denials.ts";
import {
  containsText,
  examplesOf,
  type Glob,
  intersects,
  isCovered,
  isText,
  matches,
  mayOverlap,
  overlapFinder,
  type SetDifference,
} from "./glob.ts";
import {
  type Atom,
  atomKey,
  atoms,
  atomsOf,
  bounded,
  exceptionsOf,
  type Grant,
  globOf,
  keyOf,
  namedAction,
  type Permissions,
  setOf,
  unreadAtom,
  unreadAtoms,
} from "./permissions.ts";

/** What permissions allow that others do not, in terms of their statements. */
export interface Gains {
  /** Parts that a statement allows and no statement of the others allows, sorted. */
  readonly allowed: readonly Atom[];
  /** Denials of the others that are missing here, if something that they deny is allowed here, sorted. */
  readonly lifted: readonly Atom[];
  /** Parts that only these permissions allow, but that they deny for every request that meets their condition: they have no effect. */
  readonly dormant: readonly Atom[];
}

/** Returns whether `outer` allows everything that `inner` allows. If that cannot be decided, the answer is no. */
export function covers(outer: Permissions, inner: Permissions): boolean {
  const { allowed, lifted } = gains(inner, outer);
  return allowed.length + lifted.length === 0;
}

/**
 * Returns what `a` allows and `b` does not fully allow. It fails closed: parts that cannot be compared are included, with the
 * reason. Statements that are identical in both are not compared.
 *
 * Something unreadable in `b` may allow anything, and something unreadable in `a` may deny anything.
 */
export function gains(a: Permissions, b: Permissions, budget: Budget = { steps: manySteps }): Gains {
  const [inner, outer] = [bounded(a), bounded(b)];
  const [own, others] = [inner, outer].map((all) => new Set(all.map(keyOf))) as [Set<string>, Set<string>];
  const denied = each(atomsOf(inner, "Deny"));
  const asked = uncommon(inner, "Allow", others);
  const outside = outerOf(outer, denied, budget);
  const obvious = obviousIn(outer, denied, { ...budget });
  // Before anything is searched for: what is hard to compare must not leave the rest undecided.
  const first = asked.map(({ atom, undecided }) => ({
    atom,
    undecided,
    answer: undecided ? undefined : obvious(atom),
  }));
  const answers = first.map(({ atom, undecided, answer }) => ({
    atom,
    answer: answer ?? answerOf(atom, undecided, outside),
  }));
  const doubts = doubtsOf(inner, outer, { ...budget });
  const allowed = answers
    .flatMap(({ atom, answer }) => (answer.is === "gain" ? [policyDoubt(withReason(atom, answer), outer)] : []))
    .map((atom) => doubted(atom, [...doubts.covering, ...doubts.denying], doubts.budget));
  const dormant = answers.filter(({ answer }) => answer.is === "dormant").map(({ atom }) => atom);
  const reach = permittedBy(inner, denied);
  const lifted = uncommon(outer, "Deny", own)
    .flatMap(({ atom, undecided }) => lift(atom, undecided, reach, budget))
    .map((atom) => doubted(atom, doubts.denying, doubts.budget));
  return { allowed: each(allowed), lifted: each(lifted), dormant };
}

/** Something unreadable that may make a gain none, and how. */
interface Doubt {
  readonly part: Atom;
  readonly why: string;
}

interface Doubts {
  readonly covering: readonly Doubt[];
  readonly denying: readonly Doubt[];
  readonly budget: Budget;
}

function doubtsOf(inner: Permissions, outer: Permissions, budget: Budget): Doubts {
  const doubts = (parts: readonly Atom[], how: string) =>
    parts.map((part) => ({ part, why: `${how}: ${part.undecided}` }));
  return {
    covering: doubts(unreadAtoms(outer, "Allow"), "the other side may allow it, too"),
    denying: doubts(unreadAtoms(inner, "Deny"), "the same side may deny it"),
    budget,
  };
}

function doubted(atom: Atom, doubts: readonly Doubt[], budget: Budget): Atom {
  if (atom.undecided !== undefined) return atom;
  const found = doubts.find(
    ({ part }) => part.action === "*" || unlessTooComplex(true, () => intersects(globOf(atom), globOf(part), budget)),
  );
  return found === undefined ? atom : { ...atom, undecided: found.why, isCompared: true };
}

// A managed policy may allow nothing that the other side lacks, if the other side allows anything.
function policyDoubt(atom: Atom, outer: Permissions): Atom {
  const isPolicy = namedAction(atom.action)?.kind === "managed policy";
  if (atom.undecided !== undefined || !isPolicy || outer.length === 0) return atom;
  return { ...atom, undecided: "it is compared by its name: its document is not known", isCompared: true };
}

// Sorted, so that an exhausted budget leaves the same questions open for every order of the input.
function uncommon(permissions: Permissions, effect: Grant["effect"], common: ReadonlySet<string>) {
  return permissions
    .filter((grant) => grant.effect === effect && !common.has(keyOf(grant)))
    .flatMap((grant) => {
      const all = grant.undecided === undefined ? atoms(grant) : [unreadAtom(grant)];
      return all.map((atom) => ({ atom, undecided: grant.undecided, key: atomKey(atom) }));
    })
    .sort((x, y) => compareText(x.key, y.key) || compareText(x.undecided ?? "", y.undecided ?? ""));
}

/** Sets of a statement, as texts and as sets with wildcards. */
interface Sets {
  readonly texts: ReadonlySet<Glob>;
  readonly wild: readonly Glob[];
}

function setsOf(globs: readonly Glob[]): Sets {
  return { texts: new Set(globs), wild: [...new Set(globs)].filter((glob) => !isText(glob)) };
}

/**
 * Answers for parts that need no search: a part that the others have as it is, or within a single set, is covered; a part of
 * which an example is in none of their sets is a gain. The answer is undefined for other parts, and beyond a budget of its own.
 */
function obviousIn(
  outer: Permissions,
  denied: readonly Atom[],
  budget: Budget,
): (atom: Atom) => GainAnswer | undefined {
  const allowing = outer.filter(({ effect, undecided }) => effect === "Allow" && undecided === undefined);
  const same = new Set(atomsOf(outer, "Allow").map(atomKey));
  const statements = allowing
    .map((grant) => ({ ...grant, key: keyOf(grant) }))
    .sort((x, y) => compareText(x.key, y.key))
    .map(({ principals, actions, except = [], resources, condition }) => ({
      who: setsOf(principals),
      what: setsOf(lowerCase(actions)),
      except: lowerCase(except),
      where: setsOf(resources),
      when: describeCondition(condition),
    }));
  const never = denied.map(globOf);
  const isWithin = (text: Glob, { texts, wild }: Sets) =>
    texts.has(text) || wild.some((glob) => containsText(glob, text, budget));
  const isCovering = (atom: Atom, { who, what, except, where, when }: (typeof statements)[number]) => {
    const [action, own] = [atom.action.toLowerCase(), lowerCase(atom.except ?? [])];
    return (
      (when === "" || when === describeCondition(atom.condition)) &&
      except.every((one) => own.includes(one) || !mayOverlap(one, action)) &&
      isWithin(atom.principal, who) &&
      isWithin(action, what) &&
      isWithin(atom.resource, where)
    );
  };
  const isAlone = (atom: Atom) => {
    const [principal, action, resource] = [atom.principal, atom.action.toLowerCase(), atom.resource].map(
      (glob) => examplesOf(glob)[0],
    ) as [string, string, string];
    const isIn = (text: string) => (glob: Glob) => matches(glob, text, budget);
    const isAmong = (text: string, { texts, wild }: Sets) => texts.has(text) || wild.some(isIn(text));
    return (
      !lowerCase(atom.except ?? []).some(isIn(action)) &&
      !statements.some(
        ({ who, what, where }) => isAmong(principal, who) && isAmong(action, what) && isAmong(resource, where),
      ) &&
      !never.some(isIn(globOf({ principal, action, resource })))
    );
  };
  return (atom) => {
    if (same.has(atomKey(atom))) return { is: "covered" };
    return unlessTooComplex<GainAnswer | undefined>(undefined, () => {
      if (statements.some((one) => isCovering(atom, one))) return { is: "covered" };
      return isAlone(atom) ? { is: "gain" } : undefined;
    });
  };
}

function lowerCase(texts: readonly string[]): string[] {
  return texts.map((text) => text.toLowerCase());
}

/** What an atom is compared with: whole grants, because they are far fewer than their parts. */
interface Outer {
  readonly allowed: readonly Outside[];
  /** What the permissions of the atom deny for every request that meets a condition. */
  readonly never: (when: Condition) => readonly Atom[];
  readonly budget: Budget;
}

interface Outside {
  readonly except: readonly Glob[];
  readonly conditions: readonly Condition[];
  /** For each kind of set, the sets of the grant that overlap with a given set. Results are cached. */
  readonly near: Readonly<Record<"principal" | "action" | "resource", (text: Glob) => readonly Glob[]>>;
}

function outerOf(permissions: Permissions, denied: readonly Atom[], budget: Budget): Outer {
  const readable = permissions.filter(({ effect, undecided }) => effect === "Allow" && undecided === undefined);
  const sorted = readable.map((grant) => ({ grant, key: keyOf(grant) })).sort((x, y) => compareText(x.key, y.key));
  return {
    allowed: sorted.map(({ grant }) => ({
      except: grant.except ?? [],
      conditions: splitCondition(grant.condition),
      near: {
        principal: overlapFinder(grant.principals, budget),
        action: overlapFinder(
          grant.actions.map((action) => action.toLowerCase()),
          budget,
        ),
        resource: overlapFinder(grant.resources, budget),
      },
    })),
    never: removing(denied, budget),
    budget,
  };
}

function positionOf(atom: Atom, { allowed, never: neverWhen, budget }: Outer): GainAnswer {
  const [fitting, open] = [[] as (Glob | SetDifference)[], [] as (Glob | SetDifference)[]];
  let why = "";
  for (const { conditions, near, except } of allowed) {
    const sets = meeting(atom, near, except, budget);
    if (sets.length === 0) continue;
    const answers = conditions.map((condition) => ({
      one: condition,
      answer: implies(atom.condition, condition, budget),
    }));
    const unknown = answers.find(({ answer }) => answer === undefined);
    if (answers.some(({ answer }) => answer === true)) fitting.push(...sets);
    else if (unknown !== undefined) {
      why ||= cannotCompare(atom.condition, unknown.one);
      open.push(...sets);
    }
  }
  const except = exceptionsOf(atom);
  const isWithin = (sets: readonly (Glob | SetDifference)[]) => isCovered([globOf(atom)], [...sets, ...except], budget);
  if (isWithin(fitting)) return { is: "covered" };
  const never = neverWhen(atom.condition).map(setOf);
  if (never.length > 0 && isWithin([...fitting, ...never])) return { is: "dormant" };
  return open.length > 0 && isWithin([...fitting, ...never, ...open]) ? gain(why) : { is: "gain" };
}

function answerOf(atom: Atom, undecided: string | undefined, outside: Outer): GainAnswer {
  return undecided === undefined ? unlessTooComplex(tooComplex, () => positionOf(atom, outside)) : gain(undecided);
}

/** The cost of finding nothing: most statements do not overlap with a part. */
const lookCost = 1 / 8;

// The parts of a grant that overlap with an atom.
function meeting(atom: Atom, near: Outside["near"], except: readonly Glob[], budget: Budget): (Glob | SetDifference)[] {
  const who = near.principal(atom.principal);
  const what = who.length === 0 ? [] : near.action(atom.action.toLowerCase());
  const where = what.length === 0 ? [] : near.resource(atom.resource);
  spend(budget, lookCost + who.length * what.length * where.length);
  return who.flatMap((principal) =>
    what.flatMap((action) => where.map((resource) => setOf({ principal, action, except, resource }))),
  );
}
