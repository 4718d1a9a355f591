import { isMap, type Value } from "../core/resource.ts";
import { numberText } from "./numbers.ts";

/**
 * Writes a value as JSON on one line, with keys in their given order, for a list in brackets. Readers of YAML and of
 * JSON get the same value: characters beyond the basic plane are not escaped, because some readers of YAML cannot
 * combine a pair of escapes, and unprintable characters are escaped.
 */
export function emitFlow(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(emitFlow).join(",")}]`;
  if (isMap(value)) {
    return `{${Object.entries(value)
      .map(([key, one]) => `${flowString(key)}:${emitFlow(one)}`)
      .join(",")}}`;
  }
  if (typeof value === "string") return flowString(value);
  return typeof value === "number" ? numberText(value) : String(value);
}

// JSON.stringify escapes quotes, backslashes and C0. In YAML, these characters are unprintable or break a line too.
const awkward = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Half of a surrogate pair. UTF-8 cannot encode it, and readers of YAML refuse it as an escape. */
export const loneSurrogate = /\p{Cs}/gu;

/** A string in double quotes that JSON and YAML read alike. */
export function flowString(text: string): string {
  return JSON.stringify(text.replace(loneSurrogate, "\ufffd")).replace(
    awkward,
    (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
