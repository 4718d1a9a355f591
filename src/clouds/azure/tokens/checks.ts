import { isUuid } from "../../../core/hash.ts";
import { notShown, quoteWhole } from "../../../core/text.ts";
import { type Check, failed, inQuotes, notReached, passed, unknown } from "../../../oidc/answer.ts";
import { correctClock, getNewToken, span, timeText } from "../../../oidc/checks.ts";
import type { Token, TokenProblem, TokenReading } from "../../../oidc/token.ts";
import { checkTokenShape } from "../../tokens.ts";
import type { FederatedCredential } from "../rendered/rendered.ts";
import { type FlexibleCredential, isSameId, type ManagedIdentity } from "./identity.ts";
import {
  azureTokenLimits,
  longestSkew,
  noAudience,
  noCredentials,
  noIssuer,
  noSubject,
  otherCase,
  outOfTime,
  unknownApplication,
  unknownTenant,
} from "./limits.ts";

/** The asymmetric algorithms of RFC 7518. Those that Microsoft does not test for federated credentials may work. */
const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$/;

const tested = azureTokenLimits.algorithms.join(" and ");

// Entra documents that it checks "exp"; it says nothing about tokens without the other times.
const shape = { limits: azureTokenLimits, open: new Set<TokenProblem["field"]>(["iat", "nbf"]) };

/** Checks the token's form. */
export function checkShape({ token, problems }: TokenReading): Check {
  const own = problems.map((problem) => asProblem(problem, token?.alg ?? ""));
  return checkTokenShape(token, own, shape);
}

function asProblem(problem: TokenProblem, alg: string): TokenProblem {
  if (problem.field !== "alg" || !asymmetric.test(alg)) return problem;
  const cause = `the token is signed with ${alg}, but Microsoft tests only ${tested}`;
  return { cause, cure: `let the cluster sign its tokens with a key for ${tested}`, field: "alg", isReadBySome: true };
}

const tolerated = `Microsoft Entra may tolerate clocks that differ by up to ${longestSkew / 60} minutes, but does not document it`;

/** Checks whether a token is valid at a time, in seconds since the epoch. */
export function checkTime({ exp, nbf, iat }: Token, time: number): Check {
  if (exp === undefined) return notReached("time", "the token has no expiration time");
  const expired = `the token expired ${timeText(exp)}, ${span(time - exp)} before the time of the check`;
  if (time - exp > longestSkew) return failed("time", outOfTime, expired, getNewToken);
  if (nbf !== undefined && nbf - time > longestSkew)
    return failed("time", outOfTime, early("nbf", nbf, time), correctClock);
  if (time >= exp) return unknown("time", `${expired}; ${tolerated}`, getNewToken);
  if (nbf !== undefined && nbf > time) return unknown("time", `${early("nbf", nbf, time)}; ${tolerated}`, correctClock);
  if (iat !== undefined && iat > time) {
    const cause = `${early("iat", iat, time)}; how Microsoft Entra handles that is not documented`;
    return unknown("time", cause, correctClock);
  }
  if (nbf !== undefined && nbf >= exp)
    return unknown("time", 'the token\'s "nbf" is not before its "exp"', getNewToken);
  return passed("time", `expires ${timeText(exp)}, in ${span(exp - time)}`);
}

function early(name: string, from: number, time: number): string {
  return `the token's "${name}" is ${timeText(from)}, ${span(from - time)} after the time of the check`;
}

const showIdentity = "pass the output of `az identity show` as another --identity-file";

