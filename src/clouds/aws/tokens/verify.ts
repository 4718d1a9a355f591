import type { TokenReading } from "../../../oidc/token.ts";
import { type Answer, type Check, notReached, verdictOf, withConsequences } from "../../../oidc/verify/check.ts";
import { checkDiscovery, checkSignature } from "../../../oidc/verify/check-documents.ts";
import { checkShape, checkTime } from "../../../oidc/verify/check-token.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { checkAudience } from "./check-audience.ts";
import { checkProvider, providerOf } from "./check-provider.ts";
import { checkTrust } from "./check-trust.ts";
import { awsTimeLimits, awsTokenLimits } from "./limits.ts";
import type { RoleToAssume } from "./role-to-assume.ts";

/** The checks, in the order in which AWS presumably makes them. */
export const checkNames = ["shape", "provider", "discovery", "signature", "time", "audience", "trust policy"] as const;

/**
 * Predicts the answer of `sts:AssumeRoleWithWebIdentity` to a token, for a role. Works offline: the caller provides what AWS
 * would fetch from the issuer. Every check that does not depend on another one runs, so that all causes are reported.
 *
 * @param time in seconds since the epoch.
 * @param providers the known providers in the account, the intended one first.
 */
export async function answerFor(
  reading: TokenReading,
  time: number,
  providers: readonly RenderedIssuer[],
  role: RoleToAssume,
): Promise<Answer> {
  const { token } = reading;
  const shape = checkShape(reading, awsTokenLimits);
  if (token === undefined) {
    const rest = checkNames.slice(1).map((name) => notReached(name, "the token cannot be read"));
    return answered([shape, ...rest]);
  }
  // If no provider matches its issuer, the token is checked against the intended provider.
  const provider = providerOf(token, providers) ?? providers[0];
  const checks = [
    shape,
    checkProvider(token, providers, role),
    checkDiscovery(token, provider, awsTokenLimits),
    await checkSignature(token, shape, provider?.keys, awsTokenLimits),
    checkTime(token, time, awsTimeLimits),
    checkAudience(token, provider),
    checkTrust(token, role, time, provider),
  ];
  return answered(checks);
}

function answered(checks: readonly Check[]): Answer {
  const first = checks.find(({ status }) => status === "failed");
  const deciding = first === undefined ? [] : [first.name];
  return { verdict: verdictOf(checks), checks: withConsequences(checks), deciding };
}
