import { quote } from "../../core/text.ts";
import { UsageError } from "./errors.ts";

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** A time that somebody typed, in seconds since the epoch: RFC 3339, or the seconds themselves. */
export function readTime(text: string): number {
  const time = /^\d{1,12}$/.test(text)
    ? Number(text)
    : rfc3339.test(text)
      ? Date.parse(text.toUpperCase()) / 1000
      : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`--time is ${quote(text)}, and must be as "2026-01-31T12:00:00Z", or seconds since the epoch`);
  return time;
}
