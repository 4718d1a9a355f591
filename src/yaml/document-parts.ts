import { endOfLine, endsLine } from "./lines.ts";
import type { Source } from "./source.ts";

/**
 * A document with the text that belongs to it. The parts of all documents, in order, make up the whole text, except for
 * text after the end mark of the last document.
 *
 * The parser decides what is inside a document. Between two documents there may only be white space, comments, byte
 * order marks, directives, and the marks `---` and `...`, with marks and directives at the start of a line. A text with
 * anything else there is not split.
 */
export interface DocumentPart {
  /** The node of its content. */
  readonly node: number;
  /** The end of the previous part; comments and directives of this document follow. */
  readonly start: number;
  /** The start of the line of its first directive or of its mark `---`; `body` if it has neither. */
  readonly head: number;
  /** The offset after its mark `---`; without a mark, the start of the first line of its content. */
  readonly body: number;
  /** The offset after its content and the comments that follow: that of its mark `...`, or `stop`. */
  readonly end: number;
  /** Where the next part starts. */
  readonly stop: number;
}

/** The parts of a text in order, including those of empty documents. */
export function documentParts(source: Source): DocumentPart[] {
  const { readable, next, stop: stops, starts, length } = source;
  const parts: DocumentPart[] = [];
  let start = 0;
  for (let row = 0; row < length; row = next[row] as number) {
    const node = row + 1;
    const { head, body } = beginning(readable, start);
    // An empty document ends right after its mark `---`.
    const isWritten = starts[node] !== -1 || source.properties.has(node);
    const { end, stop } = ending(readable, isWritten ? Math.max(body, stops[node] as number) : body);
    parts.push({ node, start, head, body, end, stop });
    start = stop;
  }
  return parts;
}

function beginning(text: string, from: number): { head: number; body: number } {
  let head: number | undefined;
  let at = from;
  for (;;) {
    at = skipGap(text, at);
    const line = startOfMark(text, at);
    if (line === undefined || !(isMark(text, at, "---") || isMark(text, at, "...") || text[at] === "%")) {
      if (head !== undefined) throw unknownForm(at);
      const body = startOfContent(text, at);
      return { head: body, body };
    }
    if (isMark(text, at, "---")) return { head: head ?? line, body: at + 3 };
    if (text[at] === "%") head ??= line;
    at = afterLine(text, at);
  }
}

function ending(text: string, from: number): { end: number; stop: number } {
  const byteOrderMark = { at: undefined as number | undefined };
  const at = skipGap(text, from, byteOrderMark);
  if (at === text.length) return { end: at, stop: at };
  const line = startOfMark(text, at);
  if (line !== undefined && isMark(text, at, "...")) return { end: line, stop: afterLine(text, at) };
  const isNext = line !== undefined && (isMark(text, at, "---") || text[at] === "%");
  // After a byte order mark, a document may begin with directives.
  const stop = byteOrderMark.at ?? (text[at] === "%" ? undefined : line);
  if (!isNext || stop === undefined) throw unknownForm(at);
  return { end: stop, stop };
}

/**
 * The offset of the first character that is neither white space nor in a comment.
 * @param seen receives the offset of the first byte order mark that starts a line.
 */
function skipGap(text: string, from: number, seen: { at: number | undefined } = { at: undefined }): number {
  let at = from;
  for (;;) {
    const character = text[at];
    if (character === "#") at = endOfLine(text, at);
    else if (character === "\ufeff" && (at === 0 || endsLine(text, at))) {
      seen.at ??= at;
      at++;
    } else if (character === " " || character === "\t" || character === "\n" || character === "\r") at++;
    else return at;
  }
}

/**
 * The start of the line, if an offset can be that of a mark or directive: only a byte order mark may precede it in its
 * line.
 */
function startOfMark(text: string, at: number): number | undefined {
  const line = text[at - 1] === "\ufeff" ? at - 1 : at;
  return line === 0 || endsLine(text, line) ? line : undefined;
}

function startOfContent(text: string, at: number): number {
  let line = at;
  while (text[line - 1] === " " || text[line - 1] === "\t") line--;
  return line;
}

function isMark(text: string, at: number, mark: "---" | "..."): boolean {
  return text.startsWith(mark, at) && /^[ \t\r\n]?$/.test(text.charAt(at + 3));
}

function afterLine(text: string, at: number): number {
  return Math.min(endOfLine(text, at) + 1, text.length);
}

function unknownForm(at: number): Error {
  return new Error(`cannot tell where a document begins at offset ${at}`);
}
