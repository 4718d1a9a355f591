import type { Token, TokenProblem, TokenReading } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import { correctClock, getNewToken, span, timeText } from "../../../oidc/verify/check-token.ts";
import { checkTokenShape } from "../../tokens.ts";
import { azureTokenLimits, longestSkew, outOfTime } from "./limits.ts";

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
