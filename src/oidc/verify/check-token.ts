import type { TimeLimits, TokenLimits } from "../limits.ts";
import type { Token, TokenReading } from "../token.ts";
import { type Check, failed, notReached, passed, unknown } from "./check.ts";

/** Checks the token's form. All problems are reported, although a cloud stops at the first. */
export function checkShape({ token, problems }: TokenReading, { refusals }: TokenLimits): Check {
  const [first] = problems;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const causes = problems.map(({ cause }) => cause).join("; ");
  return failed("shape", refusals.form, causes, first.cure);
}

/** The cure for a token that is too old. */
export const getNewToken =
  "get a new token; the kubelet renews the token that a pod mounts, and the pod must read the file again";

/** The cure for a token from the future. */
export const correctClock = "correct the clock of the machine that issued the token, or of this machine";

/** Checks whether a token is valid at a time, in seconds since the epoch. */
export function checkTime({ exp, iat, nbf }: Token, time: number, { refusals, skew }: TimeLimits): Check {
  if (exp === undefined) return notReached("time", "the token has no expiration time");
  for (const [name, from] of [
    ["nbf", nbf],
    ["iat", iat],
  ] as const) {
    if (from !== undefined && from > time) {
      const cause = `the token's "${name}" is ${timeText(from)}, ${span(from - time)} after the time of the check`;
      return failed("time", refusals.early, cause, correctClock);
    }
  }
  if (exp > time) return passed("time", `expires ${timeText(exp)}, in ${span(exp - time)}`);
  const cause = `the token expired ${timeText(exp)}, ${span(time - exp)} before the time of the check`;
  if (time - exp <= skew.seconds)
    return unknown(
      "time",
      `${cause}; ${skew.reader} may accept a token for up to ${skew.seconds / 60} minutes after it expires`,
      getNewToken,
    );
  return failed("time", refusals.expired(exp, time), cause, getNewToken);
}

/** A time in the format of RFC 3339, in UTC; a number if the format cannot express it. */
export function timeText(seconds: number): string {
  const isDate = Math.abs(seconds) < 253_402_300_800 && seconds >= 0;
  return isDate ? new Date(seconds * 1000).toISOString().replace(/\.000Z$/, "Z") : String(seconds);
}

/** A number of seconds in words: "60 minutes". */
export function span(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [amount, unit] =
    whole < 120
      ? [whole, "second"]
      : whole < 7200
        ? [Math.floor(whole / 60), "minute"]
        : whole < 172_800
          ? [Math.floor(whole / 3600), "hour"]
          : [Math.floor(whole / 86_400), "day"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
