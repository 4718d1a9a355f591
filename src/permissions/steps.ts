import { compareText } from "../core/text.ts";
import { unlessTooComplex } from "./automaton.ts";
import type { Condition } from "./condition.ts";
import { type Glob, intersects, matches } from "./glob.ts";
import type { Holder, Trust } from "./identity.ts";
import { namedAction } from "./permissions.ts";
import { everythingIn, type OwnCluster, type PermissionTerms, type RoleDefinitions, serviceOf } from "./terms.ts";
import { type MayAnswer, whoMay } from "./who-may.ts";

/*
 * An identity that does not have a permission can reach it in one step: by acting as another identity, or by changing who may do
 * what. Which actions are a step is data of a cloud. Here is what makes them one.
 */

/** A way to get more permissions in one step. */
export interface Way {
  /** Completes "can reach it by": `passing a role`. */
  readonly by: string;
  /** Actions, all of which are needed. Of a set, any action is enough. */
  readonly needs: readonly Glob[];
  /** What happens then, as a clause: "an instance runs as the role". */
  readonly how: string;
  /** What one of the actions must apply to; without it, the action counts on any resource. */
  readonly target?: Target;
  /** Whether a statement with a condition is about this use of the action of {@link target}. */
  fits?(condition: Condition): boolean;
  /** Set if only statements about every resource count, because its actions apply to nothing that a statement could name. */
  readonly isUnlimited?: true;
  /** What can be reached; missing for everything. `service` is everything in the service of the action. */
  readonly gives?: readonly Glob[] | "service";
  /** Set if only what its permission applies to can be reached, such as the resources below the scope of a role. */
  readonly isScoped?: true;
  /** Set if it changes a custom role, so that only an identity with a custom role gains something itself. */
  readonly changesRole?: true;
}

/** What an action of a way must apply to. */
interface Target {
  readonly action: Glob;
  /** `other`: an identity, or what runs as one. `own`: the identity itself. `policy`: a policy that is attached to it. */
  readonly is: "other" | "own" | "policy";
  /** Set if the identity must trust who uses it, which an identity that only tokens of an issuer can assume does not. */
  readonly mustTrust?: true;
}

/** An identity of a package, which may be the target of a step of another one. */
export interface Member extends Holder {
  readonly trusts: readonly Trust[];
}

/** A step that an identity can take. */
export interface Step {
  /** {@link Way.by} */
  readonly by: string;
  readonly actions: readonly Glob[];
  /** {@link Way.how} */
  readonly how: string;
  /** The resources of the action that chooses an identity, verbatim; empty if nothing chooses. */
  readonly on: readonly string[];
  /** What it reaches; missing for everything. */
  readonly gives?: readonly Glob[];
  /** Why it is not certain that the identity can take the step. */
  readonly doubt?: string;
  /** The Secret of the only identity that the step leads to. */
  readonly to?: string;
}

/** How a cloud writes permissions, and which of them are a step. */
export interface SteppingTerms {
  readonly terms: PermissionTerms;
  /** In the order in which they are told. */
  readonly ways: readonly Way[];
  /** Undefined if the cloud has no roles. */
  readonly definitions: RoleDefinitions | undefined;
}

/**
 * Prepares the steps of identities of any number of packages of a cloud.
 *
 * @param resource what a question is about; undefined for any resource.
 */
export function stepsIn(cloud: SteppingTerms, resource?: Glob) {
  const needed = neededBy(cloud);
  /** @param members the identities of its package. */
  return (member: Member, own: OwnCluster, members: readonly Member[]): Step[] => {
    const met = needed(member);
    const steps = cloud.ways
      .filter(({ needs }) => needs.every((need) => met === "all" || met.has(need)))
      .flatMap((way) => stepsOf(way, member, members, { ...cloud, own, resource }));
    return mostTelling(steps);
  };
}

interface Context extends SteppingTerms {
  readonly own: OwnCluster;
  readonly resource: Glob | undefined;
}

function stepsOf(way: Way, member: Member, members: readonly Member[], context: Context): Step[] {
  const { needs, target, by, how } = way;
  if (way.changesRole === true && !hasCustomRole(member)) return [];
  const answers: MayAnswer[] = [];
  for (const need of needs) {
    const answer = answerTo(need, way, member, context);
    if (answer === undefined) return [];
    answers.push(answer);
  }
  const reasons = [...new Set(answers.flatMap(({ reason }) => reason ?? []))].sort(compareText);
  const doubt = reasons.length === 0 ? {} : { doubt: reasons.join("; ") };
  const chosen = target === undefined ? undefined : answers[needs.indexOf(target.action)];
  const on = [...new Set((chosen?.by ?? []).flatMap(({ resources }) => resources))].sort(compareText);
  const step: Step = { by, actions: needs, how, on, ...givesOf(way, answers, context), ...doubt };
  if (chosen === undefined || target === undefined || target.is === "own") return [step];
  const isOpen = chosen.by.length === 0;
  if (isOpen || on.some((one) => /[*?]/.test(one))) return [step];
  if (target.is === "policy") {
    const attached = on.filter((one) => member.managedPolicies.includes(one));
    return attached.length === 0 ? [] : [{ ...step, on: attached }];
  }
  return on.flatMap((one) => stepTo(one, { ...step, on: [one] }, target, members));
}

