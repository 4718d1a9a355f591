import { COLLECTION_STYLE, EVENT_ID, type Event, type PopEvent, SCALAR_STYLE } from "js-yaml";
import { endOfLine } from "./lines.ts";

/** Where nodes end: in the order of events, and in the text. */
export interface Extents {
  readonly next: Int32Array;
  readonly stop: Int32Array;
}

/** A collection that the walk is in, and how many nodes of it have been seen. */
interface Open {
  readonly opener: number;
  seen: number;
}

/** One walk over the events of a text, with a cursor behind the last character that belongs to a node. */
export function measure(text: string, events: readonly Event[]): Extents {
  const next = new Int32Array(events.length);
  const stop = new Int32Array(events.length);
  const open: Open[] = [];
  let cursor = 0;
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as Event;
    if (event.type === EVENT_ID.POP) {
      const opener = open.pop()?.opener ?? 0;
      cursor = afterCollection(text, events, opener, cursor);
      next[opener] = index + 1;
      stop[opener] = cursor;
      continue;
    }
    const parent = open.at(-1);
    if (isNothing(event) && parent !== undefined) {
      cursor = afterMark(text, events[parent.opener] as Event, parent.seen, cursor);
    }
    if (parent !== undefined) parent.seen++;
    cursor = afterEvent(text, event, cursor);
    if (event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS) {
      next[index] = index + 1;
      stop[index] = cursor;
    } else {
      open.push({ opener: index, seen: 0 });
    }
  }
  return { next, stop };
}

function isNothing(event: Event): boolean {
  return event.type === EVENT_ID.SCALAR && event.valueStart < 0 && event.tagStart < 0 && event.anchorStart < 0;
}

// A node that is not written ends after the mark that stands for it, where there is one: the dash of a list's empty
// entry, the question mark of a key, the colon of a value.
function afterMark(text: string, parent: Event, seen: number, cursor: number): number {
  if (parent.type !== EVENT_ID.SEQUENCE && parent.type !== EVENT_ID.MAPPING) return cursor;
  const mark = parent.type === EVENT_ID.SEQUENCE ? "-" : seen % 2 === 0 ? "?" : ":";
  const at = skipSpace(text, cursor);
  const follower = text[at + 1];
  const isMark = parent.style === COLLECTION_STYLE.FLOW || follower === undefined || /\s/.test(follower);
  return isMark && text[at] === mark ? at + 1 : cursor;
}

/** The offset of the first character, from an offset on, that is neither white space nor in a comment. */
export function skipSpace(text: string, from: number): number {
  let offset = from;
  for (;;) {
    const character = text[offset];
    if (character === "#") offset = endOfLine(text, offset);
    else if (character === undefined || !/[\s\ufeff]/.test(character)) return offset;
    else offset++;
  }
}

// An empty scalar has no text of its own: its cursor stays where it was.
function afterEvent(text: string, event: Exclude<Event, PopEvent>, cursor: number): number {
  if (event.type === EVENT_ID.DOCUMENT) return cursor;
  if (event.type === EVENT_ID.ALIAS) return event.anchorEnd;
  const properties = Math.max(cursor, event.tagEnd, event.anchorEnd);
  if (event.type === EVENT_ID.SCALAR) {
    const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    return Math.max(properties, event.valueEnd + (quoted ? 1 : 0));
  }
  const isBracket = event.style === COLLECTION_STYLE.FLOW && isOpener(text, event.start);
  return isBracket ? event.start + 1 : Math.max(properties, event.start);
}

function afterCollection(text: string, events: readonly Event[], opener: number, cursor: number): number {
  if (!isBracketed(text, events, opener)) return cursor;
  return afterCloser(text, cursor, events[opener]?.type === EVENT_ID.MAPPING ? "}" : "]");
}

/**
 * Says whether a node is a collection in brackets of its own. A pair inside a flow sequence (`[a: b]`) is a mapping
 * without: it starts where its key starts, and a bracket there (`[{a: b}: c]`) is the key's.
 */
export function isBracketed(text: string, events: readonly Event[], opener: number): boolean {
  const event = events[opener];
  if (event?.type !== EVENT_ID.MAPPING && event?.type !== EVENT_ID.SEQUENCE) return false;
  const first = events[opener + 1];
  const isBarePair =
    (first?.type === EVENT_ID.MAPPING || first?.type === EVENT_ID.SEQUENCE) && first.start === event.start;
  return event.style === COLLECTION_STYLE.FLOW && isOpener(text, event.start) && !isBarePair;
}

function isOpener(text: string, offset: number): boolean {
  return text[offset] === "{" || text[offset] === "[";
}

// Between the last node of a flow collection and its closing bracket there is nothing but white space, comments,
// commas and the marks of an empty key or value.
function afterCloser(text: string, from: number, closer: string): number {
  let offset = from;
  while (offset < text.length && text[offset] !== closer) {
    offset = text[offset] === "#" ? endOfLine(text, offset) : offset + 1;
  }
  return offset + 1;
}
