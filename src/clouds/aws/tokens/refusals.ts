import type { Refusal } from "../../../oidc/verify/check.ts";

/** The answer of AWS STS to a token that it rejects (AWS STS API, AssumeRoleWithWebIdentity, Errors). */
export function invalidToken(message: string): Refusal {
  return { code: "InvalidIdentityToken", httpStatus: 400, message };
}
