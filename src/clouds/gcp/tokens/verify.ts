import type { TokenReading } from "../../../oidc/token.ts";
import {
  type Answer,
  type Check,
  notReached,
  passed,
  verdictOf,
  withConsequences,
} from "../../../oidc/verify/check.ts";
import { checkDiscovery, checkSignature } from "../../../oidc/verify/check-documents.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { mappedSubject } from "./attributes.ts";
import { checkAudience } from "./check-audience.ts";
import { checkBinding } from "./check-binding.ts";
import { checkCondition } from "./check-condition.ts";
import { checkIssuer } from "./check-issuer.ts";
import { checkProvider } from "./check-provider.ts";
import { checkShape } from "./check-shape.ts";
import { checkSubject } from "./check-subject.ts";
import { checkTime } from "./check-time.ts";
import { gcpTokenLimits } from "./limits.ts";
import { readProvider } from "./provider.ts";
import type { ServiceAccount } from "./service-account.ts";

/** The checks in Google's presumable order, in groups. The order within a group is not known. */
export const stages = [
  ["provider"],
  ["shape"],
  ["issuer", "discovery", "signature", "time", "audience"],
  ["subject"],
  ["condition"],
  ["binding"],
] as const;

/**
 * Predicts Google's answer to a token: that of the Security Token Service, and that of the IAM Credentials API for a service
 * account. Works offline: the caller provides what Google would fetch. Every check that does not depend on another one runs.
 *
 * @param time in seconds since the epoch.
 * @param issuer the provider, and what its issuer publishes.
 */
export async function answerFor(
  reading: TokenReading,
  time: number,
  issuer: RenderedIssuer,
  account: ServiceAccount,
): Promise<Answer> {
  const { token } = reading;
  const provider = readProvider(issuer.definition);
  const [first, shape] = [checkProvider(provider), checkShape(reading)];
  if (token === undefined) {
    const rest = stages
      .flat()
      .slice(2)
      .map((name) => notReached(name, "the token cannot be read"));
    return answered([first, shape, ...rest]);
  }
  const { sub, claims } = token;
  const mapped = provider === undefined ? undefined : mappedSubject(provider, claims);
  return answered([
    first,
    shape,
    checkIssuer(token, issuer.url),
    issuer.holdsKeys === true
      ? passed("discovery", "the provider holds the keys, so nothing is fetched from the issuer")
      : checkDiscovery(token, issuer, gcpTokenLimits),
    await checkSignature(token, shape, issuer.keys, gcpTokenLimits),
    checkTime({ ...reading, token }, time),
    checkAudience(token, issuer.clientIds, provider),
    checkSubject(sub, mapped),
    checkCondition(token, provider, mapped),
    checkBinding(account, provider, sub, mapped),
  ]);
}

function answered(checks: readonly Check[]): Answer {
  const failures = checks.filter(({ status }) => status === "failed").map(({ name }) => name);
  const stage = stages.find((names) => names.some((name) => failures.includes(name))) ?? [];
  const deciding = failures.filter((name) => (stage as readonly string[]).includes(name));
  return { verdict: verdictOf(checks), checks: withConsequences(checks), deciding };
}
