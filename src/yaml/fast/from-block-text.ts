import * as KIND from "../kind.ts";
import { type Nodes, NodeWriter } from "../nodes.ts";
import {
  type BlockText,
  blockScalar,
  brackets,
  COLON,
  closingQuote,
  codesOf,
  DASH,
  DOUBLE_QUOTE,
  GREATER,
  HASH,
  lineBreakAfter,
  maxDepth,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  otherForm,
  PIPE,
  plainEnd,
  SINGLE_QUOTE,
  SPACE,
  skipSpaces,
  writeQuoted,
} from "./block-text-parts.ts";

/**
 * The nodes of a text in the form that kpt, kustomize and Kubernetes tools write: one document of mappings and lists in
 * block style, with scalars on one line or after `|` or `>`, and brackets that end on their line. Most input has this
 * form, and js-yaml takes several times as long for it.
 *
 * This reader accepts only unambiguous text; js-yaml reads the rest. It returns the same nodes as {@link
 * nodesFromEvents} does for js-yaml's events of the same text.
 *
 * @returns undefined for a text in any other form, including invalid text.
 */
export function nodesFromBlockText(text: string): Nodes | undefined {
  if (!text.endsWith("\n") || unusual.test(text)) return undefined;
  try {
    return nodesOf(text);
  } catch (error) {
    if (error === otherForm) return undefined;
    throw error;
  }
}

// Carriage returns, byte order marks, and unprintable characters.
const unusual = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * A rough estimate, for the first size of the table: a node takes one or two rows, and short lines have about this many
 * characters.
 */
const charactersOfRow = 10;

/*
 * One loop over the lines, with a stack of open collections and all state in local variables. A program that runs for a
 * tenth of a second ends before V8 has optimized many small functions.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: see above; a comment explains each part of the loop.
function nodesOf(text: string): Nodes {
  const { length } = text;
  const codes = codesOf(text);
  const nodes = new NodeWriter(Math.ceil(length / charactersOfRow) + 16);
  const source: BlockText = { text, codes, nodes };
  const document = nodes.open(KIND.document, -1);
  // The open collections: their rows, their kinds, and the columns of their keys or dashes.
  const rows = new Int32Array(maxDepth + 1);
  const kinds = new Uint8Array(maxDepth + 1);
  const columns = new Int32Array(maxDepth + 1);
  let depth = 0;
  columns[0] = -1;
  kinds[0] = KIND.document;
  rows[0] = document;
  // The offset after a dash or colon with its node on the lines below, or with an empty node; otherwise -1.
  let mark = 0;
  // Whether the previous line ended with a plain scalar: js-yaml checks whether it continues on the lines below.
  let mayGoOn = false;
  let at = 0;
  for (;;) {
    // Skip to the next line with more than a comment.
    let lineStart = at;
    let commentColumn = -1;
    for (;;) {
      at = skipSpaces(codes, at);
      const code = codes[at];
      if (code === NEWLINE) at++;
      else if (code === HASH) {
        if (commentColumn < 0) commentColumn = at - lineStart;
        at = codes.indexOf(NEWLINE, at) + 1;
      } else break;
      lineStart = at;
    }
    // js-yaml first takes such a comment for the next line of the scalar, and therefore decodes the scalar.
    if (mayGoOn && commentColumn > (columns[depth] as number)) throw otherForm;
    // The end of the text closes every collection, like a line further left.
    const isEnd = at === length;
    if (isEnd && depth === 0) throw otherForm;
    const column = isEnd ? -1 : at - lineStart;
    if (column === 0 && (text.startsWith("---", at) || text.startsWith("...", at))) throw otherForm;

    // Find out what this line contains, and to which collection it belongs.
    let isDash = codes[at] === DASH && isSpace(codes[at + 1]);
    const kind = isDash ? KIND.blockSequence : KIND.blockMapping;
    const owner = columns[depth] as number;
    // A list may have the column of its key.
    const isBelow = column > owner || (column === owner && isDash && kinds[depth] === KIND.blockMapping);
    let opens = mark >= 0 && isBelow;
    if (!opens) {
      if (mark >= 0) nodes.leaf(KIND.plain, -1, -1, mark);
      while ((columns[depth] as number) > column) nodes.close(rows[depth--] as number);
      if (isEnd) break;
      // The next key of a mapping, after a list in the same column.
      if (kinds[depth] !== kind) nodes.close(rows[depth--] as number);
      if (depth < 1 || columns[depth] !== column || kinds[depth] !== kind) throw otherForm;
    } else if (depth === 0 && column > 0) throw otherForm;
    mark = -1;
    mayGoOn = false;

    // Dashes: each opens a list, unless it continues one.
    const isEntry = isDash;
    while (isDash) {
      if (opens) {
        if (++depth > maxDepth) throw otherForm;
        rows[depth] = nodes.open(KIND.blockSequence, at);
        kinds[depth] = KIND.blockSequence;
        columns[depth] = at - lineStart;
      }
      const afterDash = at + 1;
      at = skipSpaces(codes, afterDash);
      const code = codes[at];
      if (code === NEWLINE || code === HASH) mark = afterDash;
      isDash = code === DASH && isSpace(codes[at + 1]);
      opens = true;
    }

    // A key and its value, or an entry.
    for (let isValue = false; mark < 0; isValue = true) {
      const start = at;
      const code = codes[start];
      const isQuoted = code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
      const end = isQuoted ? closingQuote(codes, start) : plainEnd(source, start);
      if (end === 0) {
        if (!isValue && !isEntry) throw otherForm;
        if (code === OPEN_BRACKET || code === OPEN_BRACE) at = brackets(source, start);
        // A block scalar includes its last line break, which the search for the end of the line must find.
        else if (code === PIPE || code === GREATER) at = blockScalar(source, start, columns[depth] as number) - 1;
        else throw otherForm;
        break;
      }
      at = isQuoted ? end + 1 : end;
      const colon = skipSpaces(codes, at);
      const isKey = codes[colon] === COLON;
      if (isKey ? isValue || !isSpace(codes[colon + 1]) : !isValue && !isEntry) throw otherForm;
      if (isKey && (isEntry || opens)) {
        if (++depth > maxDepth) throw otherForm;
        rows[depth] = nodes.open(KIND.blockMapping, start);
        kinds[depth] = KIND.blockMapping;
        columns[depth] = start - lineStart;
      }
      if (isQuoted) writeQuoted(source, start, end);
      else nodes.leaf(KIND.plain, start, end, end);
      if (!isKey) {
        mayGoOn = !isQuoted;
        break;
      }
      const afterColon = colon + 1;
      at = skipSpaces(codes, afterColon);
      const next = codes[at];
      if (next === NEWLINE || next === HASH) mark = afterColon;
    }

    // The end of the line. After a comment, a scalar does not continue on the next line.
    const end = mark >= 0 ? mark : at;
    at = skipSpaces(codes, end);
    if (codes[at] !== NEWLINE) {
      mayGoOn = false;
      at = lineBreakAfter(codes, end);
    }
    at++;
  }
  nodes.close(document);
  return nodes.finish();
}

function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === NEWLINE;
}
