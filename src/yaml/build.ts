import type { Event, ScalarEvent, Schema } from "js-yaml";
import type { Value } from "../core/resource.ts";
import { CHOMPING, EVENT, jsYaml, SCALAR } from "./js-yaml.ts";
import * as KIND from "./kind.ts";
import { isMapping, isScalar, isSequence, kindOf, type Source, scalarText } from "./source.ts";

/** The state while a value is built: the next node, and the schema for plain scalars that may be numbers. */
export interface Reader {
  readonly source: Source;
  readonly schema: () => Schema;
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
export function ordinaryValue(reader: Reader): Value {
  const { source } = reader;
  const node = reader.at++;
  if (source.properties.has(node)) throw notOrdinary;
  if (isScalar(source, node)) return scalarValue(reader, node);
  if (isSequence(source, node)) return sequenceValue(reader);
  if (isMapping(source, node)) return mappingValue(reader);
  throw notOrdinary;
}

function sequenceValue(reader: Reader): Value {
  const list: Value[] = [];
  while (reader.source.kinds[reader.at] !== KIND.end) list.push(ordinaryValue(reader));
  reader.at++;
  return list;
}

function mappingValue(reader: Reader): Value {
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

function scalarValue({ source, schema }: Reader, node: number): Value {
  const text = scalarText(source, node) as string;
  if (kindOf(source, node) !== KIND.plain) return text;
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!maybeNumber.test(text)) return text;
  if (shortInteger.test(text)) return Number(text);
  const event: ScalarEvent = { ...plainEvent, valueEnd: text.length };
  const options = { source: text, schema: schema() };
  return jsYaml().constructFromEvents([documentEvent, event, endEvent], options)[0] as Value;
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
