import {
  CHOMPING_MODE as CHOMPING,
  constructFromEvents,
  EVENT_ID as EVENT,
  type Event,
  SCALAR_STYLE as SCALAR,
  type ScalarEvent,
  type Schema,
} from "js-yaml";
import { allByKey, type Value } from "../core/resource.ts";
import * as KIND from "./kind.ts";
import { isAlias, isMapping, isScalar, isSequence, kindOf, type Source, scalarText } from "./source.ts";

/** The anchors of a text by name, each with its nodes in the order of the text, and whether the text has aliases. */
interface Anchors {
  readonly nodes: ReadonlyMap<string, readonly number[]>;
  readonly repeated: boolean;
}

const known = new WeakMap<Source, Anchors>();

function anchorsOf(source: Source): Anchors {
  const before = known.get(source);
  if (before !== undefined) return before;
  const nodes = allByKey([...source.properties.keys()], (node) => anchorOf(source, node));
  let repeated = false;
  for (let node = 0; node < source.length; node++) if (isAlias(source, node)) repeated = true;
  const anchors = { nodes, repeated };
  known.set(source, anchors);
  return anchors;
}

/** The name of a node's anchor, or undefined if it has none. */
export function anchorOf({ text, properties }: Source, node: number): string | undefined {
  const { anchorStart, anchorEnd } = properties.get(node) ?? { anchorStart: -1, anchorEnd: -1 };
  return anchorStart < 0 ? undefined : text.slice(anchorStart, anchorEnd);
}

/** The name of the anchor that an alias refers to. */
export function aliasOf({ text, starts, ends }: Source, alias: number): string {
  return text.slice(starts[alias], ends[alias]);
}

/**
 * The node that an alias refers to: the last node before it with that anchor. For a node that is not an alias, the node
 * itself.
 */
export function follow(source: Source, node: number): number {
  if (!isAlias(source, node)) return node;
  const nodes = anchorsOf(source).nodes.get(aliasOf(source, node)) ?? [];
  return lastBefore(nodes, node) ?? node;
}

// A binary search: a text may define the same anchor as often as it has aliases to it.
function lastBefore(nodes: readonly number[], limit: number): number | undefined {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return nodes[low - 1];
}

/**
 * Whether a node has an anchor in a text with aliases. Its value may be used elsewhere, so changing it here could
 * change it there.
 */
export function isShared(source: Source, node: number): boolean {
  return anchorOf(source, node) !== undefined && anchorsOf(source).repeated;
}

/** Whether a node, or a node inside it, {@link isShared}. If it is removed, an alias elsewhere may have no anchor. */
export function holdsShared(source: Source, node: number): boolean {
  if (source.properties.size === 0) return false;
  for (let index = node; index < (source.next[node] as number); index++) {
    if (isShared(source, index)) return true;
  }
  return false;
}

/** The state while a value is built: the next node, and the schema for plain scalars that may be numbers. */
export interface BuildState {
  readonly source: Source;
  readonly schema: Schema;
  at: number;
}

/**
 * Thrown for a node in a form that this module does not build. js-yaml then builds it, or reports what is wrong with
 * it.
 */
export const notOrdinary = new Error("not of the ordinary form");

/**
 * The value of the next node, if it has the ordinary form: no anchors, aliases, tags or merges, and only distinct text
 * keys. Requests have this form, and a list may contain thousands of them, so the value is built directly from the
 * table of nodes.
 *
 * @throws notOrdinary
 */
export function ordinaryValue(reader: BuildState): Value {
  const { source } = reader;
  const node = reader.at++;
  if (source.properties.has(node)) throw notOrdinary;
  if (isScalar(source, node)) return scalarValue(reader, node);
  if (isSequence(source, node)) return sequenceValue(reader);
  if (isMapping(source, node)) return mappingValue(reader);
  throw notOrdinary;
}

function sequenceValue(reader: BuildState): Value {
  const list: Value[] = [];
  while (reader.source.kinds[reader.at] !== KIND.end) list.push(ordinaryValue(reader));
  reader.at++;
  return list;
}

function mappingValue(reader: BuildState): Value {
  const mapping: Record<string, Value> = {};
  while (reader.source.kinds[reader.at] !== KIND.end) {
    const key = ordinaryValue(reader);
    if (typeof key !== "string" || key === "<<" || key === "__proto__" || Object.hasOwn(mapping, key))
      throw notOrdinary;
    mapping[key] = ordinaryValue(reader);
  }
  reader.at++;
  return mapping;
}

// The names in the core schema (YAML 1.2.2, section 10.3.2). js-yaml decides about other plain text that may be a
// number.
const words: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
const maybeNumber = /^[-+.0-9]/;

function scalarValue({ source, schema }: BuildState, node: number): Value {
  const text = scalarText(source, node) as string;
  if (kindOf(source, node) !== KIND.plain) return text;
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!maybeNumber.test(text)) return text;
  if (shortInteger.test(text)) return Number(text);
  const event: ScalarEvent = { ...plainEvent, valueEnd: text.length };
  const options = { source: text, schema };
  return constructFromEvents([documentEvent, event, endEvent], options)[0] as Value;
}

// The integers of the core schema that are unambiguous.
const shortInteger = /^(?:0|[1-9][0-9]{0,14})$/;

const documentEvent: Event = { type: EVENT.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] };
const endEvent: Event = { type: EVENT.POP };
const plainEvent: ScalarEvent = {
  type: EVENT.SCALAR,
  style: SCALAR.PLAIN,
  chomping: CHOMPING.CLIP,
  valueStart: 0,
  valueEnd: 0,
  anchorStart: -1,
  anchorEnd: -1,
  tagStart: -1,
  tagEnd: -1,
  indent: -1,
  fast: true,
};
