import { quote, quoteWhole } from "../../../core/text.ts";
import {
  type About,
  type Check,
  failed,
  inMessage,
  missing,
  notReached,
  passed,
  unknown,
} from "../../../oidc/answer.ts";
import { correctClock, getNewToken, span, timeText } from "../../../oidc/checks.ts";
import type { Token, TokenProblem, TokenReading } from "../../../oidc/token.ts";
import { any, checkTokenShape, type Truth } from "../../tokens.ts";
import { maxSubject } from "../cluster/cluster.ts";
import {
  type Binding,
  evaluateCel,
  type MappedSubject,
  type Provider,
  type ServiceAccount,
  workloadIdentityUser,
} from "./identity.ts";
import {
  accessDenied,
  conditionFalse,
  gcpTokenLimits,
  invalidGrant,
  invalidTarget,
  longestKnownAge,
  longestLife,
  longSubject,
  maxEarly,
  maxExpired,
} from "./limits.ts";

/** Claims that Google checks later, with a message of their own. */
const later: readonly TokenProblem["field"][] = ["iss", "aud", "exp", "iat"];

const shape = { limits: gcpTokenLimits, open: new Set<TokenProblem["field"]>(["nbf"]) };

/** Checks the token's form. */
export function checkShape({ token, problems }: TokenReading): Check {
  const own = problems.filter(({ field }) => !later.includes(field));
  return checkTokenShape(token, own, shape);
}

/** A token that can be read, and the problems with its form: "iat" may be written as 1e9 or 1.0, which readers treat differently. */
export interface Readable extends TokenReading {
  readonly token: Token;
}

/** Checks whether Google accepts the times of a token, at a time in seconds since the epoch. */
export function checkTime({ token, problems }: Readable, time: number): Check {
  const { iat, exp, nbf, claims } = token;
  const isWhole = !problems.some(({ field }) => field === "iat" || field === "exp");
  const fail = (cause: string, cure: string) =>
    failed("time", invalidGrant(`ID Token issued at ${iat ?? "null"} is stale to sign-in.`), cause, cure);
  const missing = (["iat", "exp"] as const).filter((name) => (claims[name] ?? null) === null);
  if (missing.length > 0)
    return fail(`the token has no ${missing.map((name) => `"${name}"`).join(" and no ")}`, projected);
  if (iat === undefined || exp === undefined || !isWhole)
    return unknown("time", 'the token\'s "iat" or "exp" is not an integer (seconds since the epoch)', getNewToken);
  if (time - exp > maxExpired) {
    const cause = `the token expired ${timeText(exp)}, ${span(time - exp)} before the time of the check`;
    return fail(cause, getNewToken);
  }
  const [accepted, refused] = maxEarly;
  const early = `the token's "iat" is ${timeText(iat)}, ${span(iat - time)} after the time of the check`;
  if (iat - time >= refused) return fail(early, correctClock);
  if (iat - time >= accepted)
    return unknown("time", `${early}; Google refuses ${refused} seconds or more, and may refuse fewer`, correctClock);
  return doubt({ iat, exp, nbf }, time) ?? passed("time", lifeOf(exp, time));
}

function doubt(
  { iat, exp, nbf }: { readonly iat: number; readonly exp: number; readonly nbf: number | undefined },
  time: number,
): Check | undefined {
  if (time - iat > longestKnownAge) {
    const cause = `the token was issued ${timeText(iat)}, ${span(time - iat)} before the time of the check; Google may call such a token stale, although it has not expired`;
    return unknown("time", cause, getNewToken);
  }
  if (exp < iat) return unknown("time", "the token expires before it was issued", getNewToken);
  if (exp - iat >= longestLife) {
    const cause = `the token lives ${span(exp - iat)}, from "iat" to "exp"; by the reference of Google's Security Token Service, a token must live less than ${longestLife / 3600} hours, but longer tokens were accepted in tests`;
    return unknown("time", cause, shorter);
  }
  if (nbf === undefined || nbf <= time) return undefined;
  const cause = `the token's "nbf" is ${timeText(nbf)}, ${span(nbf - time)} after the time of the check; how Google handles that is not documented`;
  return unknown("time", cause, correctClock);
}

function lifeOf(exp: number, time: number): string {
  if (exp > time) return `expires ${timeText(exp)}, in ${span(exp - time)}`;
  return `expired ${timeText(exp)}; Google accepts a token for ${maxExpired} seconds more`;
}

const shorter = `get a token that lives less than ${longestLife / 3600} hours; the kubelet's tokens live as long as \`expirationSeconds\` of the projected volume, and those of \`oc create token\` as long as --duration`;

const projected =
  "use the projected token that the pod mounts, or a token from `oc create token`; tokens in Secrets lack claims";

