import fc from "fast-check";

/**
 * A document of JSON that knows how it is written: a text and which of its ways, a word that stands for itself (a
 * number, `true`), a list, or an object with its keys in order.
 */
export type Json =
  | { readonly string: string; readonly style: number }
  | { readonly plain: string }
  | { readonly list: readonly Json[] }
  | { readonly object: readonly (readonly [key: string, value: Json])[] };

const odd = [
  "/",
  "\\",
  '"',
  "\n",
  "\t",
  "\u0000",
  "\u001b",
  "\u007f",
  "\u009b",
  "é",
  "\u2028",
  "😀",
  "\ud83d",
  "\udc00",
];
const character = fc.oneof(
  fc.constantFrom(...odd, "=", ".", " ", "u", "n"),
  fc.string({ unit: "binary", maxLength: 1 }),
);
const text = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(""));
const plain = fc.oneof(
  fc.constantFrom("true", "false", "null", "0", "-0", "1e400", "123456789012345678901234567890", "-1.50E-7", "0.1"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);
const string = fc.record({ string: text, style: fc.nat(3) });

export const json = fc.letrec<{ json: Json; parts: Json }>((tie) => ({
  parts: fc.oneof(
    fc.array(tie("json"), { maxLength: 4 }).map((list) => ({ list })),
    fc
      .uniqueArray(fc.tuple(text, tie("json")), { maxLength: 4, selector: ([key]) => key })
      .map((object) => ({ object })),
  ),
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    string,
    plain.map((word) => ({ plain: word })),
    tie("parts"),
  ),
})).parts;

/** White space that may appear between any two tokens. */
export const space = fc.constantFrom("", " ", "\n", "\r\n  ", "\t", " \n\n ");

/** The document as a text, with this white space everywhere. */
export function written(document: Json, between: string): string {
  if ("plain" in document) return document.plain;
  if ("string" in document) return styled(document.string, document.style);
  if ("list" in document) {
    return `[${between}${document.list.map((json) => written(json, between)).join(`${between},${between}`)}${between}]`;
  }
  const parts = document.object.map(
    ([key, value], index) => `${styled(key, index % 4)}${between}:${between}${written(value, between)}`,
  );
  return `{${between}${parts.join(`${between},${between}`)}${between}}`;
}

function styled(value: string, style: number): string {
  const usual = JSON.stringify(value);
  if (style === 0) return usual;
  if (style === 1) return usual.replaceAll("/", "\\/");
  const escaped = Array.from({ length: value.length }, (_, index) => {
    const digits = value.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${style === 2 ? digits : digits.toUpperCase()}`;
  });
  return `"${escaped.join("")}"`;
}

/** A text as json.awk prints it: as JSON writes it, without quotes. */
export function bare(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** The document as json.awk prints JSON. */
export function printed(document: Json): string {
  if ("plain" in document) return document.plain;
  if ("string" in document) return `"${bare(document.string)}"`;
  if ("list" in document) return `[${document.list.map(printed).join(", ")}]`;
  return `{${document.object.map(([key, value]) => `"${bare(key)}": ${printed(value)}`).join(", ")}}`;
}
