import { EVENT_ID, SCALAR_STYLE } from "js-yaml";
import { FindingError, finding } from "../core/finding.ts";
import type { FieldChange } from "../core/resource.ts";
import { isShared } from "./anchors.ts";
import { columnOf, type Edit, insertLines, lineAfter, lineBreak } from "./edit.ts";
import { inlineString } from "./emit.ts";
import { flowString } from "./emit-flow.ts";
import type { Item } from "./item.ts";
import { endOfLine } from "./lines.ts";
import { isBracketed } from "./measure.ts";
import { isBlock, isEmpty, isMapping, type Pair, pairOf, pairsOf, type Source, startOf } from "./source.ts";

/**
 * The edits that set one string field of an item and leave every other character of it as it is. Mappings on the way
 * that are missing are added.
 *
 * @throws FindingError `field-not-editable` where the text cannot be changed in one place alone: an alias or an anchor
 *   on the way, or something that is no mapping.
 */
export function setField(item: Item, change: FieldChange): Edit[] {
  const { source } = item;
  let mapping = item.node;
  for (const [depth, key] of change.path.entries()) {
    if (!isMapping(source, mapping)) throw notEditable(change, depth - 1, "is no mapping that can be changed in place");
    if (isShared(source, mapping)) throw notEditable(change, depth - 1, "has an anchor that other places repeat");
    const rest = change.path.slice(depth + 1);
    const pair = pairOf(source, mapping, key);
    if (pair === undefined && !hasRoom(source, mapping)) break;
    if (pair === undefined) return [addPair(source, mapping, change.path.slice(depth), change.value)];
    if (isEmpty(source, pair.value)) {
      if (isShared(source, pair.value)) throw notEditable(change, depth, "has an anchor that other places repeat");
      const edits = fillEmpty(source, mapping, pair, rest, change.value);
      if (edits !== undefined) return edits;
      break;
    }
    if (rest.length === 0) return [replaceValue(change, source, mapping, pair.value)];
    mapping = pair.value;
  }
  throw notEditable(change, 0, "cannot be changed in place");
}

function replaceValue(change: FieldChange, source: Source, mapping: number, node: number): Edit {
  const event = source.events[node];
  if (event?.type !== EVENT_ID.SCALAR && event?.type !== EVENT_ID.ALIAS) {
    throw notEditable(change, change.path.length - 1, "is not a single value");
  }
  if (isShared(source, node))
    throw notEditable(change, change.path.length - 1, "has an anchor that other places repeat");
  const start = startOf(source, node);
  const text = styled(change.value, event.type === EVENT_ID.SCALAR ? event.style : undefined, isBlock(source, mapping));
  const isBlockScalar = event.type === EVENT_ID.SCALAR && event.style >= SCALAR_STYLE.LITERAL_BLOCK;
  if (!isBlockScalar) return { start, stop: source.stop[node] as number, text };
  // The line break behind it, and empty lines after that, stay.
  const old = source.text.slice(start, source.stop[node]).replace(/[\r\n][ \t\r\n]*$/, "");
  return { start, stop: start + old.length, text: text + headerComment(source.text, start) };
}

// A block scalar's comment stands behind its indicator.
function headerComment(text: string, start: number): string {
  const header = text.slice(start, endOfLine(text, start));
  return /[ \t]+#[^\r]*/.exec(header)?.[0] ?? "";
}

function styled(value: string, style: number | undefined, inBlock: boolean): string {
  if (style === SCALAR_STYLE.SINGLE_QUOTED && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return style === SCALAR_STYLE.DOUBLE_QUOTED || !inBlock ? flowString(value) : inlineString(value);
}

function fillEmpty(
  source: Source,
  mapping: number,
  pair: Pair,
  rest: readonly string[],
  value: string,
): Edit[] | undefined {
  const gap = /^\s*:/.exec(source.text.slice(source.stop[pair.key] as number));
  if (gap === null) return undefined;
  const colon = (source.stop[pair.key] as number) + gap[0].length;
  const start = startOf(source, pair.value);
  const written: Edit =
    start < 0 ? { start: colon, stop: colon, text: "" } : { start, stop: source.stop[pair.value] as number, text: "" };
  if (rest.length > 0 && isBlock(source, mapping)) {
    const column = columnOf(source, startOf(source, pair.key)) + 2;
    const end = endOfLine(source.text, Math.max(colon, written.stop));
    const lines = nested(rest, value, column, lineBreak(source));
    const before = source.text[end - 1] === "\r" ? end - 1 : end;
    return [written, { start: before, stop: before, text: lineBreak(source) + lines.replace(/\r?\n$/, "") }];
  }
  const text = isBlock(source, mapping) ? inlineString(value) : flow(rest, value);
  return [{ ...written, text: start < 0 ? ` ${text}` : text }];
}

// A pair in a list in brackets (`[a: b]`) is a mapping to which none can be added.
function hasRoom(source: Source, mapping: number): boolean {
  return isBlock(source, mapping) || isBracketed(source.text, source.events, mapping);
}

function addPair(source: Source, mapping: number, path: readonly string[], value: string): Edit {
  if (isBlock(source, mapping)) {
    const column = columnOf(source, startOfBlock(source, mapping));
    return insertLines(source, lineAfter(source, mapping), nested(path, value, column, lineBreak(source)));
  }
  const last = pairsOf(source, mapping).at(-1);
  const at = last === undefined ? (source.stop[mapping] as number) - 1 : (source.stop[last.value] as number);
  return { start: at, stop: at, text: `${last === undefined ? "" : ", "}${flow(path, value).slice(1, -1)}` };
}

// Where its first key stands, or the question mark before that.
function startOfBlock(source: Source, mapping: number): number {
  const event = source.events[mapping];
  return event?.type === EVENT_ID.MAPPING ? event.start : 0;
}

function nested(path: readonly string[], value: string, column: number, newline: string): string {
  const lines = path.map((key, depth) => `${" ".repeat(column + 2 * depth)}${inlineString(key)}:`);
  return `${lines.join(newline)} ${inlineString(value)}${newline}`;
}

function flow(path: readonly string[], value: string): string {
  return path.reduceRight((inner, key) => `{${flowString(key)}: ${inner}}`, flowString(value));
}

function notEditable(change: FieldChange, depth: number, why: string): FindingError {
  const field = change.path.slice(0, depth + 1).join(".");
  const message = `${field === "" ? "the object" : `"${field}"`} ${why}; write it out as a plain value, then render again.`;
  return new FindingError(finding("error", "field-not-editable", message, { resource: change.resource, field }));
}
