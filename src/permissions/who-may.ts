import { compareText } from "../core/text.ts";
import { type Budget, manySteps, separator, spend, unlessTooComplex } from "./automaton.ts";
import { areDisjoint, type Condition, describeCondition, splitCondition } from "./condition.ts";
import { removing } from "./denials.ts";
import { type Glob, intersects, isCovered, matches } from "./glob.ts";
import { type EffectiveStatement, effectiveStatements, type Holder } from "./identity.ts";
import { describeAction } from "./permissions.ts";
import type { Decided, OwnCluster, PermissionTerms, RoleDefinitions } from "./terms.ts";

/** The question who may do something. Wildcards are sets: an identity may if something in the set is allowed. */
export interface WhoMay {
  /** In the notation of a cloud: `s3:Get*`, `compute.disks.delete`, `Microsoft.Compute/disks/delete`. */
  readonly action: Glob;
  /** An ARN, the full name of a resource, or a resource ID; undefined for any resource. */
  readonly resource?: Glob | undefined;
}

/** An identity that may, or for which that could not be decided. */
export interface MayAnswer {
  /** Its ID in the cloud, such as a role's ARN; "" if it is not known. */
  readonly identity: string;
  /** `<secret namespace>/<secret name>`; "" if it is not known. */
  readonly secret: string;
  readonly answer: "allowed" | "undecided";
  /** The statements that allow it, in their order; if undecided, those that may. */
  readonly by: readonly AllowedBy[];
  /** Why it could not be decided; only if it was not. */
  readonly reason?: string;
}

/** What a statement, or a role, contributes to an answer. */
export interface AllowedBy {
  /** The actions that overlap with the question, as the cloud writes them, with exceptions: `ec2:* (except ec2:DeleteVolume)`. */
  readonly patterns: readonly string[];
  /** The resources or scopes of the statement that overlap with the question, verbatim. "*" is everything in the account. */
  readonly resources: readonly string[];
  /** All of them must be true, as text: `StringEquals key "value"`. */
  readonly conditions: readonly string[];
  /** The role that allows it. */
  readonly role?: string;
}

/**
 * Prepares the question for the identities of any number of packages of a cloud. The result is undefined for an identity that
 * may not.
 *
 * Denials count (IAM User Guide, "Policy evaluation logic": an explicit deny overrides any allow). It is undecided whether
 * an identity may if a denial has a condition that may be true, if something is a role or a managed policy without a known
 * definition, or if the identity has a permissions boundary, whose document a package does not contain. The question does not
 * know which resources an action applies to: a statement with `*` allows every action on every resource.
 */
export function whoMay(
  question: WhoMay,
  terms: PermissionTerms,
  definitions: RoleDefinitions | undefined,
): (holder: Holder, own: OwnCluster) => MayAnswer | undefined {
  const fold = (action: Glob) => (terms.actionsIgnoreCase ? action.toLowerCase() : action);
  const asked = { ...question, action: fold(question.action) };
  const isAsked = terms.actionForm.test(question.action);
  // A role's definition is the same list for every identity.
  const known = new WeakMap<readonly string[], readonly Meeting[]>();
  return (holder, own) => {
    if (!isAsked) return undefined;
    const statements = effectiveStatements(holder, definitions);
    const budget = { steps: manySteps };
    return answerOf(holder, statements, { asked, terms, own, fold, budget, known });
  };
}

/**
 * What is wrong with an action that no cloud writes so; undefined if one does.
 *
 * @param clouds every cloud that can answer.
 */
export function actionProblem(
  action: string,
  clouds: readonly { readonly title: string; readonly terms: PermissionTerms }[],
): string | undefined {
  if (clouds.some(({ terms }) => terms.actionForm.test(action))) return undefined;
  const forms = clouds.map(({ title, terms }) => `"${terms.example}" (${title})`);
  return `must be an action of a cloud, such as ${forms.join(" or ")}; "*" and "?" are wildcards; or a service, or a part of the name of an action`;
}

