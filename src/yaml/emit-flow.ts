import { isMap, type Value } from "../core/resource.ts";
import { numberText } from "./numbers.ts";

/**
 * Writes a value as JSON on one line, keys in the order in which they stand, for a list in brackets. Readers of YAML
 * get the same from it as readers of JSON: characters beyond the basic plane stand as they are (to some readers of YAML,
 * a pair of escapes is two halves of nothing), and what cannot be printed is escaped.
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

// JSON.stringify escapes quotes, backslashes and C0; YAML has more that is not printed, or breaks a line.
const awkward = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Half of a pair: UTF-8 has no form for it, and readers of YAML refuse it escaped. */
export const loneSurrogate = /\p{Cs}/gu;

/** A string in double quotes that JSON and YAML read alike. */
export function flowString(text: string): string {
  return JSON.stringify(text.replace(loneSurrogate, "\ufffd")).replace(
    awkward,
    (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
