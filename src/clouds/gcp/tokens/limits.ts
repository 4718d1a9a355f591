import type { TokenRefusal } from "../../../oidc/answer.ts";
import type { TokenLimits } from "../../../oidc/limits.ts";
import { keyLimits, maxSubject } from "../cluster/cluster.ts";

const connecting = invalidGrant("Error connecting to the given credential's issuer.");

/** The limits of Google for tokens and issuers. */
export const gcpTokenLimits: TokenLimits = {
  ...keyLimits,
  reader: "Google",
  // Google documents no limit.
  characters: [1, 1 << 20],
  // Google documents no limit, so this is where `ccf` stops. The API refuses a provider with other keys (measured 2026-09).
  keys: { reader: "ccf", maxPerAlgorithm: 100, others: "refused" },
  // Not documented: what the API accepts in `oidc.issuerUri` beyond an https URL.
  issuerUrl: { reader: "Google", max: 2000, port: "unknown" },
  timeout: undefined,
  cures: {
    publish: "`ccf apply`",
    forbidden:
      "make it publicly readable: check public access prevention of the bucket and the organization, and whether allUsers has roles/storage.legacyObjectReader",
    forbiddenStatuses: [403],
    untrusted: "pass the certificate authority as --ca-file; Google has its own list of authorities",
  },
  refusals: {
    // The text for a malformed token is not documented.
    form: undefined,
    documents: connecting,
    keys: () => connecting,
    otherIssuer: invalidGrant(
      "`issuer` claim in OIDC discovery document does not match the issuer specified in the request.",
    ),
    signature: invalidGrant("Unable to verify the ID Token signature."),
    unusableKey: undefined,
  },
};

/** In seconds. A token is refused if it expired longer ago (measured 2026-09). */
export const maxExpired = 60;

/** In seconds. A token that was issued further in the future is certainly accepted below the first, refused from the second (measured 2026-09). */
export const maxEarly = [60, 120] as const;

/**
 * In seconds. Google is reported to call tokens stale that were issued "too long" ago, before they expire. It does not
 * document how long that is. Kubelets renew the tokens of pods within an hour.
 */
export const longestKnownAge = 3600;

/**
 * In seconds, from "iat" to "exp". By the reference, tokens must live less than this (Security Token Service API, method token,
 * subjectToken). Longer tokens were accepted (measured 2026-09), so the answer is unknown.
 */
export const longestLife = 48 * 3600;

/*
 * Google's error responses to a token. Google documents few of them; the texts are those that users have published and that
 * a published run on Google Cloud measured (2026-09).
 */

/** The Security Token Service rejects the token. */
export function invalidGrant(message: string): TokenRefusal {
  return { code: "invalid_grant", httpStatus: 400, message };
}

/** The provider in the request does not exist or is disabled. */
export const invalidTarget: TokenRefusal = {
  code: "invalid_target",
  httpStatus: 400,
  message: 'The target service indicated by the "audience" parameters is invalid.',
};

/** The subject is too long. */
export const longSubject: TokenRefusal = {
  code: "invalid_request",
  httpStatus: 400,
  message: `The size of mapped attribute google.subject exceeds the ${maxSubject} bytes limit.`,
};

/** The provider's condition is false. */
export const conditionFalse: TokenRefusal = {
  code: "unauthorized_client",
  httpStatus: 400,
  message: "The given credential is rejected by the attribute condition.",
};

/** The principal may not use the service account, or the account does not exist. */
export const accessDenied: TokenRefusal = {
  code: "PERMISSION_DENIED",
  httpStatus: 403,
  message: "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
};
