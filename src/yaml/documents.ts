import { endOfLine, endsLine } from "../core/text.ts";
import { applyEdits, type Edit, lineAfter, preservedChomping } from "./edit.ts";
import {
  directivesOf,
  isEmpty,
  isProblem,
  parseAround,
  parseSource,
  type Source,
  type SyntaxProblem,
  type Unit,
} from "./source.ts";

/**
 * Parses a text with more than one document. If the parser rejects a document, only that document is `unread` in the
 * result.
 */
export function parseDocuments(text: string): Source | SyntaxProblem {
  const source = parseSource(text);
  return isProblem(source) ? (parseAround(text, unitsOf(text)) ?? source) : source;
}

/**
 * The documents of a text that cannot be parsed, found by their marks. A line that begins with a mark is never inside a
 * document, not even inside an open scalar (YAML 1.2.2, rule 206, `c-forbidden`).
 */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let start = 0;
  let value: number | undefined;
  const end = (stop: number) => {
    if (value !== undefined && value < stop) units.push({ start, stop, value });
    start = stop;
    value = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const next = Math.min(endOfLine(text, at) + 1, text.length);
    const line = text.slice(at, next);
    const [, mark] = /^\ufeff?(---|\.\.\.)(?:[ \t\r\n]|$)/.exec(line) ?? [];
    if (mark === "---") {
      if (value !== undefined) end(at);
      value = firstOf(text, at + line.indexOf("---") + 3);
    } else if (mark === "...") {
      end(at);
      start = next;
    } else if (value === undefined && !/^\ufeff?(?:%|[ \t]*(?:#|$))/.test(line.trimEnd())) value = firstOf(text, at);
    at = next;
  }
  end(text.length);
  return units;
}

// The offset of the first character that is neither white space nor in a comment.
function firstOf(text: string, from: number): number {
  const blank = /(?:[ \t\ufeff]*(?:#[^\r\n]*)?(?:\r\n?|\n))*[ \t\ufeff]*/y;
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex;
}

/**
 * A document with the text that belongs to it. The parts of all documents, in order, make up the whole text, except for
 * text after the end mark of the last document.
 *
 * The parser decides what is inside a document. Between two documents there may only be white space, comments, byte
 * order marks, directives, and the marks `---` and `...`, with marks and directives at the start of a line. A text with
 * anything else there is not split.
 */
interface DocumentPart {
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
  if (!isNext) throw unknownForm(at);
  // Directives can only follow a byte order mark here, or the parser would have refused the text.
  const stop = byteOrderMark.at ?? line;
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

/**
 * A document for a stream of documents, from its mark `---` to the end of a line, with its comments.
 *
 * It has no directives: kubectl, kustomize and Argo CD split streams at each `---` before they parse, and refuse text
 * before a mark. The only directive that affects values is `%TAG`, so tags that need it are written in full.
 */
export function documentText(source: Source, part: DocumentPart): string {
  const { text } = source;
  const start = contentStart(source, part);
  const stop = contentStop(source, part);
  const edits: Edit[] = tagEdits(source, part);
  const lacksLineBreak = !endsLine(text, stop);
  // Only at the end of the text can a line break be missing.
  const chomping = lacksLineBreak && stop === text.length ? preservedChomping(source) : undefined;
  if (chomping !== undefined) edits.push(chomping);
  const inside = edits.map((edit) => ({ ...edit, start: edit.start - start, stop: edit.stop - start }));
  return `---\n${leadingComments(source, part)}${applyEdits(text.slice(start, stop), inside)}${lacksLineBreak ? "\n" : ""}`;
}

const blankBehindMark = /[ \t]*(?:(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))*)?/y;

// Content on the line of the mark gets its own line.
function contentStart({ readable }: Source, { head, body }: DocumentPart): number {
  if (head === body) return body;
  blankBehindMark.lastIndex = body;
  blankBehindMark.test(readable);
  return blankBehindMark.lastIndex;
}

function contentStop(source: Source, { body, end, node }: DocumentPart): number {
  const { readable, stop } = source;
  const nodeStop = Math.max(body, stop[node] as number);
  const behind = readable.slice(nodeStop, end).trimEnd();
  if (behind === "") return Math.min(lineAfter(source, node), end);
  return Math.min(endOfLine(readable, nodeStop + behind.length) + 1, end);
}

// Between the previous document and its mark, a document may have comments. Other lines there are marks and directives.
function leadingComments({ readable }: Source, { start, body }: DocumentPart): string {
  const lines = readable.slice(start, body).split(/\r\n?|\n/);
  return lines
    .map((line) => /^\ufeff?[ \t]*(#.*)$/.exec(line)?.[1])
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join("");
}

function tagEdits(source: Source, { node }: DocumentPart): Edit[] {
  // Reading directives requires parsing with js-yaml.
  if (!source.readable.includes("%TAG")) return [];
  const prefixes = new Map<string, string>();
  for (const directive of directivesOf(source, node)) {
    if (directive.kind === "tag") prefixes.set(directive.handle, directive.prefix);
  }
  const edits: Edit[] = [];
  for (let row = node; row < (source.next[node] as number); row++) {
    const written = source.properties.get(row);
    if (written === undefined) continue;
    const { tagStart: start, tagEnd: stop } = written;
    const [, handle = "", suffix] = /^(!(?:[0-9A-Za-z-]*!)?)([^<].*)/s.exec(source.text.slice(start, stop)) ?? [];
    const prefix = prefixes.get(handle);
    if (prefix !== undefined) edits.push({ start, stop, text: `!<${prefix}${suffix}>` });
  }
  return edits;
}

/**
 * The edits that remove documents from a text, each with its marks, its directives and the comments after it. Undefined
 * if only empty documents would remain.
 *
 * Text before the first document, up to its mark `---`, belongs to the file and is kept. An end mark is kept if the
 * remaining document before it has none and the text after it does not start with a mark.
 *
 * @param removed the nodes of the documents.
 */
export function removeDocuments(source: Source, removed: ReadonlySet<number>): Edit[] | undefined {
  const parts = documentParts(source);
  const isRemoved = ({ node }: DocumentPart) => removed.has(node);
  if (parts.every((part) => isRemoved(part) || isEmpty(source, part.node))) return undefined;
  const edits: Edit[] = [];
  for (let index = 0; index < parts.length; index++) {
    const first = parts[index] as DocumentPart;
    if (!isRemoved(first)) continue;
    const before = parts[index - 1];
    while (index + 1 < parts.length && isRemoved(parts[index + 1] as DocumentPart)) index++;
    const last = parts[index] as DocumentPart;
    edits.push(
      before === undefined ? fromTheStart(source, first, last) : between(source, before, first, last, parts[index + 1]),
    );
  }
  return edits;
}

function fromTheStart({ readable }: Source, first: DocumentPart, last: DocumentPart): Edit {
  const hasByteOrderMark = readable.startsWith("\ufeff");
  const hasComment = first.head !== first.body && readable.slice(0, first.head).includes("#");
  const start = hasComment ? first.head : hasByteOrderMark ? 1 : 0;
  // One byte order mark is enough, and there must be none after a comment.
  const isRepeated = start > 0 && readable[last.stop] === "\ufeff";
  return { start, stop: last.stop + (isRepeated ? 1 : 0), text: "" };
}

function between(
  { readable }: Source,
  before: DocumentPart,
  first: DocumentPart,
  last: DocumentPart,
  next: DocumentPart | undefined,
): Edit {
  const isEnded = before.end < before.stop;
  const beginsItself = next === undefined ? last.stop === readable.length : startsWithMark(next);
  const stop = isEnded || beginsItself ? last.stop : last.end;
  return { start: first.start, stop, text: "" };
}

function startsWithMark({ start, head, body }: DocumentPart): boolean {
  return start === head && body === head + 3;
}
