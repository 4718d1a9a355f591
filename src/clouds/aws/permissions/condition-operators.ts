import { entryOf } from "../../../core/resource.ts";
import type { Truth } from "../../../core/truth.ts";
import { matches } from "../../../permissions/glob.ts";

/** A condition operator: how it compares a value of a request with a value of the policy. */
export interface Operator {
  compare(actual: string, wanted: string): Truth;
  /** It is true if no value of the policy matches, or if the request does not contain the key. */
  readonly negated: boolean;
}

/*
 * IAM User Guide, "IAM JSON policy elements: Condition operators". The answer is unknown for an operator that is not in this
 * table (IpAddress, BinaryEquals, a future operator, another spelling of a name).
 */
const comparisons: Readonly<Record<string, Operator["compare"]>> = {
  StringEquals: (actual, wanted) => actual === wanted,
  StringEqualsIgnoreCase: ignoringCase,
  StringLike: like,
  ArnEquals: arnLike,
  ArnLike: arnLike,
  Bool: (actual, wanted) => compareParsed(actual, wanted, booleanOf, (a, b) => a === b),
  NumericEquals: (actual, wanted) => compareParsed(actual, wanted, numberOf, (a, b) => a === b),
  NumericLessThan: (actual, wanted) => compareParsed(actual, wanted, numberOf, (a, b) => a < b),
  NumericLessThanEquals: (actual, wanted) => compareParsed(actual, wanted, numberOf, (a, b) => a <= b),
  NumericGreaterThan: (actual, wanted) => compareParsed(actual, wanted, numberOf, (a, b) => a > b),
  NumericGreaterThanEquals: (actual, wanted) => compareParsed(actual, wanted, numberOf, (a, b) => a >= b),
  DateEquals: (actual, wanted) => compareParsed(actual, wanted, timeOf, (a, b) => a === b),
  DateLessThan: (actual, wanted) => compareParsed(actual, wanted, timeOf, (a, b) => a < b),
  DateLessThanEquals: (actual, wanted) => compareParsed(actual, wanted, timeOf, (a, b) => a <= b),
  DateGreaterThan: (actual, wanted) => compareParsed(actual, wanted, timeOf, (a, b) => a > b),
  DateGreaterThanEquals: (actual, wanted) => compareParsed(actual, wanted, timeOf, (a, b) => a >= b),
};

const negations: Readonly<Record<string, string>> = {
  StringNotEquals: "StringEquals",
  StringNotEqualsIgnoreCase: "StringEqualsIgnoreCase",
  StringNotLike: "StringLike",
  ArnNotEquals: "ArnEquals",
  ArnNotLike: "ArnLike",
  NumericNotEquals: "NumericEquals",
  DateNotEquals: "DateEquals",
};

/** The operator with a name, without prefix and suffix; undefined if it is unknown. */
export function operatorNamed(name: string): Operator | undefined {
  const opposite = entryOf(negations, name);
  const positive = opposite ?? name;
  const compare = entryOf(comparisons, positive);
  return compare === undefined ? undefined : { compare, negated: opposite !== undefined };
}

// For letters outside ASCII, AWS does not document which are equal, or how many characters a letter has.
function isAscii(...texts: readonly string[]): boolean {
  return texts.every((text) => /^[\x20-\x7e]*$/.test(text));
}

function ignoringCase(actual: string, wanted: string): Truth {
  if (actual === wanted) return true;
  return isAscii(actual, wanted) ? actual.toLowerCase() === wanted.toLowerCase() : "unknown";
}

function like(actual: string, wanted: string): Truth {
  if (actual === wanted) return true;
  return isAscii(actual, wanted) ? matches(wanted, actual) : "unknown";
}

// Each of the six parts of an ARN is compared with its counterpart. The last part may contain colons.
function arnLike(actual: string, wanted: string): Truth {
  const [one, other] = [arnParts(actual), arnParts(wanted)];
  if (one === undefined || other === undefined) return "unknown";
  const answers = one.map((part, index) => like(part, other[index] as string));
  return answers.includes(false) ? false : answers.includes("unknown") ? "unknown" : true;
}

function arnParts(arn: string): string[] | undefined {
  const parts = arn.split(":");
  return parts.length < 6 || parts[0] !== "arn" ? undefined : [...parts.slice(0, 5), parts.slice(5).join(":")];
}

function compareParsed<T>(
  actual: string,
  wanted: string,
  parse: (text: string) => T | undefined,
  holds: (actual: T, wanted: T) => boolean,
): Truth {
  const [a, b] = [parse(actual), parse(wanted)];
  return a === undefined || b === undefined ? "unknown" : holds(a, b);
}

function booleanOf(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

function numberOf(text: string): number | undefined {
  return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}

/** Milliseconds since the epoch, of a date with time and zone, or of seconds since the epoch. */
function timeOf(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
