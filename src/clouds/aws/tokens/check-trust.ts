import type { Value } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import {
  type About,
  type Check,
  failed,
  notReached,
  passed,
  type Refusal,
  unknown,
} from "../../../oidc/verify/check.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { providerArn, withoutScheme } from "../cluster/arn.ts";
import type { ClauseAnswer, RequestContext } from "./iam-condition.ts";
import type { RoleToAssume } from "./role-to-assume.ts";
import { sessionClaims } from "./session.ts";
import { assumeAction, isTrusted, type StatementAnswer, type TrustRequest } from "./trust-policy.ts";

const denied: Refusal = {
  code: "AccessDenied",
  httpStatus: 403,
  message: `Not authorized to perform ${assumeAction}`,
};

const again = "render and apply, or compare the role with the package: `aws/status.sh`";

/**
 * Whether the role's trust policy lets this token's bearer become the role, in a session as its claims ask for it.
 *
 * @param meant the provider that the token is held against, which need not be its issuer's.
 */
export function checkTrust(token: Token, role: RoleToAssume, time: number, meant?: RenderedIssuer): Check {
  const { iss } = token;
  if (iss === undefined || token.sub === undefined)
    return notReached("trust policy", "the token names no issuer or no subject");
  if ("problem" in role.trust) return unknown("trust policy", `the trust policy ${role.trust.problem}`, again);
  const host = withoutScheme(iss);
  const policy = role.trust.value;
  const request = { providerArn: providerArn(role, iss), context: contextOf(token, host, time) };
  const meantArn = meant?.url === undefined ? undefined : providerArn(role, `https://${meant.url}`);
  const { actions, doubt } = sessionClaims(token.claims);
  const checks = [
    checkAssume(policy, { ...request, action: assumeAction, meantArn }, token.sub, host),
    ...actions.map((action) => checkSession(policy, { ...request, action: action.action }, action.claim, host)),
    ...(doubt === undefined ? [] : [unknown("trust policy", doubt, leaveOut)]),
  ];
  const least = ["failed", "unknown"].flatMap((status) => checks.find((check) => check.status === status) ?? [])[0];
  const also = actions.length === 0 ? "" : `, and ${actions.map(({ action }) => action).join(", ")}`;
  return least ?? passed("trust policy", `allows ${quoteWhole(token.sub)} of this issuer${also}`);
}

const leaveOut = "let the issuer leave the claim out; tokens of Kubernetes have none of the kind";

interface MeantRequest extends TrustRequest {
  /** The provider that the token is held against. */
  readonly meantArn: string | undefined;
}

function checkAssume(policy: Value, request: MeantRequest, sub: string, host: string): Check {
  const { answer, denied: isDenied, statements } = isTrusted(policy, request);
  if (answer === true) return passed("trust policy", `allows ${quoteWhole(sub)} of this issuer`);
  if (answer === "unknown")
    return unknown(
      "trust policy",
      doubts(statements),
      "look at the statement; whoever trusts a token should say so in terms that can be checked",
    );
  if (isDenied === true) {
    const which = clauses(statements.filter(({ effect, applies }) => effect === "Deny" && applies === true));
    return failed(
      "trust policy",
      denied,
      `a statement denies it${which === "" ? "" : `: ${which}`}`,
      `take the statement out, if it is not meant; else it does what it should`,
    );
  }
  const [cause, cure] = whyNot(statements, request, host);
  return failed("trust policy", denied, cause, cure ?? again, sameReason(statements, request, host));
}

/** What of the token the refusal is about, where it is nothing but what another check may fail for. */
function sameReason(
  statements: readonly StatementAnswer[],
  { meantArn }: MeantRequest,
  host: string,
): About | undefined {
  const allowing = statements.filter(({ effect }) => effect === "Allow");
  const ours = allowing.filter(({ principal }) => principal !== false);
  if (ours.length === 0)
    return allowing.some(({ providers }) => providers.includes(meantArn ?? "")) ? "issuer" : undefined;
  const keys = ours.flatMap((statementAnswer) =>
    statementAnswer.clauses.filter(({ answer }) => answer === false).map(({ key }) => key),
  );
  const isAudience = (key: string) => key.toLowerCase() === `${host.toLowerCase()}:aud`;
  return keys.length > 0 && keys.every(isAudience) ? "audience" : undefined;
}

/** IAM User Guide, "Pass session tags in AWS STS", "Permissions required": without them the whole call is refused. */
function checkSession(policy: Value, request: TrustRequest, claim: string, host: string): Check {
  const needs = `the token's claim ${quoteWhole(claim)} needs ${request.action}`;
  const { answer, denied: isDenied, statements } = isTrusted(policy, request);
  if (answer === true) return passed("trust policy", needs);
  if (answer === "unknown") return unknown("trust policy", `${needs}, and ${doubts(statements)}`, leaveOut);
  const why = isDenied === true ? "a statement denies it" : whyNot(statements, request, host)[0];
  return failed(
    "trust policy",
    denied,
    `${needs}, and ${why}`,
    `${leaveOut}; or let the trust policy allow the action`,
  );
}

