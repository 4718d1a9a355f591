import type { Value } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import {
  type About,
  type Check,
  failed,
  inMessage,
  inQuotes,
  missing,
  notReached,
  passed,
  type TokenRefusal,
  unknown,
} from "../../../oidc/answer.ts";
import { checkShape } from "../../../oidc/checks.ts";
import type { Token, TokenReading } from "../../../oidc/token.ts";
import { matches } from "../../../permissions/glob.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { providerArn, withoutScheme } from "../cluster/resource-names.ts";
import {
  assumeAction,
  type ClauseAnswer,
  type RequestContext,
  type RoleToAssume,
  type StatementAnswer,
  sessionClaims,
  type TrustRequest,
  trustAnswer,
} from "./identity.ts";
import { awsTokenLimits, invalidToken } from "./limits.ts";

/** Checks the token's form. AWS does not document that it refuses a time with a fraction, which RFC 7519 allows. */
export function checkForm({ token, problems }: TokenReading): Check {
  const shape = checkShape({ token, problems }, awsTokenLimits);
  const [first] = problems;
  const isOpen = problems.every(({ field, isReadBySome }) => field !== undefined && isReadBySome === true);
  if (first === undefined || !isOpen) return shape;
  return unknown("shape", `${shape.detail}; how AWS handles that is not documented`, first.cure);
}

/**
 * Finds the provider of a token's issuer. Host and path must match exactly (OpenID Connect Core 1.0,
 * section 3.1.3.7; IAM User Guide, "Create an OpenID Connect (OIDC) identity provider in IAM").
 */
export function providerOf({ iss = "" }: Token, providers: readonly RenderedIssuer[]): RenderedIssuer | undefined {
  return providers.find(({ url }) => url !== undefined && iss === `https://${url}`);
}

/** Checks that the role's account has a provider for the token's issuer. */
export function checkProvider(token: Token, providers: readonly RenderedIssuer[], role: RoleToAssume): Check {
  const { iss } = token;
  if (iss === undefined) return notReached("provider", "the token has no issuer");
  const error = invalidToken(`No OpenIDConnect provider found in your account for ${inMessage(iss)}`);
  const about = isNear(iss, providers) ? "issuer" : "foreign issuer";
  const fail = (cause: string, cure: string) => failed("provider", error, cause, cure, about);
  if (!iss.startsWith("https://"))
    return fail(`the token's issuer ${quoteWhole(iss)} does not begin with "https://"`, otherKind(iss));
  const provider = providerOf(token, providers);
  if (provider === undefined) {
    const named = providers.flatMap(({ url }) => url ?? []);
    if (named.length === 0) {
      const cause = `it is unknown whether the account ${role.accountId} has a provider for ${quoteWhole(iss)}`;
      return missing("provider", cause, "pass the output of `aws iam get-open-id-connect-provider` as --provider-file");
    }
    return fail(difference(iss, named), correctIssuer(named[0] as string));
  }
  const home = /^arn:([a-z-]+):iam::(\d{12}):/.exec(provider.id ?? "");
  if (home !== null && (home[1] !== role.partition || home[2] !== role.accountId)) {
    const cause = `the provider is in the account ${home[2]} in the partition "${home[1]}", but the role is in ${role.accountId} in "${role.partition}"`;
    const cure = "use a role in the provider's account, or create the provider in the role's account too";
    return failed("provider", error, cause, cure);
  }
  return passed(
    "provider",
    `the provider ${quoteWhole(provider.url ?? "")} in the account ${role.accountId} is for the token's issuer`,
  );
}

function otherKind(iss: string): string {
  if (iss === "kubernetes/serviceaccount")
    return "this token is from a Secret; use the projected token that the pod mounts, or create one with `oc create token`";
  return "set the cluster's issuer (`spec.serviceAccountIssuer` of Authentication `cluster`) to an https URL that has a provider";
}

function correctIssuer(url: string): string {
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to "https://${url}" and get a new token, or render, export and apply with the token's issuer`;
}

const ways: readonly [(text: string) => string, string][] = [
  [(text) => text.replace(/\/+$/, ""), "by a trailing slash, which is significant"],
  [(text) => text.toLowerCase(), "in case, which is significant"],
  [(text) => text.replace(/^([^/]*):\d+/, "$1"), "by a port, which a provider cannot have"],
];

