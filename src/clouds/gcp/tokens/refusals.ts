import type { Refusal } from "../../../oidc/verify/check.ts";
import { maxSubject } from "../limits.ts";

/*
 * Google's error responses to a token. Google documents few of them; the texts are those that users have published and that
 * a published run on Google Cloud measured (2026-09).
 */

/** The Security Token Service rejects the token. */
export function invalidGrant(message: string): Refusal {
  return { code: "invalid_grant", httpStatus: 400, message };
}

/** The provider in the request does not exist or is disabled. */
export const invalidTarget: Refusal = {
  code: "invalid_target",
  httpStatus: 400,
  message: 'The target service indicated by the "audience" parameters is invalid.',
};

/** The subject is too long. */
export const longSubject: Refusal = {
  code: "invalid_request",
  httpStatus: 400,
  message: `The size of mapped attribute google.subject exceeds the ${maxSubject} bytes limit.`,
};

/** The provider's condition is false. */
export const conditionFalse: Refusal = {
  code: "unauthorized_client",
  httpStatus: 400,
  message: "The given credential is rejected by the attribute condition.",
};

/** The principal may not use the service account, or the account does not exist. */
export const accessDenied: Refusal = {
  code: "PERMISSION_DENIED",
  httpStatus: 403,
  message: "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
};
