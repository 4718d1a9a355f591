import {
  type AliasEvent,
  COLLECTION_STYLE as COLLECTION,
  EVENT_ID as EVENT,
  type Event,
  getScalarValue,
  type MappingEvent,
  type PopEvent,
  SCALAR_STYLE as SCALAR,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import { endOfLine } from "../core/text.ts";
import * as KIND from "./kind.ts";
import { ENCODED, isBlock, isMapping, isSequence, type NewNodes, type Nodes, newNodes } from "./nodes.ts";

/** An open collection, and how many of its nodes have been seen. */
interface Open {
  readonly row: number;
  seen: number;
}

/**
 * The nodes of a text from its events, in one pass: each event is a row. The cursor is always after the last character
 * that belongs to a node.
 */
export function nodesFromEvents(text: string, events: readonly Event[]): Nodes {
  const nodes = newNodes(events.length);
  const open: Open[] = [];
  let cursor = 0;
  for (const [row, event] of events.entries()) {
    if (event.type === EVENT.POP) {
      const opener = open.pop()?.row ?? 0;
      cursor = afterCollection(text, nodes, opener, cursor);
      nodes.next[opener] = row + 1;
      nodes.stop[opener] = cursor;
      nodes.kinds[row] = KIND.end;
      nodes.starts[row] = -1;
      continue;
    }
    const parent = open.at(-1);
    if (parent !== undefined) {
      if (isNothing(event)) cursor = afterMark(text, nodes, parent, cursor);
      parent.seen++;
    }
    cursor = afterEvent(text, event, cursor);
    keepProperties(nodes, row, event);
    if (event.type === EVENT.SCALAR || event.type === EVENT.ALIAS) writeLeaf(text, nodes, row, event, cursor);
    else {
      nodes.kinds[row] = event.type === EVENT.DOCUMENT ? KIND.document : collectionKind(event);
      nodes.starts[row] = event.type === EVENT.DOCUMENT ? -1 : event.start;
      open.push({ row, seen: 0 });
    }
  }
  return nodes;
}

function writeLeaf(text: string, nodes: NewNodes, row: number, event: ScalarEvent | AliasEvent, cursor: number): void {
  const isAlias = event.type === EVENT.ALIAS;
  nodes.kinds[row] = isAlias ? KIND.alias : scalarKinds[event.style];
  nodes.starts[row] = isAlias ? event.anchorStart : event.valueStart;
  nodes.ends[row] = isAlias ? event.anchorEnd : event.valueEnd;
  nodes.next[row] = row + 1;
  nodes.stop[row] = cursor;
  if (isAlias || event.fast || event.valueStart < 0) return;
  nodes.kinds[row] = scalarKinds[event.style] | ENCODED;
  nodes.encoded.set(row, () => getScalarValue(text, event));
}

const scalarKinds = {
  [SCALAR.PLAIN]: KIND.plain,
  [SCALAR.SINGLE_QUOTED]: KIND.singleQuoted,
  [SCALAR.DOUBLE_QUOTED]: KIND.doubleQuoted,
  [SCALAR.LITERAL_BLOCK]: KIND.literal,
  [SCALAR.FOLDED_BLOCK]: KIND.folded,
} as const;

function collectionKind(event: MappingEvent | SequenceEvent): number {
  const isFlow = event.style === COLLECTION.FLOW;
  if (event.type === EVENT.MAPPING) return isFlow ? KIND.flowMapping : KIND.blockMapping;
  return isFlow ? KIND.flowSequence : KIND.blockSequence;
}

function keepProperties(nodes: NewNodes, row: number, event: Exclude<Event, PopEvent>): void {
  if (event.type === EVENT.DOCUMENT || event.type === EVENT.ALIAS) return;
  const { anchorStart, anchorEnd, tagStart, tagEnd } = event;
  if (anchorStart < 0 && tagStart < 0) return;
  nodes.properties.set(row, { anchorStart, anchorEnd, tagStart, tagEnd });
}

function isNothing(event: Event): boolean {
  return event.type === EVENT.SCALAR && event.valueStart < 0 && event.tagStart < 0 && event.anchorStart < 0;
}

// An empty node ends after its mark, if there is one: the dash of a list's entry, the question mark of a key, the colon
// of a value.
function afterMark(text: string, nodes: Nodes, { row, seen }: Open, cursor: number): number {
  if (nodes.kinds[row] === KIND.document) return cursor;
  const mark = isSequence(nodes, row) ? "-" : seen % 2 === 0 ? "?" : ":";
  const at = skipSpace(text, cursor);
  const follower = text[at + 1];
  const isMark = !isBlock(nodes, row) || follower === undefined || /\s/.test(follower);
  return isMark && text[at] === mark ? at + 1 : cursor;
}

/** The offset of the first character at or after an offset that is neither white space nor in a comment. */
export function skipSpace(text: string, from: number): number {
  let offset = from;
  for (;;) {
    const character = text[offset];
    if (character === "#") offset = endOfLine(text, offset);
    else if (character === undefined || !/[\s\ufeff]/.test(character)) return offset;
    else offset++;
  }
}

// An empty scalar has no text, so the cursor does not move.
function afterEvent(text: string, event: Exclude<Event, PopEvent>, cursor: number): number {
  if (event.type === EVENT.DOCUMENT) return cursor;
  if (event.type === EVENT.ALIAS) return event.anchorEnd;
  const properties = Math.max(cursor, event.tagEnd, event.anchorEnd);
  if (event.type === EVENT.SCALAR) {
    const quoted = event.style === SCALAR.SINGLE_QUOTED || event.style === SCALAR.DOUBLE_QUOTED;
    return Math.max(properties, event.valueEnd + (quoted ? 1 : 0));
  }
  const isBracket = event.style === COLLECTION.FLOW && isOpener(text, event.start);
  return isBracket ? event.start + 1 : Math.max(properties, event.start);
}

function afterCollection(text: string, nodes: Nodes, row: number, cursor: number): number {
  if (!isBracketed(text, nodes, row)) return cursor;
  return afterCloser(text, cursor, nodes.kinds[row] === KIND.flowMapping ? "}" : "]");
}

/**
 * Whether a node is a collection with its own brackets. A pair in a flow sequence (`[a: b]`) is a mapping without
 * brackets: it starts where its key starts, and a bracket there (`[{a: b}: c]`) belongs to the key.
 */
export function isBracketed(text: string, nodes: Nodes, node: number): boolean {
  if (!isCollection(nodes, node) || isBlock(nodes, node)) return false;
  const { starts } = nodes;
  const isBarePair = isCollection(nodes, node + 1) && starts[node + 1] === starts[node];
  return isOpener(text, starts[node] as number) && !isBarePair;
}

function isCollection(nodes: Nodes, node: number): boolean {
  return isMapping(nodes, node) || isSequence(nodes, node);
}

function isOpener(text: string, offset: number): boolean {
  return text[offset] === "{" || text[offset] === "[";
}

// Only white space, comments, commas and the marks of empty keys and values are between the last node of a flow
// collection and its closing bracket.
function afterCloser(text: string, from: number, closer: string): number {
  let offset = from;
  while (offset < text.length && text[offset] !== closer) {
    offset = text[offset] === "#" ? endOfLine(text, offset) : offset + 1;
  }
  return offset + 1;
}
