import { compareText } from "../core/text.ts";
import { alternatives, counted } from "../core/words.ts";
import { unlessTooComplex } from "./automaton.ts";
import { type Glob, intersects } from "./glob.ts";
import type { Trust } from "./identity.ts";
import type { Step } from "./steps.ts";
import type { AllowedBy, MayAnswer } from "./who-may.ts";

/** What is said about an identity: it has what was asked for, it can reach it in one step, or the files do not say. */
export type Answer = "allowed" | "step" | "undecided";

/** An identity that has what was asked for, that can reach it in one step, or for which that could not be decided. */
export interface WholeAnswer<Taken extends Pick<Step, "by"> = Step> extends Omit<MayAnswer, "answer"> {
  readonly answer: Answer;
  /** The steps by which it can reach it or, if undecided, perhaps can. Empty if it has it. */
  readonly steps: readonly Taken[];
}

/** Several answers about an identity, each to another action, as one; undefined if it may do none of them. */
export function together(answers: readonly (MayAnswer | undefined)[]): MayAnswer | undefined {
  const given = answers.filter((answer) => answer !== undefined);
  const sure = given.filter(({ answer }) => answer === "allowed");
  const told = sure.length > 0 ? sure : given;
  const [first] = told;
  if (first === undefined || told.length === 1) return first;
  const groups = new Map<string, AllowedBy>();
  for (const one of told.flatMap(({ by }) => by)) {
    const { patterns, ...rest } = one;
    const key = JSON.stringify(rest);
    const known = groups.get(key);
    groups.set(key, { ...one, patterns: [...new Set([...(known?.patterns ?? []), ...patterns])] });
  }
  const reasons = [...new Set(told.flatMap(({ reason }) => reason ?? []))].sort(compareText);
  return { ...first, by: [...groups.values()], ...(reasons.length === 0 ? {} : { reason: reasons.join("; ") }) };
}

/** What a step must say to be counted. */
type Counted = Pick<Step, "by" | "gives" | "doubt" | "to">;

/**
 * The whole answer about an identity.
 *
 * @param direct whether it has what was asked for.
 * @param actions what was asked for.
 * @param directOf whether another identity of its package has it, by Secret.
 */
export function wholeAnswer<Taken extends Counted>(
  { id = "", key = "" }: { readonly id?: string | undefined; readonly key?: string | undefined },
  direct: MayAnswer | undefined,
  steps: () => readonly Taken[],
  asked: { readonly actions: readonly Glob[]; readonly ignoresCase: boolean },
  directOf: (secret: string) => MayAnswer | undefined,
): WholeAnswer<Taken> | undefined {
  if (direct?.answer === "allowed") return { ...direct, steps: [] };
  const taken = steps()
    .filter((step) => leadsTo(step, asked))
    .flatMap((step) => (step.to === undefined ? [step] : throughOther(step, step.to, directOf(step.to))));
  const sure = taken.filter(({ doubt }) => doubt === undefined);
  const base = { identity: id, secret: key, by: [], ...direct };
  if (sure.length > 0) return { ...base, answer: "step", steps: sure };
  // A step that is open for the same reason says nothing more.
  const open = taken.filter(({ doubt }) => doubt !== direct?.reason);
  if (direct === undefined && open.length === 0) return undefined;
  const reasons = new Set([direct?.reason, ...open.map(({ doubt }) => doubt)].filter((one) => one !== undefined));
  return { ...base, answer: "undecided", steps: open, reason: [...reasons].sort(compareText).join("; ") };
}

function throughOther<Taken extends Counted>(step: Taken, to: string, other: MayAnswer | undefined): Taken[] {
  if (other === undefined) return [];
  if (other.answer === "allowed") return [step];
  return [{ ...step, doubt: step.doubt ?? `whether ${to} can is undecided` }];
}

function leadsTo(
  { gives }: Pick<Step, "gives">,
  { actions, ignoresCase }: { readonly actions: readonly Glob[]; readonly ignoresCase: boolean },
): boolean {
  if (gives === undefined) return true;
  const fold = (action: Glob) => (ignoresCase ? action.toLowerCase() : action);
  return gives.some((set) =>
    actions.some((action) => unlessTooComplex(true, () => intersects(fold(set), fold(action)))),
  );
}