// The token's issuer may be a provider's issuer in another spelling. That provider's keys are then the token's keys.
function isNear(iss: string, providers: readonly RenderedIssuer[]): boolean {
  const plain = (text: string) => ways.reduce((so, [way]) => way(so), text.replace(/^https?:\/\//i, ""));
  return providers.some(({ url }) => url !== undefined && plain(url) === plain(iss));
}

function difference(iss: string, urls: readonly string[]): string {
  const host = withoutScheme(iss);
  for (const url of urls) {
    const way = ways.find(([plain]) => plain(url) === plain(host));
    if (way !== undefined)
      return `the token's issuer is ${quoteWhole(iss)}, but the provider's is ${quoteWhole(`https://${url}`)}: they differ ${way[1]}`;
  }
  return `the token's issuer is ${quoteWhole(iss)}, but the account's providers are for ${urls.map((url) => quoteWhole(`https://${url}`)).join(", ")}`;
}

const wrong = invalidToken("Incorrect token audience");

/** Checks that a token is for one of the provider's client IDs. */
export function checkAudience(token: Token, provider: RenderedIssuer | undefined): Check {
  const { aud, claims } = token;
  const [only] = aud;
  if (only === undefined) return notReached("audience", "the token has no audience");
  if (provider?.clientIds === undefined) {
    const cause = "the provider's client IDs are unknown";
    return missing("audience", cause, "pass the output of `aws iam get-open-id-connect-provider` as --provider-file");
  }
  const ids = provider.clientIds;
  const azp = claims["azp"];
  const all = typeof azp === "string" ? [...aud, azp] : aud;
  const add = "add the token's audience to `spec.issuer.audiences`, render, export and apply";
  const cure =
    ids.length === 0 ? add : `request a token for one of the provider's audiences: ${inQuotes(ids)}; or ${add}`;
  const has = ids.length === 0 ? "the provider has no client IDs" : `the provider's client IDs are ${inQuotes(ids)}`;
  if (!all.some((text) => ids.includes(text)))
    return failed("audience", wrong, `the token is for ${inQuotes(all)}, but ${has}`, cure, "audience");
  if (aud.length > 1)
    return unknown(
      "audience",
      `the token has ${aud.length} audiences, ${inQuotes(aud)}; AWS does not document this case`,
      cure,
    );
  if (azp !== undefined && azp !== only)
    return unknown(
      "audience",
      'the token has both an authorized party ("azp") and an audience; AWS does not document which of them must be a client ID',
      cure,
    );
  return passed("audience", `${quoteWhole(only)} is a client ID of the provider`);
}

const denied: TokenRefusal = {
  code: "AccessDenied",
  httpStatus: 403,
  message: `Not authorized to perform ${assumeAction}`,
};

const again = "render and apply, or compare the role with the package: `ccf status`";

/**
 * Checks that the role's trust policy allows the holder of the token to assume the role, in the session that the claims
 * request.
 *
 * @param meant the provider that the token is checked against, even if it is not for the token's issuer.
 */
export function checkTrust(token: Token, role: RoleToAssume, meant?: RenderedIssuer): Check {
  const { iss } = token;
  if (iss === undefined || token.sub === undefined)
    return notReached("trust policy", "the token has no issuer or no subject");
  if ("problem" in role.trust) return unknown("trust policy", `the trust policy ${role.trust.problem}`, again);
  const host = withoutScheme(iss);
  const policy = role.trust.value;
  const request = { providerArn: providerArn(role, iss), context: contextOf(token, host) };
  const meantArn = meant?.url === undefined ? undefined : providerArn(role, `https://${meant.url}`);
  const { actions, doubt } = sessionClaims(token.claims);
  const checks = [
    checkAssume(policy, { ...request, action: assumeAction, meantArn }, token.sub, host),
    ...actions.map((action) => checkSession(policy, { ...request, action: action.action }, action.claim, host)),
    ...(doubt === undefined ? [] : [unknown("trust policy", doubt, omitClaim)]),
  ];
  const least = ["failed", "unknown"].flatMap((status) => checks.find((check) => check.status === status) ?? [])[0];
  const also = actions.length === 0 ? "" : `, and ${actions.map(({ action }) => action).join(", ")}`;
  return least ?? passed("trust policy", `allows ${quoteWhole(token.sub)} of this issuer${also}`);
}

const omitClaim = "configure the issuer to omit the claim; Kubernetes tokens do not contain such claims";

interface MeantRequest extends TrustRequest {
  /** The provider that the token is checked against. */
  readonly meantArn: string | undefined;
}

function checkAssume(policy: Value, request: MeantRequest, sub: string, host: string): Check {
  const { answer, denied: isDenied, statements } = trustAnswer(policy, request);
  if (answer === true) return passed("trust policy", `allows ${quoteWhole(sub)} of this issuer`);
  if (answer === "unknown")
    return unknown(
      "trust policy",
      doubts(statements),
      "check the statement, and rewrite it with conditions that can be checked offline",
    );
  if (isDenied === true) {
    const which = clauses(statements.filter(({ effect, applies }) => effect === "Deny" && applies === true));
    return failed(
      "trust policy",
      denied,
      `a statement denies it${which === "" ? "" : `: ${which}`}`,
      `if the denial is not intended, remove the statement`,
    );
  }
  const [cause, cure] = whyNot(statements, request, host);
  return failed("trust policy", denied, cause, cure ?? again, sameReason(statements, request, host));
}

/** The part of the token that alone causes the refusal, if another check may fail because of it too. */
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

/** Without it, AWS rejects the whole call (IAM User Guide, "Pass session tags in AWS STS", "Permissions required"). */
function checkSession(policy: Value, request: TrustRequest, claim: string, host: string): Check {
  const needs = `the token's claim ${quoteWhole(claim)} requires ${request.action}`;
  const { answer, denied: isDenied, statements } = trustAnswer(policy, request);
  if (answer === true) return passed("trust policy", needs);
  if (answer === "unknown") return unknown("trust policy", `${needs}, but ${doubts(statements)}`, omitClaim);
  const why = isDenied === true ? "a statement denies it" : whyNot(statements, request, host)[0];
  return failed(
    "trust policy",
    denied,
    `${needs}, but ${why}`,
    `${omitClaim}; or allow the action in the trust policy`,
  );
}

/**
 * The condition keys that STS derives from a token (IAM User Guide, "Available keys for AWS OIDC federation"). If the token
 * has an authorized party, "aud" is that party and "oaud" the audience. Keys of other providers are not in the request.
 */
function contextOf({ claims, sub = "", aud }: Token, host: string): RequestContext {
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
    const providers = [...new Set(allowing.flatMap(({ providers }) => providers))];
    const named = providers.map(quoteWhole).join(", ");
    const withScheme = providers.find((provider) => /:oidc-provider\/https?:\/\//i.test(provider));
    if (withScheme !== undefined)
      return [
        `the trust policy names ${quoteWhole(withScheme)}, but the ARN of a provider does not contain "https://"`,
        `name the provider by its ARN: ${quoteWhole(withScheme.replace(/https?:\/\//i, ""))}`,
      ];
    return [`the trust policy names ${named === "" ? "no provider" : named}, but the token is from ${quoteWhole(arn)}`];
  }
  const calls = ours.filter(({ action }) => action !== false);
  if (calls.length === 0) return [`the trust policy does not allow the action ${wanted}`];
  const cause = clauses(
    calls.map((call) => ({ ...call, clauses: call.clauses.filter(({ answer }) => answer === false) })),
  );
  const keys = calls.flatMap((call) => call.clauses.filter(({ answer }) => answer === false).map(({ key }) => key));
  const withScheme = keys.find((key) => /^https?:\/\//i.test(key));
  if (withScheme !== undefined)
    return [cause, `remove "https://" from the key: ${quoteWhole(withScheme.replace(/^https?:\/\//i, ""))}`];
  const literal = calls.flatMap((call) => call.clauses).find(hasLiteralWildcard);
  if (literal !== undefined)
    return [
      `${cause}; in ${literal.operator}, "*" and "?" are literal characters`,
      "for wildcards, use StringLike instead; `ccf` renders every subject without wildcards",
    ];
  if (keys.some((key) => key.toLowerCase() === `${host.toLowerCase()}:sub`))
    return [
      cause,
      "use a token of a service account that the role trusts; or add this service account to the request (`serviceAccountNames`) or to an override, render, export and apply",
    ];
  if (keys.some((key) => key.toLowerCase() === `${host.toLowerCase()}:aud`))
    return [
      cause,
      "request a token for one of these audiences, or change `spec.issuer.audiences`, render, export and apply",
    ];
  return [cause];
}

// The condition would be met if its wildcards were not literal characters.
function hasLiteralWildcard({ answer, operator, wanted, actual }: ClauseAnswer): boolean {
  if (answer !== false || actual === "unknown" || !/^StringEquals(?:IgnoreCase)?$/.test(operator)) return false;
  return wanted.some((text) => /[*?]/.test(text) && actual.some((value) => matches(text, value)));
}

function doubts(statements: readonly StatementAnswer[]): string {
  const all = statements
    .filter(({ applies }) => applies === "unknown")
    .flatMap((statement) => {
      const why = statement.clauses.flatMap(({ answer, why: reason }) => (answer === "unknown" ? (reason ?? []) : []));
      if (statement.why !== undefined) return [statement.why];
      return why.length > 0 ? why : ["a statement's principal, action or condition has an unknown form"];
    });
  return `the answer is unknown: ${[...new Set(all)].join("; ")}`;
}

function clauses(statements: readonly StatementAnswer[]): string {
  return [...new Set(statements.flatMap((statement) => statement.clauses.map(clauseText)))].join("; ");
}

function clauseText({ operator, key, wanted, actual }: ClauseAnswer): string {
  const values = wanted.map(quoteWhole).join(" or ");
  const has =
    actual === "unknown"
      ? "its value in the request is unknown"
      : actual.length === 0
        ? "the request does not contain this key"
        : `the token has ${actual.map(quoteWhole).join(", ")}`;
  const never = /^https?:\/\//i.test(key) ? ', because condition keys do not contain "https://"' : "";
  return `${operator} on ${quoteWhole(key)} requires ${values}, but ${has}${never}`;
}
