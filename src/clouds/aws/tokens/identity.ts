import type { JsonReading } from "../../../core/json.ts";
import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { matches } from "../../../permissions/glob.ts";
import { all, any, not, type Truth } from "../../tokens.ts";
import { maxRoleName, maxTagKey, maxTags, maxTagValue } from "../cluster/cluster.ts";
import {
  type ComparingOperator,
  isKnownOperator,
  operatorNamed,
  policyVariable,
} from "../permissions/condition-operators.ts";

/** A role that a token can be exchanged for. */
export interface RoleToAssume {
  readonly name: string;
  readonly partition: string;
  readonly accountId: string;
  readonly trust: JsonReading;
}

/** Parses the ARN of a role; undefined if the text is not a role's ARN (IAM User Guide, "IAM identifiers"). */
export function roleToAssume(arn: string, trust: JsonReading): RoleToAssume | undefined {
  const [, partition, accountId, name] =
    /^arn:([a-z-]+):iam::(\d{12}):role\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]+)$/.exec(arn) ?? [];
  if (partition === undefined || accountId === undefined || name === undefined || name.length > maxRoleName)
    return undefined;
  return { name, partition, accountId, trust };
}

/** An action that a role's trust policy must allow in addition to the exchange, and the claim that requires it. */
interface SessionAction {
  readonly action: "sts:TagSession" | "sts:SetSourceIdentity";
  readonly claim: string;
}

/** What a token's claims request for the session, and the reason if that is not fully known. */
export interface SessionClaims {
  readonly actions: readonly SessionAction[];
  readonly doubt?: string;
}

const vendor = "https://aws.amazon.com/";
const tags = `${vendor}tags`;
const principalTags = `${tags}/principal_tags`;
const transitiveKeys = `${tags}/transitive_tag_keys`;
const sourceIdentity = `${vendor}source_identity`;

/**
 * Reads what the claims request for a session: session tags, nested in one claim or in one claim each (IAM User Guide, "Pass
 * session tags in AWS STS", AssumeRoleWithWebIdentity), and a source identity (IAM User Guide, "Monitor and control actions
 * taken with assumed roles"). The role's trust policy must allow each with its own action. AWS documents no other form.
 */
export function sessionClaims(claims: ValueMap): SessionClaims {
  const names = Object.keys(claims)
    .filter((name) => name.toLowerCase().startsWith(vendor))
    .sort();
  const tag = names.find((name) => name === tags || name.startsWith(`${tags}/`));
  const odd = names.find((name) => !isKnown(name, claims[name] as Value));
  return {
    actions: [
      ...(tag === undefined ? [] : [{ action: "sts:TagSession", claim: tag } as const]),
      ...(names.includes(sourceIdentity) ? [{ action: "sts:SetSourceIdentity", claim: sourceIdentity } as const] : []),
    ],
    ...(odd === undefined
      ? {}
      : { doubt: `it is unknown how AWS treats the token's claim ${quote(odd)} with this value` }),
  };
}

function isKnown(name: string, value: Value): boolean {
  if (name === sourceIdentity) return typeof value === "string" && /^[\w+=,.@-]{2,64}$/.test(value);
  if (name === principalTags) return areTags(value);
  if (name === transitiveKeys) return areKeys(value);
  if (name.startsWith(`${principalTags}/`)) return isTag(name.slice(principalTags.length + 1), value);
  if (name !== tags || !isMap(value)) return false;
  const { principal_tags, transitive_tag_keys = [], ...rest } = value;
  return Object.keys(rest).length === 0 && areTags(principal_tags as Value) && areKeys(transitive_tag_keys);
}

function areTags(value: Value): boolean {
  const entries = isMap(value) ? Object.entries(value) : [];
  return entries.length > 0 && entries.length <= maxTags && entries.every(([key, one]) => isTag(key, one));
}

function isTag(key: string, value: Value): boolean {
  const [text, ...more] = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return isKey(key) && more.length === 0 && typeof text === "string" && text.length <= maxTagValue;
}

function areKeys(value: Value): boolean {
  return (
    Array.isArray(value) && (value as readonly Value[]).every((value) => typeof value === "string" && isKey(value))
  );
}

