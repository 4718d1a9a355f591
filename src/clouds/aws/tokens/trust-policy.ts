import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { all, any, type Truth } from "../../../core/truth.ts";
import { matches } from "../../../permissions/glob.ts";
import { type ClauseAnswer, meetsCondition, type RequestContext } from "./iam-condition.ts";

/** The caller that requests a role, and the call. */
export interface TrustRequest {
  /** The ARN of the provider of the token's issuer. */
  readonly providerArn: string;
  /** The call, or another action that must be allowed for it: `sts:TagSession`. */
  readonly action: string;
  readonly context: RequestContext;
}

/** The answer of one statement of a trust policy to a request. */
export interface StatementAnswer {
  readonly effect: "Allow" | "Deny" | "unknown";
  /** Whether each element of the statement matches the request. */
  readonly principal: Truth;
  readonly action: Truth;
  readonly condition: Truth;
  readonly applies: Truth;
  readonly clauses: readonly ClauseAnswer[];
  /** The providers that it names. */
  readonly providers: readonly string[];
  /** Why the answer of the whole statement is unknown. */
  readonly why?: string;
}

/** The call that exchanges a token for a role's credentials. */
export const assumeAction = "sts:AssumeRoleWithWebIdentity";

/**
 * Decides whether a role's trust policy allows a request to assume the role: one statement allows it, and none denies it
 * (IAM User Guide, "Policy evaluation logic"). If it is unknown whether a statement denies it, the answer is unknown.
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
  if (!isMap(statement)) return unread("a statement is not a mapping", "unknown");
  const { Effect, Principal, Action, Condition } = statement;
  const effect = Effect === "Allow" || Effect === "Deny" ? Effect : "unknown";
  if (effect === "unknown") return unread("a statement's effect is neither Allow nor Deny", effect);
  const unknown = Object.keys(statement).filter((name) => !known.has(name));
  if (unknown.length > 0) return unread(`a statement has ${quote(unknown.sort().join(", "))}`, effect);
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

// IAM User Guide, "AWS JSON policy elements: Principal". Whether "*" or an account's
// principals include a caller with a token from a provider is documented only for denials.
function fitsPrincipal(value: Value | undefined, providerArn: string, effect: "Allow" | "Deny"): Truth {
  const wildcard = effect === "Deny" ? true : "unknown";
  if (value === "*") return wildcard;
  if (!isMap(value) || Object.keys(value).length === 0) return "unknown";
  return any(
    Object.keys(value).map((kind): Truth => {
      const names = texts(value[kind]);
      if (names === undefined) return "unknown";
      if (kind === "Federated") return fitsProvider(names, providerArn);
      if (kind === "AWS") return names.includes("*") ? wildcard : effect === "Deny" ? "unknown" : false;
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

// Actions are not case-sensitive and may contain wildcards (IAM User Guide, "AWS JSON policy elements: Action").
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
