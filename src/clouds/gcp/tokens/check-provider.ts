import { quote, quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type About, type Check, failed, inMessage, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import { maxSubject } from "../limits.ts";
import { conditionFalse, invalidGrant, invalidTarget, longSubject } from "./limits.ts";
import { evaluateCel, type MappedSubject, type Provider } from "./provider.ts";

/** The cure if the package has no provider. */
const giveProvider = "pass the output of `gcloud iam workload-identity-pools providers describe` as --provider-file";

/** Checks that the provider that the token is for exists and is enabled. */
export function checkProvider(provider: Provider | undefined): Check {
  if (provider === undefined) return unknown("provider", "the provider is unknown", giveProvider);
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
  if (url === undefined) return unknown("issuer", "the issuer of the provider is unknown", giveProvider);
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
    return unknown("audience", "the audiences of the provider are unknown", giveProvider);
  const ids = allowed.length > 0 ? allowed : defaultAudiences(provider?.name ?? "");
  const cure = `request a token for one of the provider's audiences: ${listed(ids)}; or add the token's audience to \`spec.issuer.audiences\`, render, export and apply`;
  const error = invalidGrant(
    `The audience in ID Token [${aud.map(inMessage).join(", ")}] does not match the expected audience.`,
  );
  if (aud.length === 0) return withoutAudience(claims["aud"], error, cure);
  if (!aud.some((text) => ids.includes(text)))
    return failed("audience", error, `the token is for ${listed(aud)}, but the provider accepts ${listed(ids)}`, cure);
  if (aud.length > 1) {
    const cause = `the token has ${aud.length} audiences, ${listed(aud)}; Google does not document this case`;
    return unknown("audience", cause, cure);
  }
  if (claims["azp"] !== undefined && claims["azp"] !== aud[0]) {
    const cause =
      'the token has both an authorized party ("azp") and an audience; Google does not document which one it compares';
    return unknown("audience", cause, cure);
  }
  return passed("audience", `${listed(aud)} is an audience of the provider`);
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

function listed(texts: readonly string[]): string {
  return texts.map(quoteName).join(", ");
}

/** Checks that the subject that the provider reads from the token is not too long. */
export function checkSubject(sub: string | undefined, mapped: MappedSubject | undefined): Check {
  if (mapped === undefined) return unknown("subject", "the attribute mapping of the provider is unknown", giveProvider);
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
  if (provider === undefined) return unknown("condition", "the condition of the provider is unknown", giveProvider);
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
