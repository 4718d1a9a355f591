import { endOfLine, endsLine } from "./lines.ts";
import type { Source } from "./source.ts";

/**
 * A document with what belongs to it. The parts of all documents, in their order, are the whole text but for what may
 * stand behind the last one's end mark.
 *
 * What stands inside a document the parser says. Between two of them there are only white space, comments, byte order
 * marks, directives and the marks `---` and `...`, each of these at the start of its line: what has another character there
 * is not cut at all.
 */
export interface DocumentPart {
  /** The node of its content. */
  readonly node: number;
  /** Behind the part before: its comments, its directives, and what stands for nothing. */
  readonly start: number;
  /** The start of the line of its first directive or of its mark `---`; where it has neither, `body`. */
  readonly head: number;
  /** Behind its mark `---`; without one, the start of the first line of its content. */
  readonly body: number;
  /** Behind its content and the comments after that: its mark `...`, or `stop`. */
  readonly end: number;
  /** Where the next part starts. */
  readonly stop: number;
}

/** The parts of a text, in their order; also those of documents that are empty. */
export function documentParts(source: Source): DocumentPart[] {
  const { readable, next, stop: stops, starts, length } = source;
  const parts: DocumentPart[] = [];
  let start = 0;
  for (let row = 0; row < length; row = next[row] as number) {
    const node = row + 1;
    const { head, body } = beginning(readable, start);
    // What is not written ends where its mark `---` does, whatever stands there.
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
  // Behind a byte order mark a document may begin with its directives.
  const stop = byteOrderMark.at ?? (text[at] === "%" ? undefined : line);
  if (!isNext || stop === undefined) throw unknownForm(at);
  return { end: stop, stop };
}

/**
 * The offset of the first character that is neither white space nor in a comment.
 * @param seen takes the offset of the first byte order mark that starts a line.
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

/** The start of the line in which a mark or directive may stand at an offset: a byte order mark may stand before it. */
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
  return new Error(`the documents cannot be told apart at offset ${at}`);
}
