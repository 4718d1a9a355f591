import { entryOf } from "../../../core/resource.ts";
import type { Clause, ClauseMeaning, TextMeaning } from "../../../permissions/condition.ts";
import { matches } from "../../../permissions/glob.ts";
import type { Truth } from "../../tokens.ts";

/** How a condition operator decides. */
export interface ComparingOperator {
  /** Compares a value of a request with a value of the policy. */
  compare(actual: string, wanted: string): Truth;
  /** It is true if no value of the policy matches, or if the request does not contain the key. */
  readonly negated: boolean;
}

/**
 * What marks a policy variable, whose value depends on the request, so that only AWS knows it (IAM User Guide, "IAM policy
 * elements: Variables and tags").
 */
export const policyVariable = "${";

interface ConditionOperator {
  /** The type of the values that it compares. */
  readonly of: "string" | "boolean" | "number" | "date" | "ARN" | "address" | "binary";
  /** Missing if this program does not compare such values. */
  readonly compare?: ComparingOperator["compare"];
  /** Missing if a value can be equal to another without being the same text. */
  readonly texts?: TextMeaning;
  /** The operator that is true if this one is false. */
  readonly negation?: string;
}

const exact: TextMeaning = { ignoresCase: false, hasWildcards: false, variable: policyVariable };

/*
 * IAM User Guide, "IAM JSON policy elements: Condition operators". Nothing is known of an operator that is not in this table:
 * a future operator, or another spelling of a name. "Null" compares no values.
 */
const operators: Readonly<Record<string, ConditionOperator>> = {
  StringEquals: {
    of: "string",
    compare: (actual, wanted) => actual === wanted,
    texts: exact,
    negation: "StringNotEquals",
  },
  StringEqualsIgnoreCase: {
    of: "string",
    compare: ignoringCase,
    texts: { ...exact, ignoresCase: true },
    negation: "StringNotEqualsIgnoreCase",
  },
  StringLike: { of: "string", compare: like, texts: { ...exact, hasWildcards: true }, negation: "StringNotLike" },
  ArnEquals: { of: "ARN", compare: arnLike, negation: "ArnNotEquals" },
  ArnLike: { of: "ARN", compare: arnLike, negation: "ArnNotLike" },
  Bool: {
    of: "boolean",
    compare: (actual, wanted) => compareParsed(actual, wanted, booleanOf, (a, b) => a === b),
    texts: { ...exact, ignoresCase: true },
  },
  BinaryEquals: { of: "binary" },
  IpAddress: { of: "address", negation: "NotIpAddress" },
  ...ordered("Numeric", "number", numberOf),
  ...ordered("Date", "date", timeOf),
};

function ordered(
  prefix: string,
  of: ConditionOperator["of"],
  parse: (text: string) => number | undefined,
): Record<string, ConditionOperator> {
  const by = (holds: (actual: number, wanted: number) => boolean): ConditionOperator => ({
    of,
    compare: (actual, wanted) => compareParsed(actual, wanted, parse, holds),
  });
  return {
    [`${prefix}Equals`]: { ...by((a, b) => a === b), negation: `${prefix}NotEquals` },
    [`${prefix}LessThan`]: by((a, b) => a < b),
    [`${prefix}LessThanEquals`]: by((a, b) => a <= b),
    [`${prefix}GreaterThan`]: by((a, b) => a > b),
    [`${prefix}GreaterThanEquals`]: by((a, b) => a >= b),
  };
}

const negations = new Map(Object.entries(operators).map(([name, { negation }]) => [negation, name]));

function find(name: string): { readonly operator: ConditionOperator; readonly negated: boolean } | undefined {
  const positive = negations.get(name);
  const operator = entryOf(operators, positive ?? name);
  return operator === undefined ? undefined : { operator, negated: positive !== undefined };
}

/** Reads the name of an operator: its set operator, the operator itself, and whether the key may be missing. */
export function readOperator(text: string): {
  readonly set?: string;
  readonly name: string;
  readonly ifExists: boolean;
} {
  const [, set, name = "", ifExists] = /^(?:(ForAnyValue|ForAllValues):)?(\w+?)(IfExists)?$/.exec(text) ?? [];
  return { name, ifExists: ifExists !== undefined, ...(set === undefined ? {} : { set }) };
}

/** How an operator without prefix and suffix decides; undefined if this program does not know. */
export function operatorNamed(name: string): ComparingOperator | undefined {
  const { operator, negated = false } = find(name) ?? {};
  return operator?.compare === undefined ? undefined : { compare: operator.compare, negated };
}

/** Whether IAM documents an operator, with any prefix and suffix. */
export function isKnownOperator(text: string): boolean {
  const { name } = readOperator(text);
  return name === "Null" || find(name) !== undefined;
}

/** Whether an operator without prefix and suffix compares strings: it is true if any value matches, or if none does. */
export function isStringOperator(name: string, holds: "any" | "none"): boolean {
  const found = find(name);
  return found?.operator.of === "string" && found.negated === (holds === "none");
}

// Keys that may have more than one value in a request (IAM User Guide, "Single-valued vs. multivalued context keys").
// Different values may then meet different conditions.
const severalValues = new Set([
  "aws:calledvia",
  "aws:principalorgpaths",
  "aws:principalservicenameslist",
  "aws:resourceorgpaths",
  "aws:sourceorgpaths",
  "aws:tagkeys",
  "aws:vpceorgpaths",
]);

/** A clause of a condition, for comparisons with others. */
export function clauseOf(operator: string, key: string, values: readonly string[]): Clause {
  const meaning = meaningOf(operator, key, values);
  return { operator, key, values, ...(meaning === undefined ? {} : { meaning }) };
}

function meaningOf(name: string, key: string, values: readonly string[]): ClauseMeaning | undefined {
  if (name === "Null") return nullMeaning(values);
  const found = find(name);
  if (found === undefined) return undefined;
  const { operator, negated } = found;
  const isComparable = operator.texts !== undefined && !severalValues.has(key.toLowerCase());
  return { holds: negated ? "none" : "any", ...(isComparable ? { texts: operator.texts } : {}) };
}

// IAM User Guide, "Condition operator to check existence of condition keys".
function nullMeaning(values: readonly string[]): ClauseMeaning | undefined {
  const [only, ...others] = new Set(values);
  if (others.length > 0 || (only !== "true" && only !== "false")) return undefined;
  return { holds: only === "true" ? "absent" : "present" };
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
