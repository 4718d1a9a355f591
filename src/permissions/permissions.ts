import { compareText } from "../core/text.ts";
import { alternatives, type Condition, describeCondition, implies } from "./condition.ts";
import { type Budget, type Glob, intersects, isCovered, manySteps, separator, TooComplex } from "./glob.ts";

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

/** Says whether two permissions allow the same. Where it cannot be told, they do not. */
export function equal(a: Permissions, b: Permissions): boolean {
  return covers(a, b) && covers(b, a);
}

/** Says whether everything that `inner` allows is allowed by `outer`. Where it cannot be told, it is not. */
export function covers(outer: Permissions, inner: Permissions): boolean {
  return minus(inner, outer).length === 0;
}

/**
 * The parts of `a` that `b` does not allow in whole, in order. Fails closed: a part that cannot be compared is one of
 * them, and says why. What both say in the same words is not compared.
 *
 * @param budget shared by comparisons that belong together; where it is used up, the rest cannot be compared.
 */
export function minus(a: Permissions, b: Permissions, budget: Budget = { steps: manySteps }): Atom[] {
  const common = sameDenials(a, b) ? new Set(b.map(keyOf)) : new Set<string>();
  const denied = atomsOf(a, "Deny");
  const outer = outerOf(b, budget);
  // In one order, so that a budget which comes to its end leaves the same questions open, whatever order they came in.
  const asked = a
    .filter((grant) => grant.effect === "Allow" && !common.has(keyOf(grant)))
    .flatMap((grant) => atoms(grant).map((atom) => ({ atom, undecided: grant.undecided, key: atomKey(atom) })))
    .sort((x, y) => compareText(x.key, y.key) || compareText(x.undecided ?? "", y.undecided ?? ""));
  const left = asked.flatMap(({ atom, undecided }) => uncovered(atom, undecided, denied, outer));
  // A denial that cannot be read may have held back anything.
  const own = new Set(a.map(keyOf));
  for (const grant of b) {
    if (grant.effect === "Deny" && grant.undecided !== undefined && !own.has(keyOf(grant)))
      left.push(...uncovered(atoms(grant)[0] as Atom, grant.undecided, denied, outer));
  }
  const each = new Map(left.map((atom) => [atomKey(atom), atom]));
  return [...each].sort(([x], [y]) => compareText(x, y)).map(([, atom]) => atom);
}

function uncovered(atom: Atom, unread: string | undefined, denied: readonly Atom[], outer: Outer): Atom[] {
  const answer = unread ?? isAllowed(atom, denied, outer);
  if (answer === true) return [];
  return [answer === false ? atom : { ...atom, undecided: answer }];
}

/** Everything that is allowed by one statement and denied by none that is read here, part by part. */
export function atomsOf(permissions: Permissions, effect: Grant["effect"]): Atom[] {
  return permissions.flatMap((grant) => (grant.effect === effect && grant.undecided === undefined ? atoms(grant) : []));
}

function atoms({ principals, actions, resources, condition }: Grant): Atom[] {
  return principals.flatMap((principal) =>
    actions.flatMap((action) =>
      resources.flatMap((resource) =>
        alternatives(condition).map((one) => ({ principal, action, resource, condition: one })),
      ),
    ),
  );
}

/** What an atom is compared with: grants as they are, because their parts are many more than they. */
interface Outer {
  readonly allowed: readonly Outside[];
  readonly denied: readonly Atom[];
  readonly budget: Budget;
}

interface Outside {
  readonly conditions: readonly Condition[];
  /** The sets of each part that have something in common with one; asked for many times, and found once. */
  readonly near: Readonly<Record<"principal" | "action" | "resource", (one: Glob) => readonly Glob[]>>;
}

function outerOf(permissions: Permissions, budget: Budget): Outer {
  const readable = permissions.filter(({ effect, undecided }) => effect === "Allow" && undecided === undefined);
  const sorted = readable.map((grant) => ({ grant, key: keyOf(grant) })).sort((x, y) => compareText(x.key, y.key));
  return {
    allowed: sorted.map(({ grant }) => ({
      conditions: alternatives(grant.condition),
      near: {
        principal: nearIn(grant.principals, budget),
        action: nearIn(
          grant.actions.map((one) => one.toLowerCase()),
          budget,
        ),
        resource: nearIn(grant.resources, budget),
      },
    })),
    denied: atomsOf(permissions, "Deny"),
    budget,
  };
}

function nearIn(sets: readonly Glob[], budget: Budget): (one: Glob) => readonly Glob[] {
  const sorted = [...new Set(sets)].sort(compareText);
  const known = new Map<Glob, readonly Glob[]>();
  return (one) => {
    const answer = known.get(one) ?? sorted.filter((other) => intersects(one, other, budget));
    known.set(one, answer);
    return answer;
  };
}

// True, false, or why it cannot be told.
function isAllowed(atom: Atom, denied: readonly Atom[], outer: Outer): true | false | string {
  try {
    const set = globOf(atom);
    // What `a` denies itself for every request, it does not allow.
    const always = denied.filter(({ condition }) => condition.length === 0).map(globOf);
    let unknown: string | undefined;
    const fitting: Glob[] = [];
    for (const grant of outer.allowed) {
      const near = meeting(atom, grant);
      if (near.length === 0) continue;
      const answers = grant.conditions.map((one) => ({ one, answer: implies(atom.condition, one) }));
      if (answers.some(({ answer }) => answer === true)) fitting.push(...near);
      const open = answers.find(({ answer }) => answer === undefined);
      if (open !== undefined)
        unknown = `the conditions ${describeCondition(atom.condition)} and ${describeCondition(open.one)} cannot be compared`;
    }
    if (!isCovered([set], [...fitting, ...always], outer.budget)) return unknown ?? false;
    for (const denial of outer.denied) {
      const same = denied.filter((one) => implies(denial.condition, one.condition) === true).map(globOf);
      if (!isCovered([set, globOf(denial)], same, outer.budget)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof TooComplex) return "its wildcards are too many to be compared";
    throw error;
  }
}

// The parts of a grant that have something in common with an atom.
function meeting(atom: Atom, { near }: Outside): Glob[] {
  const who = near.principal(atom.principal);
  const what = who.length === 0 ? [] : near.action(atom.action.toLowerCase());
  const where = what.length === 0 ? [] : near.resource(atom.resource);
  return who.flatMap((principal) =>
    what.flatMap((action) => where.map((resource) => globOf({ principal, action, resource }))),
  );
}

function globOf({ principal, action, resource }: Omit<Atom, "condition">): Glob {
  return `${principal}${separator}${action.toLowerCase()}${separator}${resource}`;
}

function atomKey(atom: Atom): string {
  return `${globOf(atom)}${separator}${describeCondition(atom.condition)}`;
}

function keyOf({ effect, principals, actions, resources, condition, undecided = "" }: Grant): string {
  const sorted = (list: readonly string[]) => [...new Set(list)].sort(compareText);
  const sets = [sorted(principals), sorted(actions.map((one) => one.toLowerCase())), sorted(resources)];
  return JSON.stringify([effect, ...sets, describeCondition(condition), undecided]);
}

function sameDenials(a: Permissions, b: Permissions): boolean {
  const [x, y] = [a, b].map((one) => new Set(one.filter(({ effect }) => effect === "Deny").map(keyOf)));
  return JSON.stringify([...(x ?? [])].sort()) === JSON.stringify([...(y ?? [])].sort());
}
