import type { Token } from "../../../oidc/token.ts";
import { type AwsError, type Check, failed, notReached, notValidated, passed, unknown } from "./check.ts";

/**
 * IAM goes on with a token for five minutes after it expired, for the sake of clocks that differ (IAM User Guide, "OIDC
 * federation"). Nothing of the kind is said of "nbf" and "iat".
 */
const skew = 300;

const again = "take a new token; the kubelet renews the one that a pod mounts, and the pod must read the file again";

/** Whether a token counts at a time, in seconds since the epoch. */
export function checkTime({ exp, iat, nbf }: Token, time: number): Check {
  if (exp === undefined) return notReached("time", "the token says no time at which it expires");
  for (const [name, from] of [
    ["nbf", nbf],
    ["iat", iat],
  ] as const) {
    if (from !== undefined && from > time) {
      const cause = `the token's "${name}" is ${timeText(from)}, ${span(from - time)} after the time of the check`;
      return failed(
        "time",
        notValidated,
        cause,
        "correct the clock of the machine that issued the token, or of this one",
      );
    }
  }
  if (exp > time) return passed("time", `expires ${timeText(exp)}, in ${span(exp - time)}`);
  const cause = `the token expired ${timeText(exp)}, ${span(time - exp)} before the time of the check`;
  if (time - exp <= skew) return unknown("time", `${cause}; IAM may go on with it for ${skew / 60} minutes`, again);
  return failed("time", expired(exp, time), cause, again);
}

function expired(exp: number, time: number): AwsError {
  const message = `Token expired: current date/time ${Math.floor(time)} must be before the expiration date/time ${exp}`;
  return { code: "ExpiredTokenException", httpStatus: 400, message };
}

/** A time as RFC 3339 writes it, in UTC; as a number where it is beyond what that can say. */
export function timeText(seconds: number): string {
  const isDate = Math.abs(seconds) < 253_402_300_800 && seconds >= 0;
  return isDate ? new Date(seconds * 1000).toISOString().replace(/\.000Z$/, "Z") : String(seconds);
}

function span(seconds: number): string {
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
