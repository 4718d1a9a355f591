import { entryOf } from "../../../core/resource.ts";
import type { Clause, ClauseMeaning, TextMeaning } from "../../../permissions/condition.ts";
import { matches } from "../../../permissions/glob.ts";
import type { Truth } from "../../tokens.ts";

/** How a condition operator for strings decides. */
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
  /** Only for strings: this program does not compare other values. */
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
  StringEquals: { compare: (actual, wanted) => actual === wanted, texts: exact, negation: "StringNotEquals" },
  StringEqualsIgnoreCase: {
    compare: ignoringCase,
    texts: { ...exact, ignoresCase: true },
    negation: "StringNotEqualsIgnoreCase",
  },
  StringLike: { compare: like, texts: { ...exact, hasWildcards: true }, negation: "StringNotLike" },
  ArnEquals: { negation: "ArnNotEquals" },
  ArnLike: { negation: "ArnNotLike" },
  Bool: { texts: { ...exact, ignoresCase: true } },
  BinaryEquals: {},
  IpAddress: { negation: "NotIpAddress" },
  ...ordered("Numeric"),
  ...ordered("Date"),
};

function ordered(prefix: string): Record<string, ConditionOperator> {
  return {
    [`${prefix}Equals`]: { negation: `${prefix}NotEquals` },
    [`${prefix}LessThan`]: {},
    [`${prefix}LessThanEquals`]: {},
    [`${prefix}GreaterThan`]: {},
    [`${prefix}GreaterThanEquals`]: {},
  };
}

const negations = new Map(Object.entries(operators).map(([name, { negation }]) => [negation, name]));

function find(name: string): { readonly operator: ConditionOperator; readonly negated: boolean } | undefined {
  const positive = negations.get(name);
  const operator = entryOf(operators, positive ?? name);
  return operator === undefined ? undefined : { operator, negated: positive !== undefined };
}

/** How an operator decides; undefined if it does not compare strings, or has a prefix or a suffix. */
export function operatorNamed(name: string): ComparingOperator | undefined {
  const { operator, negated = false } = find(name) ?? {};
  return operator?.compare === undefined ? undefined : { compare: operator.compare, negated };
}

/** Whether IAM documents an operator, with any prefix and suffix. */
export function isKnownOperator(text: string): boolean {
  const [, name = ""] = /^(?:ForAnyValue:|ForAllValues:)?(\w+?)(?:IfExists)?$/.exec(text) ?? [];
  return name === "Null" || find(name) !== undefined;
}

/** Whether an operator without prefix and suffix compares strings: it is true if any value matches, or if none does. */
export function isStringOperator(name: string, holds: "any" | "none"): boolean {
  return operatorNamed(name)?.negated === (holds === "none");
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
