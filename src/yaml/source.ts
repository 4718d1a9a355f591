import { type DocumentEvent, EVENT_ID as EVENT, type Event, parseEvents, YAMLException } from "js-yaml";
import { endOfLine, leftoverIn, startOfLine } from "../core/text.ts";
import { nodesFromEvents } from "./from-events.ts";
import * as KIND from "./kind.ts";
import { ENCODED, kindOf, type Nodes } from "./nodes.ts";

export { isAlias, isBlock, isBlockScalar, isMapping, isScalar, isSequence, kindOf } from "./nodes.ts";

/**
 * A parsed text. Every node records where its text starts and stops, so that unchanged text can be written verbatim.
 */
export interface Source extends Nodes {
  readonly text: string;
  /** The text that was parsed: `text`, with each part that is {@link unread} replaced by as many other characters. */
  readonly readable: string;
  /** The parts that could not be read and were skipped, by the node that replaces them. */
  readonly unread: ReadonlyMap<number, SyntaxProblem>;
  /** Whether the text may contain merges (`<<`). */
  readonly merges: boolean;
  /** The events of the parser, one per row of the nodes. */
  events(): readonly Event[];
}

/** Why a text could not be parsed, on one line, and the number of the line in the text (from 1). */
export interface SyntaxProblem {
  readonly reason: string;
  readonly line: number | undefined;
  /** What to do, if the reason tells it: a sentence without a period. */
  readonly cure?: string;
}

/** Why a text is not YAML, and what to do, as the end of "... is not YAML: "; without a period. */
export function describeProblem({ reason, line, cure }: SyntaxProblem): string {
  return `${reason}${line === undefined ? "" : `, line ${line}`}${cure === undefined ? "" : `. ${cure}`}`;
}

/** Deep enough for any Kubernetes object; a list adds two levels. */
const maxDepth = 100;

const nothingUnread: Source["unread"] = new Map();

/** Parses a text, YAML or JSON, of one or more documents. */
export function parseSource(text: string): Source | SyntaxProblem {
  const merges = text.includes("<<");
  const parsed = () => parseEvents(text, { maxDepth });
  // Parsed again if they are needed: for most texts they are not, and they take more memory than the table of nodes.
  let events: readonly Event[] | undefined;
  try {
    return {
      text,
      readable: text,
      unread: nothingUnread,
      merges,
      ...nodesFromEvents(text, parsed()),
      events: () => (events ??= parsed()),
    };
  } catch (error) {
    return leftoverIn(text) ?? syntaxProblem(error);
  }
}

export function isProblem(source: Source | SyntaxProblem): source is SyntaxProblem {
  return "reason" in source;
}

/** An exception of the parser as a problem, including others that hostile text can cause in it (a stack overflow). */
export function syntaxProblem(error: unknown): SyntaxProblem {
  if (error instanceof RangeError) return { reason: "nesting is too deep", line: undefined };
  if (error instanceof YAMLException) {
    return { reason: withoutInput(error.reason), line: error.mark === undefined ? undefined : error.mark.line + 1 };
  }
  throw error;
}

// js-yaml includes names of tags and aliases in its messages. An unquoted value of a Secret can be taken for such a
// name (`*value`, `!value`), so only the kind of problem is reported, without any of the text.
function withoutInput(reason: string): string {
  return reason.replace(/: [\s\S]*$/, "").replace(/ ?(?:"[\s\S]*"|!<[\s\S]*>)/, "");
}

/** The nodes of the documents of a text, without empty documents. */
export function documents(source: Source): number[] {
  const nodes: number[] = [];
  for (let node = 0; node < source.length; node = after(source, node)) {
    if (!isEmpty(source, node + 1)) nodes.push(node + 1);
  }
  return nodes;
}

function after(source: Source, node: number): number {
  return source.next[node] as number;
}

/** Calls `visit` for each pair of a mapping with the nodes of its key and value. */
export function eachPair(source: Source, mapping: number, visit: (key: number, value: number) => void): void {
  const end = after(source, mapping) - 1;
  for (let key = mapping + 1; key < end; ) {
    const value = after(source, key);
    visit(key, value);
    key = after(source, value);
  }
}

/** A pair of a mapping: the nodes of its key and value, and the value of the key if that is a scalar. */
export interface Pair {
  readonly name: string | undefined;
  readonly key: number;
  readonly value: number;
}

/** The pairs of a mapping, without merged ones. */
export function pairsOf(source: Source, mapping: number): Pair[] {
  const pairs: Pair[] = [];
  eachPair(source, mapping, (key, value) => pairs.push({ name: scalarText(source, key), key, value }));
  return pairs;
}

/** The nodes of a sequence. */
export function elements(source: Source, sequence: number): number[] {
  const nodes: number[] = [];
  const end = after(source, sequence) - 1;
  for (let node = sequence + 1; node < end; node = after(source, node)) nodes.push(node);
  return nodes;
}

/** The pair of a mapping with a key, or undefined if the mapping itself does not contain the key. */
export function pairOf(source: Source, mapping: number, name: string): Pair | undefined {
  return pairsOf(source, mapping).find((pair) => pair.name === name);
}