function isKey(text: string): boolean {
  return text.length >= 1 && text.length <= maxTagKey;
}

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
export function trustAnswer(
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
  if (!isMap(statement)) return unreadStatement("a statement is not a mapping", "unknown");
  const { Effect, Principal, Action, Condition } = statement;
  const effect = Effect === "Allow" || Effect === "Deny" ? Effect : "unknown";
  if (effect === "unknown") return unreadStatement("a statement's effect is neither Allow nor Deny", effect);
  const unknown = Object.keys(statement).filter((name) => !known.has(name));
  if (unknown.length > 0) return unreadStatement(`a statement has ${quote(unknown.sort().join(", "))}`, effect);
  const principal = fitsPrincipal(Principal, providerArn, effect);
  const action = fitsAction(Action, wanted);
  const { answer: condition, clauses } = meetsCondition(Condition, context);
  const applies = all([principal, action, condition]);
  return { effect, principal, action, applies, clauses, providers: federated(Principal) ?? [] };
}

function unreadStatement(why: string, effect: StatementAnswer["effect"]): StatementAnswer {
  const open = { principal: "unknown", action: "unknown", applies: "unknown" } as const;
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

/**
 * Looks up a condition key in a request: the values of the key (none if the request does not contain it), or "unknown". The
 * key is passed in lowercase, because IAM ignores the case of keys.
 */
export type RequestContext = (key: string) => readonly string[] | "unknown";

/** One clause of a condition, and whether a request meets it. */
export interface ClauseAnswer {
  readonly answer: Truth;
  readonly operator: string;
  readonly key: string;
  readonly wanted: readonly string[];
  /** The values in the request; "unknown" if they are not known. */
  readonly actual: readonly string[] | "unknown";
  /** Why the answer is unknown. */
  readonly why?: string;
}

/**
 * Decides whether a request meets a policy's `Condition`: all operators, for all of their keys, and one of each key's values
 * (IAM User Guide, "IAM JSON policy elements: Condition", "Conditions with multiple context keys or values"). Only operators for
 * strings are evaluated, without a prefix or a suffix. Anything else, and what AWS does not document, is "unknown", never true.
 */
export function meetsCondition(
  block: Value | undefined,
  context: RequestContext,
): { answer: Truth; clauses: readonly ClauseAnswer[] } {
  if (block === undefined) return { answer: true, clauses: [] };
  if (!isMap(block)) return { answer: "unknown", clauses: [] };
  const clauses = Object.entries(block).flatMap(([operator, keys]) =>
    isMap(keys)
      ? Object.entries(keys).map(([key, values]) => clauseAnswer(operator, key, values, context))
      : [{ ...unreadClause(operator, ""), why: `the value of ${quote(operator)} is not a mapping` }],
  );
  return { answer: all(clauses.map(({ answer }) => answer)), clauses };
}

function unreadClause(operator: string, key: string): ClauseAnswer {
  return { answer: "unknown", operator, key, wanted: [], actual: "unknown" };
}

function clauseAnswer(operator: string, key: string, values: Value, context: RequestContext): ClauseAnswer {
  const wanted = textsOf(values);
  if (wanted === undefined) return { ...unreadClause(operator, key), why: "its values have an unknown form" };
  const actual = context(key.toLowerCase());
  const base = { operator, key, wanted, actual };
  const known = operatorNamed(operator);
  if (known === undefined) {
    const why = isKnownOperator(operator)
      ? `\`ccf\` does not evaluate ${operator} on ${quote(key)}`
      : `unknown operator ${quote(operator)}`;
    return { ...base, answer: "unknown", why };
  }
  if (actual === "unknown")
    return { ...base, answer: "unknown", why: `the value that AWS uses for the key ${quote(key)} is unknown` };
  // Without the key, a negated operator is true, and any other is false.
  if (actual.length === 0) return { ...base, answer: known.negated };
  const [value = "", ...others] = actual;
  if (actual.includes("")) return { ...base, answer: "unknown", why: "the token's value is empty" };
  if (others.length > 0) {
    const why = `the token has more than one value for ${quote(key)}; AWS does not document which one applies`;
    return { ...base, answer: "unknown", why };
  }
  const answer = fits(known, value, wanted);
  return answer === "unknown" ? { ...base, answer, why: "its values cannot be compared here" } : { ...base, answer };
}

// Values in a policy are strings; IAM converts numbers and booleans to strings.
function textsOf(values: Value): string[] | undefined {
  const list = Array.isArray(values) ? (values as readonly Value[]) : [values];
  const isPlain = list.every(
    (value) => typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value),
  );
  return list.length > 0 && isPlain ? list.map(String) : undefined;
}

function fits({ compare, negated }: ComparingOperator, value: string, wanted: readonly string[]): Truth {
  const answer = any(wanted.map((text) => (text.includes(policyVariable) ? "unknown" : compare(value, text))));
  return negated ? not(answer) : answer;
}