/** The prefix of the subject of a service account (Kubernetes documentation, "Managing Service Accounts"). */
const serviceAccount = "system:serviceaccount:";

/**
 * The service accounts whose tokens can be an identity, as subjects, sorted. A subject with a wildcard is a pattern: a statement
 * that names an issuer and no subject trusts all of them.
 */
export function serviceAccountsOf(trusts: readonly Trust[]): string[] {
  const subjects = trusts.flatMap(({ effect, issuer, subjects: some, unread }) => {
    if (effect === "Deny") return [];
    return some.length === 0 && issuer !== undefined && unread === undefined ? [`${serviceAccount}*`] : some;
  });
  return [...new Set(subjects.filter((subject) => subject.startsWith(serviceAccount)))].sort(compareText);
}

/** An answer, and the identities and clusters that it counts for. */
export interface Weighed {
  readonly answer: Answer;
  readonly steps: readonly Pick<Step, "by">[];
  readonly serviceAccounts: readonly string[];
  /** Distinguishes clusters; of clusters that are the same, one stands for all. */
  readonly clusters: readonly { readonly id: string; readonly count: number }[];
}

/** What was looked at for an answer. */
export interface LookedAt {
  readonly packages: number;
  readonly identities: number;
  /** Actions and sets of actions that the identities have. */
  readonly actions: number;
}

/** The answer to a question in one sentence. @param said see Question. */
export function sentence(said: string, answers: readonly Weighed[], over: LookedAt): string {
  const of = (answer: Answer) => answers.filter((one) => one.answer === answer);
  const [allowed, steps, undecided] = [of("allowed"), of("step"), of("undecided")];
  const [can, more, open] = [allowed, steps, undecided].map(identitiesIn) as [number, number, number];
  const by = alternatives([...new Set(steps.flatMap((one) => one.steps.map((step) => step.by)))].sort(compareText));
  const isNone = more + open === 0;
  const first =
    can > 0
      ? `${counted(can, "identity")} in ${counted(clustersIn(allowed), "cluster")} can ${said}, used by ${usersOf(allowed)}`
      : `${noneOf(over)} can ${said}${isNone ? ", and none can reach it in one step" : open > 0 ? " for certain" : ""}`;
  const parts = [
    first,
    ...(more === 0 ? [] : [can > 0 ? `${more} more by ${by}` : `${more} can reach it by ${by}`]),
    ...(open === 0 ? [] : [`${open} ${open === 1 ? "is" : "are"} undecided`]),
  ];
  return `${parts.join("; ")}.`;
}

/** The beginning of a negative answer: "No identity in 2 packages (14 identities, 120 actions)". */
export function noneOf({ packages, identities, actions }: LookedAt): string {
  const within = `${counted(identities, "identity")}, ${counted(actions, "action")}`;
  return `No identity in ${counted(packages, "package")} (${within})`;
}

function identitiesIn(answers: readonly Weighed[]): number {
  return answers.flatMap(({ clusters }) => clusters).reduce((sum, { count }) => sum + count, 0);
}

function clustersIn(answers: readonly Weighed[]): number {
  const counts = new Map(answers.flatMap(({ clusters }) => clusters.map(({ id, count }) => [id, count] as const)));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

// The service account of each cluster is another one.
function usersOf(answers: readonly Weighed[]): string {
  const users = new Map<string, number>();
  for (const { clusters, serviceAccounts } of answers)
    for (const { id, count } of clusters)
      for (const one of serviceAccounts) users.set(JSON.stringify([id, one]), count);
  const countOf = (isPattern: boolean) =>
    [...users].reduce((sum, [key, count]) => (/[*?]/.test(key) === isPattern ? sum + count : sum), 0);
  const [named, patterns] = [countOf(false), countOf(true)];
  const matching = `all that match ${counted(patterns, "pattern")}`;
  if (named === 0) return patterns === 0 ? "no service account" : matching;
  return `${counted(named, "service account")}${patterns === 0 ? "" : ` and by ${matching}`}`;
}
