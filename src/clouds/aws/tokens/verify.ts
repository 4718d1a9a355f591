import { readToken, type Token, type TokenReading } from "../../../oidc/token.ts";
import type { Provider } from "../rendered/rendered.ts";
import { type Check, checkNames, notReached, type Verdict, verdictOf } from "./check.ts";
import { checkAudience } from "./check-audience.ts";
import { checkDiscovery, checkSignature } from "./check-documents.ts";
import { checkProvider, providerOf } from "./check-provider.ts";
import { checkShape } from "./check-shape.ts";
import { checkTime } from "./check-time.ts";
import { checkTrust } from "./check-trust.ts";
import { withConsequences } from "./consequences.ts";
import type { RoleToAssume } from "./role-to-assume.ts";

/** What AWS STS is asked, and everything that it would know. */
export interface Exchange {
  /** The token's text. */
  readonly token: string;
  /** In seconds since the epoch. */
  readonly time: number;
  /** The account's providers that are known, the one that is meant first. */
  readonly providers: readonly Provider[];
  readonly roles: readonly RoleToAssume[];
}

/** What AWS would answer for one role. */
export interface RoleAnswer {
  readonly role: RoleToAssume;
  readonly verdict: Verdict;
  /** All checks, in their order. */
  readonly checks: readonly Check[];
}

/** What AWS would answer for each role that is asked for. */
export interface ExchangeAnswer {
  readonly token: Token | undefined;
  /** Accepted where a role accepts; refused where every role refuses. */
  readonly verdict: Verdict;
  readonly roles: readonly RoleAnswer[];
}

/**
 * Says what `sts:AssumeRoleWithWebIdentity` would answer to a token, for each role. Offline: what AWS fetches from the
 * issuer is among what is given. Every check that does not need another one is made, so that all causes are seen at once.
 */
export async function verifyToken({ token: text, time, providers, roles }: Exchange): Promise<ExchangeAnswer> {
  const reading = readToken(text);
  const answers = await Promise.all(roles.map((role) => answerFor(reading, time, providers, role)));
  const verdicts = answers.map(({ verdict }) => verdict);
  const all = verdicts.length > 0 && verdicts.every((one) => one === "refused");
  const verdict = verdicts.includes("accepted") ? "accepted" : all ? "refused" : "unknown";
  return { token: reading.token, verdict, roles: answers };
}

async function answerFor(
  reading: TokenReading,
  time: number,
  providers: readonly Provider[],
  role: RoleToAssume,
): Promise<RoleAnswer> {
  const { token } = reading;
  const shape = checkShape(reading);
  if (token === undefined) {
    const rest = checkNames.slice(1).map((name) => notReached(name, "the token cannot be read"));
    return { role, verdict: "refused", checks: [shape, ...rest] };
  }
  // Without a provider for its issuer the token is held against the one that is meant.
  const provider = providerOf(token, providers) ?? providers[0];
  const checks = [
    shape,
    checkProvider(token, providers, role),
    checkDiscovery(token, provider),
    await checkSignature(token, shape, provider?.keys),
    checkTime(token, time),
    checkAudience(token, provider),
    checkTrust(token, role, time, provider),
  ];
  return { role, verdict: verdictOf(checks), checks: withConsequences(checks) };
}