/**
 * What STS puts into the request of a token (IAM User Guide, "Available keys for AWS OIDC federation"): "aud" is the
 * authorized party where the token has one, and then "oaud" the audience. Keys of other providers are not in it.
 */
function contextOf({ claims, sub = "", aud }: Token, host: string, time: number): RequestContext {
  const own = `${host.toLowerCase()}:`;
  const { azp, amr } = claims;
  const party = azp === undefined ? undefined : typeof azp === "string" ? [azp] : "unknown";
  const keys: Readonly<Record<string, readonly string[] | "unknown">> = {
    sub: [sub],
    aud: party ?? aud,
    oaud: party === undefined ? "unknown" : aud,
    amr: listOf(amr),
  };
  return (key) => {
    if (key === "aws:currenttime" || key === "aws:epochtime") return [String(Math.floor(time))];
    if (/^https?:\/\//.test(key)) return [];
    if (!key.startsWith(own)) return /^[^:]+\.[^:]+:(?:sub|aud|oaud|amr)$/.test(key) ? [] : "unknown";
    const name = key.slice(own.length);
    return Object.hasOwn(keys, name) ? (keys[name] as readonly string[]) : "unknown";
  };
}

function listOf(value: Value | undefined): readonly string[] | "unknown" {
  if (value === undefined) return [];
  const list = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return list.every((value) => typeof value === "string") ? (list as readonly string[]) : "unknown";
}

function whyNot(
  statements: readonly StatementAnswer[],
  { providerArn: arn, action: wanted }: TrustRequest,
  host: string,
): [cause: string, cure?: string] {
  const allowing = statements.filter(({ effect }) => effect === "Allow");
  if (allowing.length === 0) return ["no statement of the trust policy allows anything"];
  const ours = allowing.filter(({ principal }) => principal !== false);
  if (ours.length === 0) {
    const named = [...new Set(allowing.flatMap(({ providers }) => providers))].map(quoteWhole).join(", ");
    return [`the trust policy names ${named === "" ? "no provider" : named}, and the token is of ${quoteWhole(arn)}`];
  }
  const calls = ours.filter(({ action }) => action !== false);
  if (calls.length === 0) return [`the trust policy does not allow the action ${wanted}`];
  const cause = clauses(
    calls.map((call) => ({ ...call, clauses: call.clauses.filter(({ answer }) => answer === false) })),
  );
  const keys = calls.flatMap((call) => call.clauses.filter(({ answer }) => answer === false).map(({ key }) => key));
  const withScheme = keys.find((key) => /^https?:\/\//i.test(key));
  if (withScheme !== undefined)
    return [cause, `take "https://" out of the key: ${quoteWhole(withScheme.replace(/^https?:\/\//i, ""))}`];
  if (keys.some((key) => key.toLowerCase() === `${host.toLowerCase()}:sub`))
    return [
      cause,
      "use the token of a service account that the role is for, or name this one in the request (`serviceAccountNames`, or an override), render and apply",
    ];
  if (keys.some((key) => key.toLowerCase() === `${host.toLowerCase()}:aud`))
    return [cause, "take a token for one of these audiences, or change `spec.issuer.audiences`, render and apply"];
  return [cause];
}

function doubts(statements: readonly StatementAnswer[]): string {
  const all = statements
    .filter(({ applies }) => applies === "unknown")
    .flatMap((statement) => {
      const why = statement.clauses.flatMap(({ answer, why: reason }) => (answer === "unknown" ? (reason ?? []) : []));
      if (statement.why !== undefined) return [statement.why];
      return why.length > 0 ? why : ["a statement's principal, action or condition has a form that is not known"];
    });
  return `it cannot be told: ${[...new Set(all)].join("; ")}`;
}

function clauses(statements: readonly StatementAnswer[]): string {
  return [...new Set(statements.flatMap((statement) => statement.clauses.map(clauseText)))].join("; ");
}

function clauseText({ operator, key, wanted, actual }: ClauseAnswer): string {
  const values = wanted.map(quoteWhole).join(" or ");
  const has =
    actual === "unknown"
      ? "what the request has is not known"
      : actual.length === 0
        ? "the request has no such key"
        : `the token has ${actual.map(quoteWhole).join(", ")}`;
  const never = /^https?:\/\//i.test(key) ? ', because no key has "https://" in it' : "";
  return `${operator} on ${quoteWhole(key)} wants ${values}, and ${has}${never}`;
}