/** The cure if the package has no provider. */
const giveProvider = "pass the output of `gcloud iam workload-identity-pools providers describe` as --provider-file";

/** Checks that the provider that the token is for exists and is enabled. */
export function checkProvider(provider: Provider | undefined): Check {
  if (provider === undefined) return missing("provider", "the provider is unknown", giveProvider);
  const { name, isActive, whyNot } = provider;
  const shown = `the provider ${quoteName(name)}`;
  if (isActive === true) return passed("provider", `${shown} exists and is enabled`);
  if (isActive === "unknown") return unknown("provider", `${shown} ${whyNot}`, giveProvider);
  const cure = "restore or enable it, and its pool: render, and run `ccf apply`";
  return failed("provider", invalidTarget, `${shown} or its pool ${whyNot}`, cure);
}

/**
 * Checks that the token is from the provider's issuer. The texts must be equal.
 *
 * @param url the provider's issuer without `https://`; undefined if it is unknown.
 */
export function checkIssuer({ iss, claims }: Token, url: string | undefined): Check {
  if (url === undefined) return missing("issuer", "the issuer of the provider is unknown", giveProvider);
  const expected = `https://${url}`;
  if (iss === expected) return passed("issuer", `${quoteWhole(iss)} is the provider's issuer`);
  const fail = (shown: string, cause: string, cure: string, about?: About) => {
    const message = `The issuer in ID Token ${shown} does not match the expected one in config: ${expected}`;
    return failed(
      "issuer",
      typeof (claims["iss"] ?? "") === "string" ? invalidGrant(message) : undefined,
      cause,
      cure,
      about,
    );
  };
  if (iss === undefined) {
    const cure = "use the projected token that the pod mounts, or a token from `oc create token`";
    return fail("null", "the token has no issuer", cure, "foreign issuer");
  }
  const isNear = plain(iss) === plain(expected);
  const difference = isNear ? ": they differ only in case, scheme, or a trailing slash, which are significant" : "";
  const cause = `the token's issuer is ${quoteWhole(iss)}, but the provider's is ${quoteWhole(expected)}${difference}`;
  return fail(inMessage(iss), cause, cureFor(iss, expected), isNear ? "issuer" : "foreign issuer");
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");
}

function cureFor(iss: string, expected: string): string {
  if (iss === "kubernetes/serviceaccount")
    return "this token is from a Secret; use the projected token that the pod mounts, or create one with `oc create token`";
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to ${quoteWhole(expected)} and get a new token, or render, export and apply with the token's issuer`;
}

/** Checks that a token is for one of the provider's audiences (IAM API v1, Oidc, allowedAudiences). */
export function checkAudience(
  { aud, claims }: Token,
  allowed: readonly string[] | undefined,
  provider: Provider | undefined,
): Check {
  if (allowed === undefined || (allowed.length === 0 && provider === undefined))
    return missing("audience", "the audiences of the provider are unknown", giveProvider);
  const ids = allowed.length > 0 ? allowed : defaultAudiences(provider?.name ?? "");
  const cure = `request a token for one of the provider's audiences: ${inQuotes(ids)}; or add the token's audience to \`spec.issuer.audiences\`, render, export and apply`;
  const error = invalidGrant(
    `The audience in ID Token [${aud.map(inMessage).join(", ")}] does not match the expected audience.`,
  );
  if (aud.length === 0)
    return withoutAudience(
      claims["aud"],
      error,
      `request a token for one of the provider's audiences: ${inQuotes(ids)}`,
    );
  if (!aud.some((text) => ids.includes(text)))
    return failed(
      "audience",
      error,
      `the token is for ${inQuotes(aud)}, but the provider accepts ${inQuotes(ids)}`,
      cure,
    );
  if (aud.length > 1) {
    const cause = `the token has ${aud.length} audiences, ${inQuotes(aud)}; Google does not document this case`;
    return unknown("audience", cause, cure);
  }
  if (claims["azp"] !== undefined && claims["azp"] !== aud[0]) {
    const cause =
      'the token has both an authorized party ("azp") and an audience; Google does not document which one it compares';
    return unknown("audience", cause, cure);
  }
  return passed("audience", `${inQuotes(aud)} is an audience of the provider`);
}

// A list may contain a valid audience beside a value that is not a string.
function withoutAudience(aud: unknown, error: ReturnType<typeof invalidGrant>, cure: string): Check {
  const isEmpty = aud === undefined || aud === null || (Array.isArray(aud) && aud.length === 0);
  if (isEmpty) return failed("audience", error, "the token has no audience", cure);
  if (Array.isArray(aud))
    return unknown("audience", "the token's audience contains a value that is not a string, or is empty", cure);
  return failed("audience", undefined, "the token's audience is not a string or a list of strings", cure);
}

