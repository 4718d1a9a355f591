import { entryOf, isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";

/** The value of an expression, or why it is unknown. */
export type CelResult = { readonly value: Value } | { readonly problem: string };

/** Google accepts at most this many characters in a condition (IAM API v1, attributeCondition). */
const maxLength = 4096;

/*
 * The part of the Common Expression Language ("Language Definition", "Syntax") that providers of clusters use: a field, a text,
 * a list of texts, and one comparison of two of them.
 */
const text = `"[^"\\\\\\r\\n]*"|'[^'\\\\\\r\\n]*'`;
const field = `[A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*|\\[(?:${text})\\])+`;
const list = `\\[\\s*(?:(?:${text})\\s*(?:,\\s*(?:${text})\\s*)*)?\\]`;
const operand = `${text}|${field}|${list}`;
const fieldOrText = new RegExp(`^\\s*(${text}|${field})\\s*$`);
const comparison = new RegExp(`^\\s*(${operand})\\s*(==|(?<!\\w)in(?!\\w))\\s*(${operand})\\s*$`);
const texts = new RegExp(text, "g");
const names = new RegExp(`[A-Za-z_]\\w*|${text}`, "g");

/**
 * Evaluates an expression: a field of the variables, a text, or `==` or `in` between fields, texts, and lists of texts.
 * Whatever else it contains, a missing field, and values of other types make the result unknown.
 */
export function evaluateCel(expression: string, variables: ValueMap): CelResult {
  if (expression.length > maxLength) return notSupported;
  const [, single] = fieldOrText.exec(expression) ?? [];
  if (single !== undefined) return operandOf(single, variables);
  const [, left = "", operator, right = ""] = comparison.exec(expression) ?? [];
  if (operator === undefined) return notSupported;
  const [one, other] = [operandOf(left, variables), operandOf(right, variables)];
  if ("problem" in one) return one;
  if ("problem" in other) return other;
  if (operator === "==" && typeof one.value === "string" && typeof other.value === "string")
    return { value: one.value === other.value };
  if (operator === "in" && typeof one.value === "string" && isTexts(other.value))
    return { value: other.value.includes(one.value) };
  return { problem: "it compares values of other types than texts" };
}

const notSupported: CelResult = { problem: "it contains something that is not supported here" };

function operandOf(written: string, variables: ValueMap): CelResult {
  if (/^["']/.test(written)) return { value: written.slice(1, -1) };
  if (written.startsWith("[")) return { value: (written.match(texts) ?? []).map((item) => item.slice(1, -1)) };
  const [variable = "", ...path] = written.match(names) ?? [];
  let value = entryOf(variables, variable);
  if (value === undefined) return { problem: `${quote(variable)} is not known here` };
  for (const part of path) {
    const name = part.replace(/^["'](.*)["']$/s, "$1");
    value = isMap(value) ? entryOf(value, name) : undefined;
    if (value === undefined) return { problem: `${quote(name)} is missing` };
  }
  return { value };
}

function isTexts(value: Value): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
