import { endOfLine, endsLine, startOfLine } from "../core/text.ts";
import type { BlockStyle } from "./emit.ts";
import {
  isBlock,
  isBlockScalar,
  isMapping,
  isProblem,
  isScalar,
  isSequence,
  type Pair,
  pairOf,
  pairsOf,
  parseSource,
  type Source,
  scalarText,
  startOf,
} from "./source.ts";

/** A replacement of a piece of text; an insertion if start and stop are equal. */
export interface Edit extends Replacement {
  /** The line break to add if the line before the edit is not ended yet. */
  readonly ownLine?: "\r\n" | "\n";
  /**
   * Keeps the value before the edit unchanged when its line is ended. Not needed if that value is replaced or removed.
   */
  readonly keep?: Replacement;
}

/** A text with edits applied. Edits must not overlap. Insertions at the same offset keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const keep = edits.find((edit) => edit.keep !== undefined)?.keep;
  const isNeeded = keep !== undefined && !edits.some(({ start, stop }) => start <= keep.start && keep.start < stop);
  const ordered: Edit[] = [...edits, ...(isNeeded ? [keep] : [])].sort((a, b) => a.start - b.start || a.stop - b.stop);
  const pieces: string[] = [];
  let cursor = 0;
  let last = "";
  const push = (piece: string) => {
    if (piece !== "") last = piece;
    pieces.push(piece);
  };
  for (const edit of ordered) {
    if (edit.start < cursor) throw new RangeError("edits overlap");
    push(text.slice(cursor, edit.start));
    if (edit.ownLine !== undefined && !/(^\ufeff?|[\r\n])$/.test(last.slice(-1))) push(edit.ownLine);
    push(edit.text);
    cursor = edit.stop;
  }
  pieces.push(text.slice(cursor));
  return pieces.join("");
}

/** The offset of the line after a node, at which a new line can be inserted. */
export function lineAfter({ text, stop }: Source, node: number): number {
  const end = stop[node] as number;
  return endsLine(text, end) ? end : Math.min(endOfLine(text, end) + 1, text.length);
}

/**
 * The offset after a node's last line and after the lines that follow it and could become text of a block scalar if one
 * were before them: empty lines, and comments further to the right than `column`.
 */
export function blockAfter({ text }: Source, from: number, column: number): number {
  let offset = from;
  while (offset < text.length) {
    const end = endOfLine(text, offset);
    const [, indent, first] = /^( *)[ \t]*([^ \t\r]?)/.exec(text.slice(offset, end)) as RegExpExecArray;
    if (first !== "" && (first !== "#" || (indent as string).length <= column)) return offset;
    offset = Math.min(end + 1, text.length);
  }
  return offset;
}

/**
 * Inserts whole lines at the start of a line. If the text ends without a line break, the previous line is ended first.
 */
export function insertLines(source: Source, offset: number, lines: string): Edit {
  const { text } = source;
  const ownLine = lineBreak(source);
  const keep = offset === text.length && !endsLine(text, offset) ? preservedChomping(source) : undefined;
  return { start: offset, stop: offset, text: lines, ownLine, ...(keep === undefined ? {} : { keep }) };
}

/**
 * The column of an offset in its line. A byte order mark, which may precede any document, does not take up a column.
 */
export function columnOf(source: Source, offset: number): number {
  const start = startOfLine(source.text, offset);
  return offset - start - (source.text[start] === "\ufeff" && offset > start ? 1 : 0);
}

/** The line break that a text uses. */
export function lineBreak(source: Source): "\r\n" | "\n" {
  const first = source.text.indexOf("\n");
  return source.text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** The edit that removes the lines of a node, with comments on them. */
export function removedLines({ text }: Source, start: number, stop: number): Edit {
  return { start: startOfLine(text, start), stop: Math.min(endOfLine(text, stop) + 1, text.length), text: "" };
}

/** The offset of the first key or dash of a collection, or of the question mark before the key. */
export function startOfBlock(source: Source, collection: number): number {
  return source.starts[collection] as number;
}

/** How an object is indented: as the nearest mapping on a path, and the first list of the object. */
export function styleOf(
  { source, node }: { readonly source: Source; readonly node: number },
  path: readonly string[],
): BlockStyle {
  let mapping = "  ";
  for (let at = node, index = 0; index < path.length && isMapping(source, at); index++) {
    const known = pairOf(source, at, path[index] as string);
    const pair = known ?? pairsOf(source, at).find(({ value }) => isMapping(source, value) && isBlock(source, value));
    if (pair === undefined) break;
    const further = isMapping(source, pair.value) ? indentation(source, pair) : undefined;
    if (further !== undefined && further > 0) mapping = " ".repeat(further);
    if (known === undefined) break;
    at = pair.value;
  }
  return { mapping, list: " ".repeat(listIndentation(source, node) ?? 0) };
}

function indentation(source: Source, { key, value }: Pair): number | undefined {
  if (!isBlock(source, value)) return undefined;
  return columnOf(source, startOfBlock(source, value)) - columnOf(source, startOf(source, key));
}

function listIndentation(source: Source, node: number): number | undefined {
  if (!isMapping(source, node)) return undefined;
  for (const pair of pairsOf(source, node)) {
    const found = isSequence(source, pair.value) ? indentation(source, pair) : listIndentation(source, pair.value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A piece of text that replaces another. */
interface Replacement {
  readonly start: number;
  readonly stop: number;
  readonly text: string;
}

/**
 * The replacement that keeps the last value unchanged when a line break is added to a text without one at its end. In
 * libyaml and its ports in Go and Python, and so in kpt and Kubernetes, the value of a block scalar that ends there has
 * no line break at its end, and would get one. To prevent that, its header needs a "-" (YAML 1.2.2, section 8.1.1.2).
 * js-yaml always adds the line break, so it cannot show the difference.
 */
export function preservedChomping(source: Source): Replacement | undefined {
  const { text } = source;
  const node = lastScalar(source);
  if (node === undefined || !isBlockScalar(source, node)) return undefined;
  const header = /[|>][-+0-9]*/g;
  header.lastIndex = startOf(source, node);
  const found = header.exec(text)?.[0] ?? "";
  const stop = header.lastIndex;
  const lastLine = startOfLine(text, text.length);
  if (lastLine < stop || found.includes("-")) return undefined;
  const value = scalarText(source, node) as string;
  // Readers differ about white space without a line of text before it. Here, it is not part of the value.
  if (!/^\n*$/.test(value) && lastValue(text.slice(0, lastLine)) !== value)
    return { start: stop - found.length, stop, text: `${found.replace("+", "")}-` };
  // A last line of white space is not content. If it were kept and ended, it would add a line break.
  return found.includes("+") ? { start: lastLine, stop: text.length, text: "" } : undefined;
}

function lastScalar(source: Source): number | undefined {
  for (let node = source.length - 1; node >= 0; node--) if (isScalar(source, node)) return node;
  return undefined;
}

function lastValue(text: string): string | undefined {
  const source = parseSource(text);
  const node = isProblem(source) ? undefined : lastScalar(source);
  return isProblem(source) || node === undefined ? undefined : scalarText(source, node);
}
