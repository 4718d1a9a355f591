import {
  CHOMPING_MODE as CHOMPING,
  EVENT_ID as EVENT,
  getScalarValue,
  SCALAR_STYLE as SCALAR,
  type ScalarEvent,
} from "js-yaml";
import * as KIND from "../kind.ts";
import type { NodeWriter } from "../nodes.ts";

/*
 * The parts of a line of block text other than dashes and colons. Each function starts at the offset of the part's
 * first character, and throws {@link otherForm} if the part does not certainly have the supported form.
 */

/** A text that is being read. */
export interface BlockText {
  readonly text: string;
  /** The result of {@link codesOf} for the text. */
  readonly codes: Uint8Array;
  /** The nodes that have been read so far. */
  readonly nodes: NodeWriter;
}

/** Thrown if a text does not have the supported form. js-yaml then reads it. */
export const otherForm = new Error("not of the form that is read here");

/**
 * Less than half the depth that js-yaml accepts, for each style, so that js-yaml decides whether a text is too deep.
 */
export const maxDepth = 40;

const beyondLatin1 = /[\u0100-\uffff]/g;

/**
 * The codes of a text's characters, followed by a 0. In V8, reading a number from a table is cheaper than reading a
 * character from a text. Characters beyond Latin-1, which have no meaning here, are all replaced by the last code of
 * Latin-1.
 */
export function codesOf(text: string): Uint8Array {
  const codes = new Uint8Array(text.length + 1);
  Buffer.from(codes.buffer).write(text.replace(beyondLatin1, "\xff"), "latin1");
  return codes;
}

/** The offset of the first character at or after an offset that is not a space. */
export function skipSpaces(codes: Uint8Array, from: number): number {
  let at = from;
  while (codes[at] === SPACE) at++;
  return at;
}

/** The offset of the next line break. Only spaces and a comment may precede it. */
export function lineBreakAfter(codes: Uint8Array, from: number): number {
  const at = skipSpaces(codes, from);
  const code = codes[at];
  if (code === HASH && at > from) return codes.indexOf(NEWLINE, at);
  if (code !== NEWLINE) throw otherForm;
  return at;
}