// Microsoft Entra accepts the domain of a tenant in place of its ID.
const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/** Checks that the component asks in the tenant of the managed identity. */
export function checkTenant({ sent, actual }: ManagedIdentity): Check {
  const tenant = sent.tenantId ?? actual.tenantId;
  if (tenant === undefined) return unknown("tenant", "the tenant of the managed identity is unknown", showIdentity);
  const shown = quoteWhole(tenant);
  const correct = "correct `spec.platform.azure.tenantID`, or restore the Secret: render again";
  if (domain.test(tenant)) {
    const cause = `the tenant ${shown} is a domain name; whether it is that of the managed identity is unknown`;
    return unknown("tenant", cause, "use the ID of the tenant: render again");
  }
  if (!isUuid(tenant)) return failed("tenant", unknownTenant(notShown), "the tenant is not a UUID", correct);
  if (actual.tenantId !== undefined && !isSameId(tenant, actual.tenantId)) {
    const cause = `the component asks in the tenant ${shown}, but the managed identity is in ${quoteWhole(actual.tenantId)}; if the first one exists, the error is AADSTS700016 instead`;
    return failed("tenant", unknownTenant(tenant), cause, correct);
  }
  return passed("tenant", `the tenant is ${shown}`);
}

/**
 * Checks that the component asks for the managed identity.
 *
 * @param owners the names of all managed identities, by client ID in lowercase.
 */
export function checkClient(
  { name, sent, actual }: ManagedIdentity,
  owners: ReadonlyMap<string, string>,
  noun: string,
): Check {
  const client = sent.clientId ?? actual.clientId;
  if (client === undefined) {
    const cause = `the client ID of the ${noun} is unknown: Azure assigns it when the package is first applied`;
    const cure = "run `ccf apply`, which stores the client ID and renders the package";
    return unknown("client ID", cause, cure);
  }
  const shown = quoteWhole(client);
  const isKnown = isUuid(client);
  const tenant = sent.tenantId ?? actual.tenantId ?? "";
  const error = unknownApplication(isKnown ? client : notShown, isUuid(tenant) ? tenant : notShown);
  if (!isKnown) return failed("client ID", error, "the client ID is not a UUID", "restore the Secret: render again");
  if (actual.clientId === undefined || isSameId(client, actual.clientId))
    return passed("client ID", `the client ID is ${shown}`);
  const cause = `the component asks for the client ID ${shown}, but ${quoteWhole(name)} has ${quoteWhole(actual.clientId)}`;
  const owner = owners.get(client.toLowerCase());
  if (owner !== undefined && owner !== name) {
    const cure = `correct the client ID: \`ccf set-identities\`, then render again; or check the token with --identity ${owner}`;
    return unknown("client ID", `${cause}; it belongs to ${quoteWhole(owner)}, whose credentials decide`, cure);
  }
  const cure =
    "if the managed identity was deleted and created again, remove its ID from the ConfigMap of client IDs, and run `ccf apply`";
  return failed("client ID", error, cause, cure);
}

/** The command that prints the federated credentials of a managed identity. */
export const listCredentials = "az identity federated-credential list";

/** Checks that the managed identity has a federated credential. */
export function checkCredentials({ name, credentials, flexible = [] }: ManagedIdentity): Check {
  const shown = quoteWhole(name);
  if (credentials === undefined) {
    const cure = `pass the output of \`${listCredentials}\` as --identity-file, or render again`;
    return unknown("credentials", `the federated credentials of ${shown} are unknown, or have an unknown form`, cure);
  }
  const length = credentials.length + flexible.length;
  if (length > 0) return passed("credentials", `${shown} has ${length} federated credential${length === 1 ? "" : "s"}`);
  const cure = "create it: render, and run `ccf apply`";
  return failed("credentials", noCredentials(name), `${shown} has no federated credential`, cure);
}

/** Checks that a federated credential is for the token's issuer. The texts must be equal. */
export function checkIssuer({ iss }: Token, credentials: readonly FlexibleCredential[]): Check {
  if (iss === undefined) return notReached("issuer", "the token has no issuer");
  const issuers = [...new Set(credentials.map(({ issuer }) => issuer))];
  if (issuers.includes(iss)) return passed("issuer", `a federated credential is for the issuer ${quoteWhole(iss)}`);
  const [first = ""] = issuers;
  const near = issuers.find((issuer) => plain(issuer) === plain(iss));
  const expected = near ?? first;
  const which =
    near === undefined
      ? `the federated credentials are for ${issuers.map(quoteWhole).join(", ")}`
      : `a federated credential is for ${quoteWhole(near)}: they differ ${difference(iss, near)}, which is significant`;
  const cause = `the token's issuer is ${quoteWhole(iss)}, but ${which}`;
  return failed("issuer", noIssuer(iss), cause, cureFor(iss, expected), near ? "issuer" : "foreign issuer");
}