interface Context {
  readonly asked: WhoMay;
  readonly terms: PermissionTerms;
  readonly own: OwnCluster;
  readonly fold: (action: Glob) => Glob;
  readonly budget: Budget;
  readonly known: WeakMap<readonly string[], readonly Meeting[]>;
}

function answerOf(
  { id: identity = "", key: secret = "", boundary }: Holder,
  statements: readonly EffectiveStatement[],
  context: Context,
): MayAnswer | undefined {
  const decided = statements.filter(({ undecided }) => undecided === undefined);
  const denials = denialsIn(decided, context);
  const judged = decided
    .filter(({ effect }) => effect === "Allow")
    .flatMap((statement) => judge(statement, denials, context));
  const unread = (effect: string) =>
    statements.flatMap((one) => (one.effect === effect && concerns(one, context) ? [one.undecided] : []));
  const sure = judged.filter(({ doubt }) => doubt === undefined);
  const open = [...judged.map(({ doubt }) => doubt), ...unread("Allow")];
  if (sure.length === 0 && open.length === 0) return undefined;
  const limits = [...unread("Deny"), boundary === undefined ? undefined : boundaryDoubt(boundary)];
  const reasons = [...(sure.length > 0 ? [] : open), ...limits].filter((reason) => reason !== undefined);
  const by = (sure.length > 0 ? sure : judged).map((one) => one.by);
  if (reasons.length === 0) return { identity, secret, answer: "allowed", by };
  return { identity, secret, answer: "undecided", by, reason: [...new Set(reasons)].sort(compareText).join("; ") };
}

/** Why a permissions boundary leaves a question open. */
export function boundaryDoubt(boundary: string): string {
  return `the document of the permissions boundary ${boundary} is not in the package`;
}

// Whether an unreadable statement may be about what is asked.
function concerns({ undecided, actions, resources }: EffectiveStatement, context: Context): boolean {
  const { asked, fold } = context;
  if (undecided === undefined) return false;
  return unlessTooComplex(
    true,
    () =>
      actions.some((action) => intersects(fold(action), asked.action)) &&
      resources.some((resource) => applies(resource, context) !== false),
  );
}

function applies(resource: Glob, { asked, terms, own }: Context): Decided {
  return asked.resource === undefined || terms.appliesTo(resource, asked.resource, own);
}

/** A part of a denial. */
interface Denial {
  readonly set: Glob;
  readonly condition: Condition;
}

function denialsIn(statements: readonly EffectiveStatement[], { fold }: Context): Denial[] {
  return statements
    .filter(({ effect }) => effect === "Deny")
    .flatMap(({ actions, resources, condition }) =>
      actions.flatMap((action) => resources.map((resource) => ({ set: setOf(fold(action), resource), condition }))),
    );
}

function setOf(action: Glob, resource: Glob): Glob {
  return `${action}${separator}${resource}`;
}

/** What a statement allows of what is asked, and why that is not certain. */
interface Judged {
  readonly by: AllowedBy;
  readonly doubt: string | undefined;
}

