import {
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import { startOfLine } from "./lines.ts";
import { measure } from "./measure.ts";

export { endOfLine, startOfLine } from "./lines.ts";

/**
 * A parsed text. Nodes are event numbers: the structure is read off the parser's events, and every node knows where
 * its text starts and stops, so that what is not changed can be written as it came.
 */
export interface Source {
  readonly text: string;
  readonly events: readonly Event[];
  /** Says whether there may be merges (`<<`) in it. */
  readonly merges: boolean;
  /** For the event that opens a node: the number of the first event after the node. */
  readonly next: Int32Array;
  /** For the event that opens a node: the offset after its last character (closing quote or bracket included). */
  readonly stop: Int32Array;
}

/** Why a text could not be parsed: one line, and the line of the text (from 1). */
export interface SyntaxProblem {
  readonly reason: string;
  readonly line: number | undefined;
}

/** Deep enough for any Kubernetes object; a list adds two levels. */
const maxDepth = 100;

/** Parses a text, YAML or JSON, of one or more documents. */
export function parseSource(text: string): Source | SyntaxProblem {
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth });
  } catch (error) {
    return syntaxProblem(error);
  }
  return { text, events, merges: text.includes("<<"), ...measure(text, events) };
}

export function isProblem(source: Source | SyntaxProblem): source is SyntaxProblem {
  return "reason" in source;
}

/** A parser's exception, or any other that a hostile text can cause in it (a stack that is too deep), as a problem. */
export function syntaxProblem(error: unknown): SyntaxProblem {
  if (error instanceof YAMLException) {
    return { reason: withoutInput(error.reason), line: error.mark === undefined ? undefined : error.mark.line + 1 };
  }
  if (error instanceof RangeError) return { reason: "nesting is too deep", line: undefined };
  throw error;
}

// js-yaml puts names of tags and aliases into what it says, and in a Secret a value that nobody put into quotes is taken
// for one (`*value`, `!value`): the kind of the problem is said, and nothing of the text.
function withoutInput(reason: string): string {
  return reason.replace(/: [\s\S]*$/, "").replace(/ ?(?:"[\s\S]*"|!<[\s\S]*>)/, "");
}

/** The documents of a text: the node of each, without those that are empty. */
export function documents(source: Source): number[] {
  const nodes: number[] = [];
  for (let index = 0; index < source.events.length; index = after(source, index)) {
    if (!isEmpty(source, index + 1)) nodes.push(index + 1);
  }
  return nodes;
}

function after(source: Source, node: number): number {
  return source.next[node] as number;
}

/** Calls `visit` for each pair of a mapping, with the nodes of key and value. */
export function eachPair(source: Source, mapping: number, visit: (key: number, value: number) => void): void {
  const end = after(source, mapping) - 1;
  for (let key = mapping + 1; key < end; ) {
    const value = after(source, key);
    visit(key, value);
    key = after(source, value);
  }
}

/** A pair of a mapping: the nodes of its key and value, and the key's text where it is a scalar. */
export interface Pair {
  readonly name: string | undefined;
  readonly key: number;
  readonly value: number;
}

/** The pairs of a mapping, as they are written. */
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

/** The pair of a mapping's key, or undefined where the key is not written in it. */
export function pairOf(source: Source, mapping: number, name: string): Pair | undefined {
  return pairsOf(source, mapping).find((pair) => pair.name === name);
}

export function isMapping(source: Source, node: number | undefined): node is number {
  return node !== undefined && source.events[node]?.type === EVENT_ID.MAPPING;
}

export function isSequence(source: Source, node: number | undefined): node is number {
  return node !== undefined && source.events[node]?.type === EVENT_ID.SEQUENCE;
}

/** Says whether a collection is written in block style: not in brackets. */
export function isBlock(source: Source, node: number): boolean {
  const event = source.events[node];
  return (
    (event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE) && event.style === COLLECTION_STYLE.BLOCK
  );
}

/** The text of a scalar as a reader gets it, whatever its quotes; undefined for a node that is no scalar. */
export function scalarText(source: Source, node: number): string | undefined {
  const event = source.events[node];
  return event?.type === EVENT_ID.SCALAR ? getScalarValue(source.text, event) : undefined;
}

/** Says whether a node is written as nothing at all, `~` or `null`. */
export function isEmpty(source: Source, node: number): boolean {
  const event = source.events[node];
  if (event?.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN || event.tagStart >= 0) return false;
  return /^(~|null|Null|NULL)?$/.test(getScalarValue(source.text, event));
}

/** The offset of a node's first character, its anchor and tag included; -1 where nothing is written. */
export function startOf(source: Source, node: number): number {
  const event = source.events[node] as Event;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return -1;
  const properties = [event.anchorStart - 1, event.tagStart].filter((offset) => offset >= 0);
  if (properties.length > 0) return Math.min(...properties);
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  switch (event.style) {
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return event.valueStart - 1;
    case SCALAR_STYLE.PLAIN:
      return event.valueStart;
    default:
      // A block scalar's value starts on the line after its header.
      return blockHeader(source.text, event.valueStart);
  }
}

function blockHeader(text: string, valueStart: number): number {
  const line = text.slice(startOfLine(text, Math.max(0, valueStart - 1)), valueStart);
  const header = /[|>][-+0-9]*(?:[ \t]+#.*|[ \t]*)[\r\n]*$/.exec(line);
  return header === null ? -1 : valueStart - line.length + header.index;
}
