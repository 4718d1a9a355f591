import { isMap, type Value } from "./resource.ts";
import { compareText, conflictIn } from "./text.ts";

/**
 * A value as JSON with sorted keys and no white space: equal values have equal texts, whatever the order of their keys.
 * Integers keep every digit.
 */
export function canonicalJson(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isMap(value)) {
    const keys = Object.keys(value).sort(compareText);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Value)}`).join(",")}}`;
  }
  return scalar(value as Scalar);
}

/**
 * A value as readable JSON: two spaces of indentation, keys in their given order, no newline at the end. Characters
 * that an editor or terminal could not show are escaped, so the text can be put into a YAML block scalar unchanged.
 */
export function prettyJson(value: Value): string {
  return stringify(value, 2);
}

/** A value as a readable JSON file: {@link prettyJson} with a newline at the end. */
export function jsonFile(value: Value): string {
  return stringify(value, 2, "\n");
}

// For output of JSON.stringify, which escapes all control characters except DEL. Counting bytes takes a fraction of the
// time of a search.
function isPrintableAscii(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes("\x7f");
}

/** A value as JSON without white space, keys in their given order. */
export function compactJson(value: Value): string {
  return stringify(value, 0);
}

// JSON.stringify does not escape DEL, C1, separators, byte order marks or anything beyond the basic plane, and YAML
// writers quote a whole text because of one of them. They occur only inside strings.
const awkward = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ud800-\uf8ff\ufeff\ufff0-\uffff]/g;

function stringify(value: Value, indent: number, end = ""): string {
  let text: string;
  try {
    text = JSON.stringify(value, null, indent);
  } catch {
    // An error with another cause is thrown again.
    text = withBigInts(value, indent);
  }
  text += end;
  if (isPrintableAscii(text)) return text;
  return text.replace(awkward, (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// JSON.stringify cannot write integers beyond 2^53. Each is written as a marked text first, then unquoted. The mark
// does not occur in any text of the value.
function withBigInts(value: Value, indent: number): string {
  const stringifyWith = (write: (integer: bigint) => unknown) =>
    JSON.stringify(value, (_, value) => (typeof value === "bigint" ? write(value) : value), indent);
  const rest = stringifyWith(() => 0);
  let mark = "\ue000";
  while (rest.includes(mark)) mark += "\ue000";
  return stringifyWith((integer) => `${mark}${integer}${mark}`).replace(
    new RegExp(`"${mark}(-?\\d+)${mark}"`, "g"),
    "$1",
  );
}

type Scalar = null | boolean | number | bigint | string;

function scalar(value: Scalar): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/**
 * A value from the input as a text: a string as it is, anything else as JSON. `String` would call a function that a mapping
 * with a key such as "toString" seems to have.
 */
export function asText(value: Value | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined ? "undefined" : canonicalJson(value);
}

/**
 * The value of a JSON text, or the problem with it. The problem completes a sentence that names the text: "... is not
 * JSON".
 */
export type JsonReading = { readonly value: Value } | { readonly problem: string };

const maxDepth = 64;

/**
 * Reads JSON from outside the project that other programs will read too. Text that two readers could interpret
 * differently is refused: if a key appears twice, some readers use the first value and others the last (RFC 8259,
 * section 4).
 */
export function readJson(text: string): JsonReading {
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch {
    const conflict = conflictIn(text);
    if (conflict === undefined) return { problem: "is not JSON" };
    return { problem: `is not JSON: ${conflict.reason}, line ${conflict.line}. ${conflict.cure}` };
  }
  const problem = ambiguity(text);
  return problem === undefined ? { value } : { problem };
}

// Only called for valid JSON, where a text before a colon is a key.
function ambiguity(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let before = "";
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const key = JSON.parse(before) as string;
      const keys = open.at(-1);
      if (keys?.has(key) === true) return "has a duplicate key";
      keys?.add(key);
    }
    if (open.length > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    before = token;
  }
  return undefined;
}

/** The value of a JSON text of which only some fields are looked for; null, which has no fields, if it is not JSON. */
export function jsonOrNull(text: string): Value {
  const reading = readJson(text);
  return "value" in reading ? reading.value : null;
}
