import { quote } from "../../core/text.ts";
import { UsageError } from "./errors.ts";

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Reads a time that the user typed, as RFC 3339 or seconds since the epoch, and returns seconds since the epoch. */
export function readTime(text: string): number {
  const time = /^\d{1,12}$/.test(text)
    ? Number(text)
    : rfc3339.test(text)
      ? Date.parse(text.toUpperCase()) / 1000
      : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `--time must be a time such as "2026-01-31T12:00:00Z" or seconds since the epoch, not ${quote(text)}`,
    );
  return time;
}
