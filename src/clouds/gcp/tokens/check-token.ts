import type { Token, TokenProblem, TokenReading } from "../../../oidc/token.ts";
import { type Check, failed, passed, unknown } from "../../../oidc/verify/check.ts";
import { correctClock, getNewToken, span, timeText } from "../../../oidc/verify/check-token.ts";
import { checkTokenShape } from "../../tokens.ts";
import { gcpTokenLimits, invalidGrant, longestKnownAge, longestLife, maxEarly, maxExpired } from "./limits.ts";

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
