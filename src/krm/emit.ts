import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { loneSurrogate } from "./emit-flow.ts";
import { numberText } from "./numbers.ts";

/**
 * Writes a value as block YAML, one step of two spaces a level, keys in the order in which they stand, lists not
 * indented below their key. The form is a fixed point of the writer that kpt and kustomize share (kyaml), and every
 * scalar means the same to readers of YAML 1.1 and 1.2: a string that one of them could take for something else is
 * in double quotes.
 *
 * @param indent the column of the value's first level; the first line is written without it.
 * @returns lines with a newline at the end of each.
 */
export function emitYaml(value: ValueMap, indent = 0): string {
  if (Object.keys(value).length === 0) return "{}\n";
  const lines: string[] = [];
  mappingLines(value, " ".repeat(indent), "", lines);
  return lines.join("");
}

// `lead` stands before the first line in the place of `pad`.
function mappingLines(map: ValueMap, pad: string, lead: string, lines: string[]): void {
  let before = lead;
  for (const key of Object.keys(map)) {
    emitPair(key, map[key] as Value, before, pad, lines);
    before = pad;
  }
}

/**
 * Writes a pair of a mapping whose keys stand behind `pad`.
 *
 * @param lead stands before the key in the place of `pad`.
 */
export function emitPair(key: string, value: Value, lead: string, pad: string, lines: string[]): void {
  const start = `${lead}${inlineString(key)}:`;
  if (typeof value === "string") lines.push(`${start} ${emitText(value, `${pad}  `)}\n`);
  else {
    lines.push(start);
    afterKey(value, pad, lines);
  }
}

function afterKey(value: Value, pad: string, lines: string[]): void {
  if (isMap(value) && Object.keys(value).length > 0) {
    lines.push("\n");
    mappingLines(value, `${pad}  `, `${pad}  `, lines);
  } else if (Array.isArray(value) && value.length > 0) {
    lines.push("\n");
    sequenceLines(value, pad, pad, lines);
  } else lines.push(` ${isMap(value) ? "{}" : Array.isArray(value) ? "[]" : scalar(value as Scalar, `${pad}  `)}\n`);
}

function sequenceLines(list: readonly Value[], pad: string, lead: string, lines: string[]): void {
  let before = lead;
  for (const value of list) {
    lines.push(`${before}-`);
    if (isMap(value) && Object.keys(value).length > 0) mappingLines(value, `${pad}  `, " ", lines);
    else if (Array.isArray(value) && value.length > 0) sequenceLines(value, `${pad}  `, " ", lines);
    else afterKey(value, pad, lines);
    before = pad;
  }
}

type Scalar = null | boolean | number | bigint | string;

function scalar(value: Scalar, pad: string): string {
  if (typeof value === "number") return numberText(value);
  return typeof value === "string" ? emitText(value, pad) : String(value);
}

/** A string, as block text behind `pad` where that holds it, else on one line. */
export function emitText(text: string, pad: string): string {
  return blockFits(text) ? block(text, pad) : inlineString(text);
}

// A block scalar is kept by every writer when its lines have no trailing white space, it has no tabs or spaces before
// its first text (which would need an indentation indicator), at most one newline at its end, and holds printable
// characters only.
const unfitForBlock =
  /^[ \t\n]|[ \t](?:\n|$)|\n\n$|[^\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u1fff\u2010-\u2027\u2030-\u205f\u2070-\ud7ff\uf900-\ufdcf\ufdf0-\ufefe\uff01-\uffef]/;

function blockFits(text: string): boolean {
  return text.includes("\n") && !unfitForBlock.test(text);
}

function block(text: string, pad: string): string {
  const ends = text.endsWith("\n");
  let out = ends ? "|" : "|-";
  // Empty lines stay empty.
  for (const line of (ends ? text.slice(0, -1) : text).split("\n")) out += line === "" ? "\n" : `\n${pad}${line}`;
  return out;
}

// A plain scalar starts with a letter or a slash, so that no number, date, tag or indicator can be meant, and is none of
// the words that are of another type to one reader or another.
const plainText =
  /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf|e[-+]?[0-9_]+)$)[a-z/][a-z0-9_./@+=,-]*(?:[ :][a-z0-9_./@+=,-]+)*$/i;

/** A string on one line: plain where every reader sees a string, else in double quotes. */
export function inlineString(text: string): string {
  return plainText.test(text) && text.length < 2000 ? text : doubleQuoted(text);
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\0": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\e",
  "\x85": "\\N",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

// What stands between double quotes as it is.
const needsNoEscape = /^[ !#-[\]-~]*$/;

function doubleQuoted(text: string): string {
  if (needsNoEscape.test(text)) return `"${text}"`;
  let out = '"';
  for (const character of text.replace(loneSurrogate, "\ufffd")) {
    const code = character.codePointAt(0) as number;
    const short = shortEscapes[character];
    if (short !== undefined) out += short;
    else if (printable(code)) out += character;
    else if (code <= 0xff) out += `\\x${hex(code, 2)}`;
    else if (code <= 0xffff) out += `\\u${hex(code, 4)}`;
    else out += `\\U${hex(code, 8)}`;
  }
  return `${out}"`;
}

// What the writers leave unescaped: printable characters of the basic plane.
function printable(code: number): boolean {
  return (
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  );
}

function hex(code: number, width: number): string {
  return code.toString(16).toUpperCase().padStart(width, "0");
}
