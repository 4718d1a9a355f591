import type { Refusal } from "../../../oidc/verify/check.ts";

/** What AWS STS answers to a token that it does not take (AWS STS API, AssumeRoleWithWebIdentity, Errors). */
export function invalidToken(message: string): Refusal {
  return { code: "InvalidIdentityToken", httpStatus: 400, message };
}