function judge(statement: EffectiveStatement, denials: readonly Denial[], context: Context): Judged[] {
  const { condition, role, except = [] } = statement;
  const meeting = meetingActions(statement, context);
  if (meeting.length === 0 || splitCondition(condition).length === 0) return [];
  const resources = statement.resources
    .map((resource) => ({ resource, where: unlessTooComplex<Decided>(tooComplex, () => applies(resource, context)) }))
    .filter(({ where }) => where !== false);
  const strange = condition.find(({ operator }) => !context.terms.isKnownOperator(operator));
  const unknown = strange === undefined ? undefined : `the condition operator ${strange.operator} is not known`;
  // Patterns with the same answer on the same resources are told together.
  const groups = new Map<string, Judged & { readonly by: { readonly patterns: string[] } }>();
  for (const { action, isCertain } of meeting) {
    const answers = resources.map(({ resource, where }) => {
      const answer = denials.length === 0 ? true : denied(action, resource, statement, denials, context);
      const doubt = [answer, where, unknown ?? true, isCertain ? true : tooComplex].find((each) => each !== true);
      return { resource, doubt };
    });
    const certain = answers.filter(({ doubt }) => doubt === undefined);
    const left = certain.length > 0 ? certain : answers.filter(({ doubt }) => doubt !== false);
    const [first] = left;
    if (first === undefined) continue;
    const doubt = typeof first.doubt === "string" ? first.doubt : undefined;
    const on = left.map(({ resource }) => resource);
    const key = JSON.stringify([on, doubt]);
    const pattern = describeAction({ action, except: nearExceptions(action, except, context) });
    const group = groups.get(key);
    if (group !== undefined) group.by.patterns.push(pattern);
    else {
      const conditions = condition.map((clause) => describeCondition([clause]));
      const by = { patterns: [pattern], resources: on, conditions, ...(role === undefined ? {} : { role }) };
      groups.set(key, { by, doubt });
    }
  }
  return [...groups.values()];
}

const tooComplex = "it has too many wildcards to compare";

/** A pattern of a statement that overlaps with what is asked, or may do so. */
interface Meeting {
  readonly action: Glob;
  readonly isCertain: boolean;
}

function meetingActions({ actions, except = [] }: EffectiveStatement, context: Context): readonly Meeting[] {
  const { asked, fold, known, budget } = context;
  const cached = except.length === 0 ? known.get(actions) : undefined;
  if (cached !== undefined) return cached;
  const exceptions = except.map(fold);
  const isMeeting = (action: Glob): Decided => {
    const folded = fold(action);
    if (!/[*?]/.test(folded))
      return matches(asked.action, folded) && !exceptions.some((exception) => matches(exception, folded));
    return unlessTooComplex<Decided>(
      tooComplex,
      () => intersects(asked.action, folded, budget) && !isCovered([asked.action, folded], exceptions, budget),
    );
  };
  const found = actions.flatMap((action): Meeting[] => {
    const answer = isMeeting(action);
    return answer === false ? [] : [{ action, isCertain: answer === true }];
  });
  if (except.length === 0) known.set(actions, found);
  return found;
}

function nearExceptions(action: Glob, except: readonly Glob[], { fold }: Context): Glob[] {
  return except.filter((one) => unlessTooComplex(true, () => intersects(fold(one), fold(action))));
}

// True if something of what is asked is not denied, false if all of it is, and otherwise why that is not known.
function denied(
  action: Glob,
  resource: Glob,
  { condition, except = [] }: EffectiveStatement,
  denials: readonly Denial[],
  { asked, fold, budget }: Context,
): Decided {
  const within = [setOf(asked.action, asked.resource ?? "*"), setOf(fold(action), resource)];
  const outside = except.map((one) => setOf(fold(one), "*"));
  const certainWhen = removing(denials, budget);
  let doubt: string | undefined;
  for (const alternative of splitCondition(condition)) {
    const answer = unlessTooComplex<Decided>(tooComplex, () => {
      spend(budget, denials.length);
      const isWithin = (some: readonly Denial[]) =>
        isCovered(within, [...outside, ...some.map(({ set }) => set)], budget);
      const certain = certainWhen(alternative);
      if (isWithin(certain)) return false;
      const possible = denials.filter((denial) => areDisjoint(alternative, denial.condition, budget) !== true);
      if (!isWithin(possible)) return true;
      const conditions = possible.filter((denial) => !certain.includes(denial)).map((denial) => denial.condition);
      const texts = [...new Set(conditions.map(describeCondition))].sort(compareText);
      return `a denial removes it if ${texts.join(", or if ")}`;
    });
    if (answer === true) return true;
    if (answer !== false) doubt ??= answer;
  }
  return doubt ?? false;
}
