import { isMap, type Value, type ValueMap } from "../../../../core/resource.ts";
import { quote } from "../../../../core/text.ts";
import { all, any, not, type Truth } from "../../../../core/truth.ts";
import { type Expression, parseCel } from "./parse.ts";

/** The value of an expression, or why it is unknown. */
export type CelResult = { readonly value: Value } | { readonly problem: string };

/**
 * Evaluates an expression of the Common Expression Language, as far as it is supported: `== != in startsWith endsWith && ||
 * !`, parentheses, texts and lists of texts, and fields of the variables. Whatever else it contains, a missing field, and
 * values of other types make the result unknown, unless `&&` or `||` does not depend on them.
 */
export function evaluateCel(expression: string, variables: ValueMap): CelResult {
  const parsed = parseCel(expression);
  return parsed === undefined
    ? { problem: "it contains something that is not supported here" }
    : evaluate(parsed, variables);
}

function evaluate(expression: Expression, variables: ValueMap): CelResult {
  switch (expression.kind) {
    case "text":
      return { value: expression.text };
    case "truth":
      return { value: expression.value };
    case "list":
      return listOf(expression.items.map((item) => evaluate(item, variables)));
    case "name":
      return Object.hasOwn(variables, expression.name)
        ? { value: variables[expression.name] as Value }
        : { problem: `${quote(expression.name)} is not known here` };
    case "field":
      return fieldOf(evaluate(expression.of, variables), expression.name);
    case "call":
      return call(evaluate(expression.of, variables), expression.name, evaluate(expression.argument, variables));
    case "not":
      return negated(evaluate(expression.of, variables));
    case "binary":
      return binary(expression.operator, evaluate(expression.left, variables), evaluate(expression.right, variables));
  }
}

function listOf(items: readonly CelResult[]): CelResult {
  const values: Value[] = [];
  for (const item of items) {
    if ("problem" in item) return item;
    values.push(item.value);
  }
  return { value: values };
}

function fieldOf(of: CelResult, name: string): CelResult {
  if ("problem" in of) return of;
  if (isMap(of.value) && Object.hasOwn(of.value, name)) return { value: of.value[name] as Value };
  return { problem: `${quote(name)} is missing` };
}

function call(of: CelResult, name: string, argument: CelResult): CelResult {
  if ("problem" in of) return of;
  if ("problem" in argument) return argument;
  const [text, part] = [of.value, argument.value];
  if (typeof text !== "string" || typeof part !== "string") return otherTypes;
  if (name === "startsWith") return { value: text.startsWith(part) };
  if (name === "endsWith") return { value: text.endsWith(part) };
  return { problem: `the function ${quote(name)} is not supported here` };
}

const otherTypes: CelResult = { problem: "it compares values of other types than texts" };

function negated(of: CelResult): CelResult {
  const answer = not(truthOf(of));
  return answer === "unknown" ? unknownBecause(of) : { value: answer };
}

function binary(operator: string, left: CelResult, right: CelResult): CelResult {
  if (operator === "&&" || operator === "||") {
    const answers = [truthOf(left), truthOf(right)];
    const answer = operator === "&&" ? all(answers) : any(answers);
    return answer === "unknown" ? unknownBecause(truthOf(left) === "unknown" ? left : right) : { value: answer };
  }
  if ("problem" in left) return left;
  if ("problem" in right) return right;
  const answer = operator === "in" ? isIn(left.value, right.value) : isEqual(left.value, right.value);
  if (answer === "unknown") return otherTypes;
  return { value: operator === "!=" ? !answer : answer };
}

function truthOf(result: CelResult): Truth {
  return "value" in result && typeof result.value === "boolean" ? result.value : "unknown";
}

function unknownBecause(result: CelResult): CelResult {
  return "problem" in result ? result : otherTypes;
}

function isIn(value: Value, list: Value): Truth {
  const texts = textsOf(list);
  return typeof value === "string" && texts !== undefined ? texts.includes(value) : "unknown";
}

function isEqual(a: Value, b: Value): Truth {
  if (typeof a === typeof b && (typeof a === "string" || typeof a === "boolean")) return a === b;
  const [left, right] = [textsOf(a), textsOf(b)];
  if (left === undefined || right === undefined) return "unknown";
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

function textsOf(value: Value): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? (value as string[]) : undefined;
}