// A plain scalar does not begin with an indicator (YAML 1.2.2, section 7.3.3); for a dash, the next character decides.
// It continues to the end of the line, a tab, or a colon or hash that ends it. The expression never backtracks, and is
// faster than checking each character.
const plainText = /(?![\t\n #&*!|>'"%@`,[\]{}?:]|-[ \n])(?:[^\n\t:# ]+|:(?![ \n])|#| +(?![#\n ]))+/y;

/** The offset after a plain scalar's last character; 0 if no plain scalar begins here. */
export function plainEnd({ text, codes }: BlockText, start: number): number {
  plainText.lastIndex = start;
  if (!plainText.test(text)) return 0;
  let end = plainText.lastIndex;
  // Spaces may precede a colon.
  while (codes[end - 1] === SPACE) end--;
  return end;
}

// The escapes of a single character (YAML 1.2.2, section 5.7) that js-yaml decodes.
const simpleEscapes = new Set(Array.from('0abtnvfre "/\\N_LP', (text) => text.charCodeAt(0)));

/** The offset of the closing quote of a quoted scalar that ends on its line. */
export function closingQuote(codes: Uint8Array, open: number): number {
  const quote = codes[open];
  for (let at = open + 1; ; at++) {
    const code = codes[at];
    if (code === NEWLINE) throw otherForm;
    if (code === quote) {
      if (quote === DOUBLE_QUOTE || codes[at + 1] !== SINGLE_QUOTE) return at;
      at++;
    } else if (code === BACKSLASH && quote === DOUBLE_QUOTE) {
      if (!simpleEscapes.has(codes[++at] as number)) throw otherForm;
    }
  }
}

/** Writes a quoted scalar, given the offsets of its quotes. */
export function writeQuoted({ text, codes, nodes }: BlockText, open: number, close: number): void {
  const isDouble = codes[open] === DOUBLE_QUOTE;
  const kind = isDouble ? KIND.doubleQuoted : KIND.singleQuoted;
  const start = open + 1;
  const isEncoded = text.slice(start, close).includes(isDouble ? "\\" : "'");
  nodes.leaf(kind, start, close, close + 1, isEncoded ? () => quotedText(text, kind, start, close) : undefined);
}

/**
 * Writes a block scalar (YAML 1.2.2, section 8.1), and returns the offset of the line after it. If it begins with an
 * empty line, or has no line of text, readers differ, so js-yaml decides.
 *
 * @param column the column of the key or dash. The text is indented further.
 */
export function blockScalar({ text, codes, nodes }: BlockText, indicator: number, column: number): number {
  const sign = codes[indicator + 1];
  const chomping = sign === PLUS ? CHOMPING.KEEP : sign === DASH ? CHOMPING.STRIP : CHOMPING.CLIP;
  const start = lineBreakAfter(codes, indicator + (chomping === CHOMPING.CLIP ? 1 : 2)) + 1;
  const first = skipSpaces(codes, start);
  const code = codes[first];
  const indent = first - start;
  if (indent <= column || code === NEWLINE || code === TAB) throw otherForm;
  let end = start;
  for (;;) {
    const at = skipSpaces(codes, end);
    if (codes[at] !== NEWLINE && at - end < indent) break;
    end = codes.indexOf(NEWLINE, at) + 1;
  }
  const kind = codes[indicator] === PIPE ? KIND.literal : KIND.folded;
  nodes.leaf(kind, start, end, end, () => blockText(text, { kind, indent, chomping }, start, end));
  return end;
}

/** Writes a list or mapping in brackets that ends on its line, and returns the offset after its closing bracket. */
export function brackets(source: BlockText, open: number, depth = 1): number {
  const { codes, nodes } = source;
  if (depth > maxDepth) throw otherForm;
  const isMapping = codes[open] === OPEN_BRACE;
  const closer = isMapping ? CLOSE_BRACE : CLOSE_BRACKET;
  const row = nodes.open(isMapping ? KIND.flowMapping : KIND.flowSequence, open);
  let at = skipSpaces(codes, open + 1);
  if (codes[at] !== closer) {
    at = entry(source, at, isMapping, depth);
    while (codes[at] === COMMA) at = entry(source, skipSpaces(codes, at + 1), isMapping, depth);
    if (codes[at] !== closer) throw otherForm;
  }
  nodes.close(row, at + 1);
  return at + 1;
}

/** Writes an entry of a list or a pair of a mapping, and returns the offset after it and the spaces that follow. */
function entry(source: BlockText, from: number, isPair: boolean, depth: number): number {
  const { codes } = source;
  let at = from;
  if (isPair) {
    const isQuoted = isQuote(codes[at]);
    at = skipSpaces(codes, word(source, at));
    if (codes[at++] !== COLON) throw otherForm;
    // After a plain key, a colon without a space may belong to the key: `{a :b}`, `{a:"b"}`.
    if (!isQuoted && codes[at] !== SPACE) throw otherForm;
    at = skipSpaces(codes, at);
  }
  const code = codes[at];
  const isBracket = code === OPEN_BRACE || code === OPEN_BRACKET;
  return skipSpaces(codes, isBracket ? brackets(source, at, depth + 1) : word(source, at));
}

// A plain scalar in brackets, limited to characters without a meaning there, including a colon that is not followed by
// a space.
const plainWord = /[A-Za-z0-9_./](?:[A-Za-z0-9_./@+*=-]|:(?=[A-Za-z0-9_./*-])| +(?=[A-Za-z0-9_./]))*/y;

/** Writes a scalar in brackets, and returns the offset after it. */
function word(source: BlockText, start: number): number {
  const { text, codes, nodes } = source;
  if (isQuote(codes[start])) {
    const close = closingQuote(codes, start);
    writeQuoted(source, start, close);
    return close + 1;
  }
  plainWord.lastIndex = start;
  if (!plainWord.test(text)) throw otherForm;
  const end = plainWord.lastIndex;
  nodes.leaf(KIND.plain, start, end, end);
  return end;
}

function isQuote(code: number | undefined): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

/* Codes of the characters with a meaning in YAML. */
export const TAB = 0x09;
export const NEWLINE = 0x0a;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const SINGLE_QUOTE = 0x27;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const GREATER = 0x3e;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const PIPE = 0x7c;
export const CLOSE_BRACE = 0x7d;

/*
 * The values of scalars that `from-block-text.ts` has read. Public keys and requests contain simple ones, which are
 * decoded here. js-yaml decodes the others.
 */

/** The value of a quoted scalar, given the offsets of its first character and its closing quote. */
function quotedText(text: string, kind: number, start: number, end: number): string {
  if (kind === KIND.singleQuoted) return text.slice(start, end).replaceAll("''", "'");
  return getScalarValue(text, {
    ...scalarEvent,
    style: SCALAR.DOUBLE_QUOTED,
    valueStart: start,
    valueEnd: end,
  });
}

/** The form of a block scalar: its style, its indentation, and how its header treats line breaks at its end. */
export interface BlockForm {
  readonly kind: number;
  readonly indent: number;
  readonly chomping: ScalarEvent["chomping"];
}

/**
 * The value of a block scalar, given the start of its first line, which is not empty, and the start of the line after
 * it (YAML 1.2.2, sections 8.1.1.2 and 8.1.2).
 */
export function blockText(text: string, { kind, indent, chomping }: BlockForm, start: number, end: number): string {
  if (kind !== KIND.literal) {
    const event = { ...scalarEvent, style: SCALAR.FOLDED_BLOCK, valueStart: start, valueEnd: end, indent, chomping };
    return getScalarValue(text, event);
  }
  const lines = text.slice(start, end - 1).split("\n");
  const kept = lines.map((line) => line.slice(indent)).join("\n");
  if (chomping === CHOMPING.KEEP) return `${kept}\n`;
  const last = kept.replace(/\n+$/, "");
  return chomping === CHOMPING.STRIP ? last : `${last}\n`;
}

const scalarEvent: ScalarEvent = {
  type: EVENT.SCALAR,
  style: SCALAR.PLAIN,
  chomping: CHOMPING.CLIP,
  valueStart: -1,
  valueEnd: -1,
  anchorStart: -1,
  anchorEnd: -1,
  tagStart: -1,
  tagEnd: -1,
  indent: -1,
  fast: false,
};
