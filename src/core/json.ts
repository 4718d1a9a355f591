import { isMap, type Value } from "./resource.ts";
import { compareText } from "./text.ts";

/**
 * A value as JSON with sorted keys and no white space: equal values have equal texts, whatever order they were written
 * in. Integers keep every digit.
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
 * A value as JSON for people: two spaces, keys in the order in which they stand, no newline at the end. What an editor
 * or a terminal could not show is escaped, so that the text can stand in a YAML block scalar as it is.
 */
export function prettyJson(value: Value): string {
  return stringify(value, 2);
}

/** The same as a file, with a newline at the end. */
export function jsonFile(value: Value): string {
  return stringify(value, 2, "\n");
}

// Of what JSON.stringify has written: control characters it escapes itself, all but DEL. To count bytes takes a fraction of
// the time that a search does.
function isPrintableAscii(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes("\x7f");
}

/** A value as JSON without white space, keys in the order in which they stand. */
export function compactJson(value: Value): string {
  return stringify(value, 0);
}

// JSON.stringify leaves DEL, C1, separators, byte order marks and everything beyond the basic plane as it is; YAML
// writers quote whole texts for these. All of them stand inside strings alone.
const awkward = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ud800-\uf8ff\ufeff\ufff0-\uffff]/g;

function stringify(value: Value, indent: number, end = ""): string {
  let text: string;
  try {
    text = JSON.stringify(value, null, indent);
  } catch {
    // Whatever else was wrong is wrong again.
    text = withBigInts(value, indent);
  }
  text += end;
  if (isPrintableAscii(text)) return text;
  return text.replace(awkward, (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// JSON.stringify has no integers beyond 2^53: each stands for itself as a marked text, until the end. The mark is one
// that no text of the value holds.
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