// One identity is chosen by its name.
function stepTo(id: string, step: Step, { mustTrust }: Target, members: readonly Member[]): Step[] {
  const other = members.find((member) => member.id === id);
  if (other?.key === undefined) {
    const unknown = `the permissions of ${id} are not in the package`;
    return [{ ...step, doubt: [...(step.doubt === undefined ? [] : [step.doubt]), unknown].join("; ") }];
  }
  const isClosed = other.trusts.every(({ effect, issuer }) => effect === "Deny" || issuer !== undefined);
  return mustTrust === true && isClosed ? [] : [{ ...step, to: other.key }];
}

function answerTo(need: Glob, way: Way, member: Member, context: Context): MayAnswer | undefined {
  const { terms, definitions, own, resource } = context;
  const isTarget = way.target?.action === need;
  const named = isTarget && way.target?.is === "own" ? member.id : way.isScoped === true ? resource : undefined;
  const question = { action: need, ...(named === undefined ? {} : { resource: named }) };
  return whoMay(question, terms, definitions)(unlimited(way, isTarget ? fitting(way, member) : member), own);
}

// Without the statements about individual resources.
function unlimited({ isUnlimited }: Way, member: Member): Member {
  if (isUnlimited !== true) return member;
  return { ...member, permissions: member.permissions.filter(({ resources }) => resources.includes("*")) };
}

// Without the statements that are about other cases.
function fitting({ fits }: Way, member: Member): Member {
  if (fits === undefined) return member;
  return { ...member, permissions: member.permissions.filter(({ condition }) => fits(condition)) };
}

function givesOf({ gives }: Way, answers: readonly MayAnswer[], { terms }: Context): Pick<Step, "gives"> {
  if (gives === undefined) return {};
  if (gives !== "service") return { gives };
  const patterns = answers.flatMap(({ by }) => by.flatMap((one) => one.patterns));
  if (patterns.length === 0) return {};
  const services = new Set(patterns.map((one) => everythingIn(serviceOf(one, terms), terms)));
  return { gives: [...services].sort(compareText) };
}

function hasCustomRole({ permissions }: Holder): boolean {
  return permissions.some(
    ({ actions, undecided }) =>
      undecided !== undefined || actions.some((one) => namedAction(one)?.kind.endsWith("permission") === true),
  );
}

// A step that leads everywhere says all that others by the same means say.
function mostTelling(steps: readonly Step[]): Step[] {
  const best = new Map<string, Step>();
  for (const step of steps) {
    const { by, gives, doubt, to } = step;
    if (gives === undefined && doubt === undefined && to === undefined && !best.has(by)) best.set(by, step);
  }
  const told = new Set<string>();
  return steps.filter((step) => {
    const first = best.get(step.by);
    if (first !== undefined) return first === step;
    const key = JSON.stringify([step.by, step.gives, step.doubt, step.to]);
    return told.has(key) ? false : told.add(key);
  });
}

// The needs that an identity's permissions may contain, or all of them. Most identities have none, and a fleet has many.
function neededBy({ terms, ways, definitions }: SteppingTerms): (holder: Holder) => ReadonlySet<Glob> | "all" {
  const fold = (action: Glob) => (terms.actionsIgnoreCase ? action.toLowerCase() : action);
  const needs = [...new Set(ways.flatMap((way) => way.needs))];
  const names = new Map(needs.filter((need) => !isSet(need)).map((need) => [fold(need), need]));
  const sets = needs.filter(isSet);
  const metBy = (action: Glob): readonly Glob[] => {
    const folded = fold(action);
    if (isSet(folded)) return needs.filter((need) => mayMeet(fold(need), folded));
    return [
      ...(names.get(folded) === undefined ? [] : [names.get(folded) as Glob]),
      ...sets.filter((set) => matches(fold(set), folded)),
    ];
  };
  const ofRoles = new Map<string, readonly Glob[] | undefined>();
  const ofRole = (role: string) => {
    if (ofRoles.has(role)) return ofRoles.get(role);
    const definition = definitions?.get(role) ?? definitions?.get(role.toLowerCase());
    const actions = definition?.grants?.flatMap((grant) => grant.actions) ?? definition?.permissions;
    const met = actions?.flatMap((action) => metBy(namedAction(action)?.name ?? action));
    ofRoles.set(role, met);
    return met;
  };
  const metByPart = (action: Glob) => {
    const named = namedAction(action);
    return named?.kind === "role" ? ofRole(named.name) : metBy(named?.name ?? action);
  };
  return ({ permissions, managedPolicies }) => {
    if (managedPolicies.length > 0 || permissions.some(({ undecided }) => undecided !== undefined)) return "all";
    const allowed = permissions.flatMap(({ effect, actions }) => (effect === "Allow" ? actions : []));
    const met = allowed.map(metByPart);
    return met.includes(undefined) ? "all" : new Set(met.flatMap((some) => some ?? []));
  };
}

function isSet(action: Glob): boolean {
  return /[*?]/.test(action);
}

// If it is too complex, the question itself decides.
function mayMeet(a: Glob, b: Glob): boolean {
  return unlessTooComplex(true, () => intersects(a, b));
}