function plain(text: string): string {
  return withoutSlash(text)
    .toLowerCase()
    .replace(/^https?:\/\//, "");
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, "");
}

function difference(a: string, b: string): string {
  if (withoutSlash(a) === withoutSlash(b)) return "by a trailing slash";
  return a.toLowerCase() === b.toLowerCase() ? "in case" : "in case, scheme, or a trailing slash";
}

function cureFor(iss: string, expected: string): string {
  if (iss === "kubernetes/serviceaccount")
    return "this token is from a Secret; use the projected token that the pod mounts, or create one with `oc create token`";
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to ${quoteWhole(expected)} and get a new token, or render and apply with the token's issuer (\`ccf apply\`)`;
}

/**
 * Checks that a federated credential is for the token's subject. Microsoft Entra compares with case (Microsoft Entra
 * documentation, "Breaking changes").
 *
 * @param credentials those for the token's issuer or, if there are none, all of them.
 */
export function checkSubject({ sub }: Token, credentials: readonly FederatedCredential[]): Check {
  if (sub === undefined) return notReached("subject", "the token has no subject");
  const subjects = [...new Set(credentials.map(({ subject }) => subject))];
  if (subjects.includes(sub)) return passed("subject", `a federated credential is for ${quoteWhole(sub)}`);
  const near = subjects.find((subject) => subject.toLowerCase() === sub.toLowerCase());
  if (near !== undefined) {
    const cause = `the token's subject is ${quoteWhole(sub)}, but the federated credential is for ${quoteWhole(near)}: they differ only in case`;
    return failed("subject", otherCase(sub), cause, cure);
  }
  const shown = subjects.slice(0, 10).map(quoteWhole).join(", ");
  const cause = `the token's subject is ${quoteWhole(sub)}, but the federated credentials are for ${shown}`;
  return failed("subject", noSubject(sub), cause, cure);
}

const cure =
  "use a token of a service account that has a credential; or add this one to the request (`serviceAccountNames`) or to an override, render and apply (`ccf apply`)";

/** The check of a subject that only credentials with an expression may be for. */
export const subjectByExpression = unknown(
  "subject",
  "a federated credential has an expression (claimsMatchingExpression) in place of a subject, which `ccf` does not evaluate",
  "add a federated credential for the exact subject: render and apply (`ccf apply`)",
);

/**
 * Checks that the token is for the audience of its federated credential, which has exactly one (Microsoft Entra
 * documentation, "Important considerations and restrictions for federated identity credentials").
 *
 * @param credentials those for the token's issuer and subject or, if there are none, the nearest ones.
 */
export function checkAudience({ aud }: Token, credentials: readonly FlexibleCredential[]): Check {
  if (aud.length === 0) return notReached("audience", "the token has no audience");
  const accepted = [...new Set(credentials.flatMap(({ audiences }) => audiences))];
  const cure = accepted.length === 0 ? "render and apply (`ccf apply`)" : `request a token for ${inQuotes(accepted)}`;
  const match = aud.find((text) => accepted.includes(text));
  if (match === undefined) {
    const cause = `the token is for ${inQuotes(aud)}, but the federated credential accepts ${inQuotes(accepted)}`;
    return failed("audience", noAudience(aud.join(", ")), cause, cure, "audience");
  }
  if (aud.length > 1) {
    const cause = `the token has ${aud.length} audiences, ${inQuotes(aud)}; Microsoft does not document this case`;
    return unknown("audience", cause, `request a token for ${quoteWhole(match)} only`);
  }
  if (!credentials.some(({ audiences }) => audiences.length === 1 && audiences[0] === match)) {
    const cause = `a federated credential has several audiences, ${inQuotes(accepted)}; Microsoft Entra allows exactly one`;
    return unknown("audience", cause, "render and apply (`ccf apply`)");
  }
  return passed("audience", `the federated credential accepts ${quoteWhole(match)}`);
}
