import { isMap, type Value, type ValueMap } from "../core/resource.ts";

/**
 * Writes a value as block YAML: two spaces of indentation per level, keys in their given order, lists not indented
 * below their key. The writer that kpt and kustomize share (kyaml) does not change this form. Every scalar means the
 * same in YAML 1.1 and 1.2: a string that either of them could read as another type is in double quotes.
 *
 * @param indent the column of the value's first level. The first line is written without it.
 * @returns lines, each with a newline at its end.
 */
export function emitYaml(value: ValueMap, indent = 0): string {
  if (Object.keys(value).length === 0) return "{}\n";
  const lines: string[] = [];
  emitEntries(value, " ".repeat(indent), "", lines, ownStyle);
  return lines.join("");
}

/** How much further collections are indented than their key, as white space. */
export interface BlockStyle {
  readonly mapping: string;
  readonly list: string;
}

const ownStyle: BlockStyle = { mapping: "  ", list: "" };

/**
 * Writes a mapping or list that is not empty, like {@link emitYaml}, for a file that indents in another way.
 *
 * @param indent the column of each pair or entry, the first one included.
 */
export function emitBlock(value: ValueMap | readonly Value[], indent: number, style: BlockStyle): string {
  const lines: string[] = [];
  emitEntries(value, " ".repeat(indent), " ".repeat(indent), lines, style);
  return lines.join("");
}

/**
 * Writes the pairs of a mapping, or the entries of a list, each indented with `pad`.
 *
 * @param lead precedes the first pair or entry instead of `pad`.
 */
function emitEntries(
  collection: ValueMap | readonly Value[],
  pad: string,
  lead: string,
  lines: string[],
  style: BlockStyle,
): void {
  const isList = Array.isArray(collection);
  const further = `${pad}${isList ? "  " : style.mapping}`;
  let before = lead;
  for (const key of Object.keys(collection)) {
    const value = (collection as ValueMap)[key] as Value;
    const start = isList ? `${before}-` : `${before}${inlineString(key)}:`;
    before = pad;
    if (typeof value === "string") lines.push(`${start} ${emitText(value, further)}\n`);
    else if (typeof value !== "object" || value === null) lines.push(`${start} ${scalar(value)}\n`);
    else if (Object.keys(value).length === 0) lines.push(`${start} ${Array.isArray(value) ? "[]" : "{}"}\n`);
    else if (isList) {
      // Starts on the line of the dash.
      lines.push(start);
      emitEntries(value, further, " ", lines, style);
    } else {
      lines.push(`${start}\n`);
      const column = Array.isArray(value) ? pad + style.list : further;
      emitEntries(value, column, column, lines, style);
    }
  }
}

function scalar(value: null | boolean | number | bigint): string {
  return typeof value === "number" ? numberText(value) : String(value);
}

/** A string, as block text indented with `pad` if it fits that form, otherwise on one line. */
function emitText(text: string, pad: string): string {
  return blockFits(text) ? block(text, pad) : inlineString(text);
}

// Every writer keeps a block scalar if its lines have no trailing white space, it has no tabs or spaces before its
// first text (which would need an indentation indicator), it has at most one newline at its end, and all characters are
// printable.
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

// A plain scalar starts with a letter or a slash, so that it cannot be a number, date, tag or indicator. It must not be
// one of the words that some reader takes for another type.
const plainText =
  /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf|e[-+]?[0-9_]+)$)[a-z/][a-z0-9_./@+=,-]*(?:[ :][a-z0-9_./@+=,-]+)*$/i;

/** A string on one line: plain if every reader sees a string, otherwise in double quotes. */
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

// Text that needs no escapes in double quotes.
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

// Characters that other writers do not escape: printable characters of the basic plane.
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
const loneSurrogate = /\p{Cs}/gu;

/** A string in double quotes that JSON and YAML read alike. */
export function flowString(text: string): string {
  return JSON.stringify(text.replace(loneSurrogate, "\ufffd")).replace(
    awkward,
    (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A number that readers of YAML 1.1, YAML 1.2 and JSON all read as a number. An exponent needs a point before it,
 * otherwise readers of YAML 1.1 see a string. JSON cannot express `NaN` and the infinities.
 */
function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isNaN(value)) return ".nan";
  if (value === Number.POSITIVE_INFINITY) return ".inf";
  if (value === Number.NEGATIVE_INFINITY) return "-.inf";
  return String(value).replace(/^(-?\d)e/, "$1.0e");
}
