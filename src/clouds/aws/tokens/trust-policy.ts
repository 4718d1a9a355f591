import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { all, any, type Truth } from "../../../core/truth.ts";
import { matches } from "../../../permissions/glob.ts";
import { type ClauseAnswer, meetsCondition, type RequestContext } from "./iam-condition.ts";

/** Who asks for a role, by which call. */
export interface TrustRequest {
  /** The ARN of the provider that the token is of. */
  readonly providerArn: string;
  /** The call, or another action that it needs to be allowed: `sts:TagSession`. */
  readonly action: string;
  readonly context: RequestContext;
}

/** What one statement of a trust policy says to a request. */
export interface StatementAnswer {
  readonly effect: "Allow" | "Deny" | "unknown";
  /** Whether the statement is about the request at all, by each of its elements. */
  readonly principal: Truth;
  readonly action: Truth;
  readonly condition: Truth;
  readonly applies: Truth;
  readonly clauses: readonly ClauseAnswer[];
  /** The providers that it names. */
  readonly providers: readonly string[];
  /** Why the statement as a whole cannot be told. */
  readonly why?: string;
}

/** The call that exchanges a token for a role's credentials. */
export const assumeAction = "sts:AssumeRoleWithWebIdentity";

/**
 * Says whether a role's trust policy lets a request become the role: one statement allows it, and none denies it (IAM
 * User Guide, "Policy evaluation logic"). A denial that cannot be told may be one.
 */
export function isTrusted(
  policy: Value,
  request: TrustRequest,
): { answer: Truth; denied: Truth; statements: readonly StatementAnswer[] } {
  const listed = isMap(policy) ? policy["Statement"] : undefined;
  const list = Array.isArray(listed) ? (listed as readonly Value[]) : listed === undefined ? [] : [listed];
  const statements = list.map((value) => statementAnswer(value as Value, request));
  const of = (effect: string) =>
    any(statements.flatMap((statement) => (statement.effect === effect ? [statement.applies] : [])));
  const unread = statements.some(({ effect }) => effect === "unknown");
  const denied = any([of("Deny"), unread ? "unknown" : false]);
  const allowed = any([of("Allow"), unread ? "unknown" : false]);
  if (denied === true || allowed === false) return { answer: false, denied, statements };
  return { answer: denied === "unknown" ? "unknown" : allowed, denied, statements };
}

const known = new Set(["Sid", "Effect", "Principal", "Action", "Condition"]);

function statementAnswer(statement: Value, { providerArn, action: wanted, context }: TrustRequest): StatementAnswer {
  if (!isMap(statement)) return unread("a statement is no mapping", "unknown");
  const { Effect, Principal, Action, Condition } = statement;
  const effect = Effect === "Allow" || Effect === "Deny" ? Effect : "unknown";
  if (effect === "unknown") return unread("a statement's effect is neither Allow nor Deny", effect);
  const strange = Object.keys(statement).filter((name) => !known.has(name));
  if (strange.length > 0) return unread(`a statement has ${quote(strange.sort().join(", "))}`, effect);
  const principal = fitsPrincipal(Principal, providerArn, effect);
  const action = fitsAction(Action, wanted);
  const { answer: condition, clauses } = meetsCondition(Condition, context);
  const applies = all([principal, action, condition]);
  return { effect, principal, action, condition, applies, clauses, providers: federated(Principal) ?? [] };
}

function unread(why: string, effect: StatementAnswer["effect"]): StatementAnswer {
  const open = { principal: "unknown", action: "unknown", condition: "unknown", applies: "unknown" } as const;
  return { effect, ...open, clauses: [], providers: [], why };
}

// IAM User Guide, "AWS JSON policy elements: Principal". Whether somebody whom a provider vouches for is among "*", or
// among the principals of an account, is said for denials alone.
function fitsPrincipal(value: Value | undefined, providerArn: string, effect: "Allow" | "Deny"): Truth {
  const everybody = effect === "Deny" ? true : "unknown";
  if (value === "*") return everybody;
  if (!isMap(value) || Object.keys(value).length === 0) return "unknown";
  return any(
    Object.keys(value).map((kind): Truth => {
      const names = texts(value[kind]);
      if (names === undefined) return "unknown";
      if (kind === "Federated") return fitsProvider(names, providerArn);
      if (kind === "AWS") return names.includes("*") ? everybody : effect === "Deny" ? "unknown" : false;
      return kind === "Service" || kind === "CanonicalUser" ? false : "unknown";
    }),
  );
}

function fitsProvider(names: readonly string[], providerArn: string): Truth {
  if (names.includes(providerArn)) return true;
  return names.some((name) => /[*?]|\$\{/.test(name)) ? "unknown" : false;
}

function federated(value: Value | undefined): readonly string[] | undefined {
  return isMap(value) ? texts((value as ValueMap)["Federated"]) : undefined;
}

// Actions are not told apart by case, and may hold wildcards (IAM User Guide, "AWS JSON policy elements: Action").
function fitsAction(value: Value | undefined, wanted: string): Truth {
  const names = texts(value);
  if (names === undefined || names.length === 0) return "unknown";
  return names.some((name) => matches(name.toLowerCase(), wanted.toLowerCase()));
}

function texts(value: Value | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return list.every((value) => typeof value === "string") ? (list as readonly string[]) : undefined;
}
