import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DASH,
  DOUBLE_QUOTE,
  HASH,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PIPE,
  PLUS,
  SINGLE_QUOTE,
  SPACE,
  TAB,
} from "./characters.ts";
import { CHOMPING } from "./events.ts";
import * as KIND from "./kind.ts";
import type { NodeWriter } from "./nodes.ts";
import { blockText, quotedText } from "./scalar-text.ts";

/*
 * What a line of block text may hold besides plain scalars, dashes and colons. Each function begins at the offset of the
 * part's first character, and throws {@link otherForm} where the part is not, or might not be, of the form that is read.
 */

/** Thrown where a text is of another form than is read here: js-yaml reads it. */
export const otherForm = new Error("not of the form that is read here");

/** Fewer levels, of either style, than half of what js-yaml takes: whether it refuses a text is for it to say. */
export const deepest = 40;

/** The offset of the first character, from an offset on, that is no space. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}

/** The offset of the line break, with nothing before it but spaces and a comment. */
export function lineBreakAfter(text: string, from: number): number {
  const at = skipSpaces(text, from);
  const code = text.charCodeAt(at);
  if (code === HASH && at > from) return text.indexOf("\n", at);
  if (code !== NEWLINE) throw otherForm;
  return at;
}

// Those of one character (YAML 1.2.2, section 5.7) that js-yaml decodes.
const simpleEscapes = new Set(Array.from('0abtnvfre "/\\N_LP', (one) => one.charCodeAt(0)));

/** The offset of the quote that closes a scalar in quotes, all of it on its line. */
export function closingQuote(text: string, open: number): number {
  const quote = text.charCodeAt(open);
  for (let at = open + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) throw otherForm;
    if (code === quote) {
      if (quote === DOUBLE_QUOTE || text.charCodeAt(at + 1) !== SINGLE_QUOTE) return at;
      at++;
    } else if (code === BACKSLASH && quote === DOUBLE_QUOTE) {
      if (!simpleEscapes.has(text.charCodeAt(++at))) throw otherForm;
    }
  }
}

/** Writes a scalar in quotes, of which both quotes are known. */
export function writeQuoted(text: string, nodes: NodeWriter, open: number, close: number): void {
  const isDouble = text.charCodeAt(open) === DOUBLE_QUOTE;
  const kind = isDouble ? KIND.doubleQuoted : KIND.singleQuoted;
  const start = open + 1;
  const isEncoded = text.slice(start, close).includes(isDouble ? "\\" : "'");
  nodes.leaf(kind, start, close, close + 1, isEncoded ? () => quotedText(text, kind, start, close) : undefined);
}

/**
 * Writes a block scalar (YAML 1.2.2, section 8.1); the offset of the line after it. Where it begins with an empty line, or
 * has no line of text, readers differ, and js-yaml decides.
 *
 * @param column of the key or dash: the text stands further right.
 */
export function blockScalar(text: string, nodes: NodeWriter, indicator: number, column: number): number {
  const sign = text.charCodeAt(indicator + 1);
  const chomping = sign === PLUS ? CHOMPING.KEEP : sign === DASH ? CHOMPING.STRIP : CHOMPING.CLIP;
  const start = lineBreakAfter(text, indicator + (chomping === CHOMPING.CLIP ? 1 : 2)) + 1;
  const first = skipSpaces(text, start);
  const code = text.charCodeAt(first);
  const indent = first - start;
  if (indent <= column || code === NEWLINE || code === TAB) throw otherForm;
  let end = start;
  for (;;) {
    const at = skipSpaces(text, end);
    if (text.charCodeAt(at) !== NEWLINE && at - end < indent) break;
    end = text.indexOf("\n", at) + 1;
  }
  const kind = text.charCodeAt(indicator) === PIPE ? KIND.literal : KIND.folded;
  nodes.leaf(kind, start, end, end, () => blockText(text, { kind, indent, chomping }, start, end));
  return end;
}

/** Writes a list or mapping in brackets, all of it on its line; the offset after its closing bracket. */
export function brackets(text: string, nodes: NodeWriter, open: number, depth = 1): number {
  if (depth > deepest) throw otherForm;
  const isMapping = text.charCodeAt(open) === OPEN_BRACE;
  const closer = isMapping ? CLOSE_BRACE : CLOSE_BRACKET;
  const row = nodes.open(isMapping ? KIND.flowMapping : KIND.flowSequence, open);
  let at = skipSpaces(text, open + 1);
  if (text.charCodeAt(at) !== closer) {
    at = entry(text, nodes, at, isMapping, depth);
    while (text.charCodeAt(at) === COMMA) at = entry(text, nodes, skipSpaces(text, at + 1), isMapping, depth);
    if (text.charCodeAt(at) !== closer) throw otherForm;
  }
  nodes.close(row, at + 1);
  return at + 1;
}

/** Writes an entry of a list or a pair of a mapping; the offset of what comes after it and the spaces behind it. */
function entry(text: string, nodes: NodeWriter, from: number, isPair: boolean, depth: number): number {
  let at = from;
  if (isPair) {
    const isQuoted = isQuote(text.charCodeAt(at));
    at = skipSpaces(text, word(text, nodes, at));
    if (text.charCodeAt(at++) !== COLON) throw otherForm;
    // Behind a plain key, a colon without a space may be one of its characters: `{a :b}`, `{a:"b"}`.
    if (!isQuoted && text.charCodeAt(at) !== SPACE) throw otherForm;
    at = skipSpaces(text, at);
  }
  const code = text.charCodeAt(at);
  const isBracket = code === OPEN_BRACE || code === OPEN_BRACKET;
  return skipSpaces(text, isBracket ? brackets(text, nodes, at, depth + 1) : word(text, nodes, at));
}

// A plain scalar in brackets, in the characters that mean nothing there; a colon that something follows is one of them.
const plainWord = /[A-Za-z0-9_./](?:[A-Za-z0-9_./@+*=-]|:(?=[A-Za-z0-9_./*-])| +(?=[A-Za-z0-9_./]))*/y;

/** Writes a scalar in brackets; the offset after it. */
function word(text: string, nodes: NodeWriter, start: number): number {
  if (isQuote(text.charCodeAt(start))) {
    const close = closingQuote(text, start);
    writeQuoted(text, nodes, start, close);
    return close + 1;
  }
  plainWord.lastIndex = start;
  if (!plainWord.test(text)) throw otherForm;
  const end = plainWord.lastIndex;
  nodes.leaf(KIND.plain, start, end, end);
  return end;
}

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}