// Without allowed audiences, the provider's own name is the audience.
function defaultAudiences(name: string): readonly string[] {
  return ["//", "https://"].map((start) => `${start}iam.googleapis.com/${name}`);
}

function inQuotes(texts: readonly string[]): string {
  return texts.map(quoteName).join(", ");
}

/** Checks that the subject that the provider reads from the token is not too long. */
export function checkSubject(sub: string | undefined, mapped: MappedSubject | undefined): Check {
  if (mapped === undefined) return missing("subject", "the attribute mapping of the provider is unknown", giveProvider);
  if (sub === undefined) return notReached("subject", "the token has no subject");
  if ("problem" in mapped)
    return unknown(
      "subject",
      mapped.problem,
      'use the mapping "google.subject" = "assertion.sub": render, export and apply',
    );
  const { subject } = mapped;
  const bytes = Buffer.byteLength(subject);
  if (bytes <= maxSubject) return passed("subject", `google.subject is ${quoteWhole(subject)}`);
  const cause = `google.subject is ${quoteWhole(subject)}, which has ${bytes} bytes, but must have at most ${maxSubject}`;
  return failed("subject", longSubject, cause, "use a shorter namespace or service account name");
}

const simpler =
  "compare the condition with the token's claims; `ccf` evaluates one `==` or `in` on assertion.<claim> and google.subject";

/** Checks that the token meets the provider's attribute condition. */
export function checkCondition(
  { claims }: Token,
  provider: Provider | undefined,
  mapped: MappedSubject | undefined,
): Check {
  if (provider === undefined) return missing("condition", "the condition of the provider is unknown", giveProvider);
  const { condition } = provider;
  if (condition === undefined) return unknown("condition", "the condition is not a string", giveProvider);
  if (condition === "") return passed("condition", "the provider has no attribute condition");
  const google = mapped !== undefined && "subject" in mapped ? { google: { subject: mapped.subject } } : {};
  const result = evaluateCel(condition, { assertion: claims, ...google });
  if ("problem" in result)
    return unknown(
      "condition",
      `the condition ${quote(condition)} cannot be evaluated here: ${result.problem}`,
      simpler,
    );
  if (result.value === true) return passed("condition", `the token meets the condition ${quote(condition)}`);
  if (result.value !== false)
    return unknown("condition", `the condition ${quote(condition)} is neither true nor false`, simpler);
  const cure =
    "use a token that meets the condition; or change `spec.platform.gcp.attributeCondition`, render, export and apply";
  return failed("condition", conditionFalse, `the token does not meet the condition ${quote(condition)}`, cure);
}

const form =
  /^(?:(?:\/\/|https:\/\/|principal(?:Set)?:\/\/)iam\.googleapis\.com\/)?projects\/\d{1,19}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{1,32}(?:\/\*|\/providers\/[a-z0-9-]{1,32}|\/subject\/system:serviceaccount:[a-z0-9-]{1,63}:[a-z0-9.-]{1,253})?$/;

/** The name of a pool, a provider or a principal in quotes. Its length makes it look like a key, so `quoteWhole` hides it. */
export function quoteName(text: string): string {
  return form.test(text) ? `"${text}"` : quoteWhole(text);
}

/** Roles with the permission iam.serviceAccounts.getAccessToken (Google Cloud, "IAM roles and permissions index"). */
const sufficient = [workloadIdentityUser, "roles/iam.serviceAccountTokenCreator"];

/** Roles without this permission that are mistaken for one with it. What other roles contain is not known here. */
const insufficient = ["roles/iam.serviceAccountUser", "roles/iam.serviceAccountOpenIdTokenCreator"];

const again = "render and apply, or compare the service account with the package: `ccf status`";

/** Checks that the principal of the token may use the service account (Google Cloud, "Principal identifiers"). */
export function checkBinding(
  { email, bindings }: ServiceAccount,
  provider: Provider | undefined,
  sub: string | undefined,
  mapped: MappedSubject | undefined,
): Check {
  if (sub === undefined) return notReached("binding", "the token has no subject");
  if (bindings === undefined) return unknown("binding", `the bindings of ${quoteWhole(email)} cannot be read`, again);
  if (provider === undefined || mapped === undefined || "problem" in mapped)
    return unknown("binding", "the principal is unknown without google.subject and the provider", again);
  const { subject } = mapped;
  const answers = bindings.map((binding) => allows(binding, provider.pool, subject));
  const answer = any(answers);
  if (answer === true) return passed("binding", `${quoteWhole(subject)} of this pool may use ${quoteWhole(email)}`);
  if (answer === "unknown") {
    const roles = bindings.filter((_, index) => answers[index] === "unknown").map(({ role }) => quoteWhole(role));
    const cause = `whether ${quoteWhole(subject)} may use ${quoteWhole(email)} depends on a binding of ${[...new Set(roles)].join(", ")} with a condition, a set of principals, or permissions that are not known here`;
    return unknown("binding", cause, again);
  }
  const wrong = wrongBinding(bindings, provider.pool, subject, email);
  if (wrong !== undefined) {
    const principal = `principal://iam.googleapis.com/${provider.pool}/subject/${subject}`;
    const bind = `bind ${workloadIdentityUser} on the service account to ${quoteName(principal)}`;
    return failed("binding", accessDenied, wrong, bind);
  }
  const cure = `use a token of a service account that may use it; or add this one to the request (\`serviceAccountNames\`) or to an override, render, export and apply`;
  return failed("binding", accessDenied, whyNot(bindings, provider.pool, subject, email), cure);
}

