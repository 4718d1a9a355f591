import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";

/**
 * A value as a template must contain it. Azure Resource Manager evaluates texts in brackets, in keys and in values, unless they
 * start with two (Azure documentation, "Syntax and expressions in ARM templates", "Escape characters"). A text that does not
 * end with a bracket is never evaluated, and must not be escaped.
 */
export function literal(value: ValueMap): ValueMap;
export function literal(value: Value): Value;
export function literal(value: Value): Value {
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return value.map((item: Value) => literal(item));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [escaped(key), literal(child)]));
}

function escaped(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? `[${text}` : text;
}

/**
 * The expression for a property of a resource that the deployment creates. The ID is complete, so the resource may be in
 * another resource group (Azure documentation, "Resource functions for ARM templates", "reference").
 */
export function referenceTo(id: string, apiVersion: string, property: string): string {
  return `[reference('${id.replaceAll("'", "''")}', '${apiVersion}').${property}]`;
}
