import * as KIND from "../kind.ts";
import { type Nodes, NodeWriter } from "../nodes.ts";
import {
  type BlockText,
  blockScalar,
  brackets,
  closingQuote,
  codesOf,
  lineBreakAfter,
  maxDepth,
  otherForm,
  plainEnd,
  skipSpaces,
  writeQuoted,
} from "./block-text-parts.ts";
import {
  COLON,
  DASH,
  DOUBLE_QUOTE,
  GREATER,
  HASH,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PIPE,
  SINGLE_QUOTE,
  SPACE,
} from "./characters.ts";

/**
 * The nodes of a text that is written as kpt, kustomize and the tools of Kubernetes write: one document of mappings and
 * lists in block style, with scalars that stand on one line or after `|` or `>`, and brackets that end on their line. It
 * is most of what a function is given, and js-yaml needs several times as long for it.
 *
 * This reader decides nothing that could be decided otherwise: whatever is not wholly of that form, or might not be, it
 * leaves to js-yaml. What it returns is what {@link nodesFromEvents} makes of js-yaml's events for the same text.
 *
 * @returns undefined for a text of any other form, or of none.
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

// Carriage returns, byte order marks, and what is not printed.
const unusual = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** A node has a row for itself, or two; the shortest line of a list, with its line break, has about as many characters. */
const charactersOfRow = 10;

/*
 * One loop over the lines, with the collections that are open on a stack, and all that it knows in variables of its own: a
 * program that runs for a tenth of a second spends it before V8 has made anything of many small functions.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: see above; a comment says what each part of the loop does.
function nodesOf(text: string): Nodes {
  const { length } = text;
  const codes = codesOf(text);
  const nodes = new NodeWriter(Math.ceil(length / charactersOfRow) + 16);
  const source: BlockText = { text, codes, nodes };
  const document = nodes.open(KIND.document, -1);
  // The collections that are open: their rows, their kinds, and the columns in which their keys or dashes stand.
  const rows = new Int32Array(maxDepth + 1);
  const kinds = new Uint8Array(maxDepth + 1);
  const columns = new Int32Array(maxDepth + 1);
  let depth = 0;
  columns[0] = -1;
  kinds[0] = KIND.document;
  rows[0] = document;
  // The offset after a dash or colon whose node is to come on the lines below, or is not written; -1 where none is.
  let mark = 0;
  // Whether a plain scalar ended the line before: js-yaml looks on the lines below whether it goes on there.
  let mayGoOn = false;
  let at = 0;
  for (;;) {
    // To the next line with more than a comment.
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
    // js-yaml takes such a comment for the scalar's next line, until it sees what it is, and decodes the scalar.
    if (mayGoOn && commentColumn > (columns[depth] as number)) throw otherForm;
    // The end of the text ends everything, as a line further left would.
    const isEnd = at === length;
    if (isEnd && depth === 0) throw otherForm;
    const column = isEnd ? -1 : at - lineStart;
    if (column === 0 && (text.startsWith("---", at) || text.startsWith("...", at))) throw otherForm;

    // What is written here, and in which collection.
    let isDash = codes[at] === DASH && isSpace(codes[at + 1]);
    const kind = isDash ? KIND.blockSequence : KIND.blockMapping;
    const owner = columns[depth] as number;
    // A list may stand in the column of its key.
    const isBelow = column > owner || (column === owner && isDash && kinds[depth] === KIND.blockMapping);
    let opens = mark >= 0 && isBelow;
    if (!opens) {
      if (mark >= 0) nodes.leaf(KIND.plain, -1, -1, mark);
      while ((columns[depth] as number) > column) nodes.close(rows[depth--] as number);
      if (isEnd) break;
      // The key of a mapping in the column of whose keys a list stands.
      if (kinds[depth] !== kind) nodes.close(rows[depth--] as number);
      if (depth < 1 || columns[depth] !== column || kinds[depth] !== kind) throw otherForm;
    } else if (depth === 0 && column > 0) throw otherForm;
    mark = -1;
    mayGoOn = false;

    // Dashes: each opens a list, but for one that goes on with it.
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
        // A block scalar holds its last line break, from which the end of the line is looked for.
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

    // The end of the line. With a comment there, a scalar does not go on below.
    const end = mark >= 0 ? mark : at;
    at = skipSpaces(codes, end);
    if (codes[at] !== NEWLINE) {
      mayGoOn = false;
      at = lineBreakAfter(codes, end);
    }
    at++;
  }
  nodes.close(document);
  return nodes;
}

function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === NEWLINE;
}