function allows({ role, members, isConditional }: Binding, pool: string, subject: string): Truth {
  const isMember = any(members.map((member) => includes(member, pool, subject)));
  if (isMember === false || insufficient.includes(role)) return false;
  return sufficient.includes(role) && !isConditional ? isMember : "unknown";
}

// A subject with other characters may be written percent-encoded.
function includes(member: string, pool: string, subject: string): Truth {
  const start = `iam.googleapis.com/${pool}/`;
  if (member.startsWith(`principal://${start}subject/`)) {
    if (!/^[\w.:-]+$/.test(subject)) return "unknown";
    return member === `principal://${start}subject/${subject}`;
  }
  if (member === `principalSet://${start}*`) return true;
  // Groups, attributes, everyone, and whatever else may contain the principal.
  return /^(?:principalSet:|allUsers$|allAuthenticatedUsers$)/.test(member) && !isOfOtherPool(member, pool)
    ? "unknown"
    : false;
}

function isOfOtherPool(member: string, pool: string): boolean {
  const [, other] =
    /^principalSet:\/\/iam\.googleapis\.com\/(projects\/\d+\/locations\/global\/workloadIdentityPools\/[^/]+)\//.exec(
      member,
    ) ?? [];
  return other !== undefined && other !== pool;
}

// The form of a member for clusters of Google Kubernetes Engine ("Authenticate to Google Cloud APIs from GKE workloads").
const gkeMember = /^serviceAccount:[^[\]]+\.svc\.id\.goog\[[^[\]]*\]$/;

// A principal contains the number of the project ("Principal identifiers"). A project ID begins with a letter.
const withProjectId =
  /^principal(?:Set)?:\/\/iam\.googleapis\.com\/projects\/[a-z][^/]*\/locations\/global\/workloadIdentityPools\//;

/** Why a binding that was meant for the principal does not let it use the account; undefined if no binding looks like it. */
function wrongBinding(bindings: readonly Binding[], pool: string, subject: string, email: string): string | undefined {
  const roles = bindings.flatMap(({ role, members }) =>
    insufficient.includes(role) && members.some((member) => includes(member, pool, subject) === true) ? role : [],
  );
  const [role] = roles;
  if (role !== undefined)
    return `${quoteWhole(subject)} of this pool has ${quoteWhole(role)} on ${quoteWhole(email)}, which does not contain the permission iam.serviceAccounts.getAccessToken`;
  const members = bindings.filter(({ role: one }) => sufficient.includes(one)).flatMap((binding) => binding.members);
  const gke = members.find((member) => gkeMember.test(member));
  if (gke !== undefined)
    return `${quoteWhole(email)} may be used by ${quoteWhole(gke)}, which names a service account of a GKE cluster, not a principal of the pool ${quoteName(pool)}`;
  const byId = members.find((member) => withProjectId.test(member));
  return byId === undefined
    ? undefined
    : `${quoteWhole(email)} may be used by ${quoteWhole(byId)}, which names the project by its ID, but a principal contains its number`;
}

function whyNot(bindings: readonly Binding[], pool: string, subject: string, email: string): string {
  const members = bindings.flatMap((binding) => binding.members);
  const start = `principal://iam.googleapis.com/${pool}/subject/`;
  const ours = members
    .filter((member) => member.startsWith(start))
    .map((member) => quoteWhole(member.slice(start.length)));
  if (ours.length > 0) {
    const shown = ours.slice(0, 10).join(", ");
    return `${quoteWhole(email)} may be used by ${shown}, but google.subject is ${quoteWhole(subject)}`;
  }
  const others = members.filter((member) => /^principal(?:Set)?:\/\//.test(member)).slice(0, 3);
  const named = others.length === 0 ? "" : `, but only ${others.map(quoteName).join(", ")}`;
  return `no principal of the pool ${quoteName(pool)} may use ${quoteWhole(email)}${named}`;
}
