import type { CelExpression, Literal } from "./cel.ts";

/*
 * What an expression is for a token of which only some claims are known. What this code does not evaluate is unknown: numbers, maps,
 * regular expressions, and functions of other values than texts.
 */

/** A value that the expression needs, but that is not known. */
export const unknown: unique symbol = Symbol("unknown");

/** What CEL calls an error: the expression has no value, and a condition with it is not met. */
const failed: unique symbol = Symbol("failed");

/** Fields of a variable. If they are open, another field may exist. */
export interface Fields {
  readonly fields: ReadonlyMap<string, CelValue>;
  readonly isOpen: boolean;
}

/** What an expression can be. */
export type CelValue = Literal | readonly CelValue[] | Fields | typeof unknown | typeof failed;

/** Evaluates an expression. */
export function evaluate(expression: CelExpression, variables: ReadonlyMap<string, CelValue>): CelValue {
  const of = (one: CelExpression) => evaluate(one, variables);
  switch (expression.is) {
    case "value":
      return expression.value;
    case "name":
      return variables.get(expression.name) ?? unknown;
    case "field":
      return fieldOf(of(expression.of), expression.name);
    case "index": {
      const key = of(expression.key);
      return typeof key === "string" ? fieldOf(of(expression.of), key) : unknown;
    }
    case "list":
      return expression.items.map(of);
    case "other":
      return unknown;
    case "call": {
      const { name, on, args } = expression;
      const fn = (on === undefined ? functions : methods).get(name);
      return fn === undefined ? unknown : fn(...(on === undefined ? args : [on, ...args]).map(of));
    }
  }
}

function fieldOf(of: CelValue, name: string): CelValue {
  if (of === failed) return failed;
  if (of === null || typeof of !== "object" || !("fields" in of)) return unknown;
  return of.fields.get(name) ?? (of.isOpen ? unknown : failed);
}

type CelFunction = (...values: readonly CelValue[]) => CelValue;

const functions: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>([
  ["&&", (one = unknown, other = unknown) => both(one, other, false)],
  ["||", (one = unknown, other = unknown) => both(one, other, true)],
  ["?:", (when = unknown, yes = unknown, no = unknown) => (when === true ? yes : when === false ? no : open(when))],
  ["has", (one = unknown) => (one === failed ? false : one === unknown ? unknown : true)],
  ["!", (one = unknown) => (typeof one === "boolean" ? !one : open(one))],
  ["==", (one = unknown, other = unknown) => equal(one, other)],
  ["!=", (one = unknown, other = unknown) => functions.get("!")?.(equal(one, other)) ?? unknown],
  ["in", (one = unknown, list = unknown) => isAmong(one, list)],
  ["+", ofTexts((one, other) => one + other)],
]);

const methods: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>([
  ["contains", ofTexts((one, other) => one.includes(other))],
  ["endsWith", ofTexts((one, other) => one.endsWith(other))],
  ["startsWith", ofTexts((one, other) => one.startsWith(other))],
]);

function ofTexts(fn: (one: string, other: string) => CelValue): CelFunction {
  return (one = unknown, other = unknown) =>
    typeof one === "string" && typeof other === "string" ? fn(one, other) : open(one, other);
}

/** The answer if the values do not decide. */
function open(...values: readonly CelValue[]): CelValue {
  return values.includes(failed) ? failed : unknown;
}

// One side decides alone if it has the deciding value, even if the other side has none ("Logical operators").
function both(one: CelValue, other: CelValue, deciding: boolean): CelValue {
  const sides = [one, other];
  if (sides.includes(deciding)) return deciding;
  if (sides.every((side) => side === !deciding)) return !deciding;
  return sides.every((side) => side === failed || side === !deciding) ? failed : unknown;
}

function equal(one: CelValue, other: CelValue): CelValue {
  const isKnown = typeof one === typeof other && (typeof one === "string" || typeof one === "boolean");
  return isKnown ? one === other : open(one, other);
}

function isAmong(one: CelValue, list: CelValue): CelValue {
  if (!Array.isArray(list)) return open(one, list);
  const answers = (list as readonly CelValue[]).map((item) => equal(one, item));
  if (answers.includes(failed)) return failed;
  return answers.includes(true) ? true : answers.includes(unknown) ? unknown : false;
}