/** The text of a scalar, decoded; undefined for a node that is not a scalar. */
export function scalarText({ text, kinds, starts, ends, encoded }: Source, node: number): string | undefined {
  const kind = kinds[node] as number;
  if (kind < KIND.plain) return undefined;
  if (kind > ENCODED) return encoded.get(node)?.();
  return starts[node] === -1 ? "" : text.slice(starts[node], ends[node]);
}

/** Whether a node is empty, `~` or `null`. */
export function isEmpty(source: Source, node: number): boolean {
  if (kindOf(source, node) !== KIND.plain || (source.properties.get(node)?.tagStart ?? -1) >= 0) return false;
  return /^(~|null|Null|NULL)?$/.test(scalarText(source, node) as string);
}

/** The offset of a node's first character, including its anchor and tag; -1 for an empty node. */
export function startOf(source: Source, node: number): number {
  const kind = kindOf(source, node);
  const start = source.starts[node] as number;
  if (kind === KIND.alias) return start - 1;
  const properties = source.properties.get(node);
  if (properties !== undefined) {
    const { anchorStart, tagStart } = properties;
    return Math.min(...[anchorStart - 1, tagStart].filter((offset) => offset >= 0));
  }
  if (kind === KIND.singleQuoted || kind === KIND.doubleQuoted) return start - 1;
  // A block scalar's value starts on the line after its header.
  return kind < KIND.literal ? start : blockHeader(source.text, start);
}

function blockHeader(text: string, valueStart: number): number {
  const line = text.slice(startOfLine(text, Math.max(0, valueStart - 1)), valueStart);
  const header = /[|>][-+0-9]*(?:[ \t]+#.*|[ \t]*)[\r\n]*$/.exec(line);
  return header === null ? -1 : valueStart - line.length + header.index;
}

const known = new WeakMap<Source, readonly number[]>();

/** The row of the document that contains a node. */
export function documentOf(source: Source, node: number): number {
  const rows = known.get(source) ?? rowsOf(source);
  known.set(source, rows);
  // A binary search, because both documents and lookups can be many.
  let low = 0;
  let high = rows.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as number) <= node) low = middle;
    else high = middle;
  }
  return rows[low] as number;
}

function rowsOf({ next, length }: Source): number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row = next[row] as number) rows.push(row);
  return rows;
}

/** The directives of the document that contains a node. They define the prefixes of tags. */
export function directivesOf(source: Source, node: number): DocumentEvent["directives"] {
  const event = source.events()[documentOf(source, node)];
  return event?.type === EVENT.DOCUMENT ? event.directives : [];
}

/** A unit that can be skipped as a whole if it cannot be read: a document, or an item of a list. */
export interface Unit {
  /** The start of the part of the text that can be parsed without the rest. */
  readonly start: number;
  readonly stop: number;
  /** The offset of the value in it, after the mark or dash. */
  readonly value: number;
}

/**
 * Parses a text that the parser rejects, without those of its units that the parser also rejects on their own. In the
 * table of nodes, an empty mapping replaces each of these; the text stays unchanged. The boundaries of units are only a
 * guess, so the text without the rejected units must parse.
 *
 * @param isWhole whether a rejected unit certainly ends where it was cut.
 * @returns undefined if the rest cannot be parsed either, or if the whole text is one unit.
 */
export function parseAround(
  text: string,
  units: readonly Unit[],
  isWhole: (unit: string) => boolean = () => true,
): Source | undefined {
  if (units.length < 2) return undefined;
  const broken = new Map<number, { stop: number; problem: SyntaxProblem }>();
  let readable = "";
  let line = 0;
  let counted = 0;
  for (const { start, stop, value } of units) {
    const problem = parseSource(text.slice(start, stop));
    if (!isProblem(problem)) continue;
    const written = text.slice(value, stop).trimEnd();
    if (written.length < 2 || !isWhole(text.slice(start, stop))) return undefined;
    line += lineBreaks(text, counted, start);
    counted = start;
    readable += `${text.slice(readable.length, value)}{${" ".repeat(written.length - 2)}}`;
    const at = problem.line === undefined ? undefined : line + problem.line;
    broken.set(value, { stop: value + written.length, problem: { ...problem, line: at } });
  }
  const source = parseSource(readable + text.slice(readable.length));
  return isProblem(source) ? undefined : withUnread(source, text, broken);
}

function withUnread(
  source: Source,
  text: string,
  broken: ReadonlyMap<number, { stop: number; problem: SyntaxProblem }>,
): Source | undefined {
  const unread = new Map<number, SyntaxProblem>();
  for (let node = 0; node < source.length; node++) {
    const found = source.kinds[node] === KIND.flowMapping ? broken.get(source.starts[node] as number) : undefined;
    if (found !== undefined && source.stop[node] === found.stop) unread.set(node, found.problem);
  }
  return unread.size === broken.size ? { ...source, text, unread } : undefined;
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = endOfLine(text, from); at < to; at = endOfLine(text, at + 1)) count++;
  return count;
}
