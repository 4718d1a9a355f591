import { FindingError, finding } from "../core/finding.ts";
import {
  type FieldChange,
  type FieldValue,
  type FieldValues,
  isMap,
  type NamedEntry,
  type Resource,
  type Value,
} from "../core/resource.ts";
import { isShared } from "./anchors.ts";
import { columnOf, type Edit, insertLines, lineAfter, lineBreak } from "./edit.ts";
import { emitYaml, inlineString } from "./emit.ts";
import { emitFlow, flowString } from "./emit-flow.ts";
import { isBracketed } from "./from-events.ts";
import * as KIND from "./kind.ts";
import { endOfLine } from "./lines.ts";
import {
  elements,
  isAlias,
  isBlock,
  isBlockScalar,
  isEmpty,
  isMapping,
  isScalar,
  isSequence,
  kindOf,
  type Pair,
  pairOf,
  pairsOf,
  type Source,
  startOf,
} from "./source.ts";
import { construct } from "./values.ts";

/**
 * The edits that set fields of an item without changing any other character. Missing mappings and lists on the path are
 * added. Fields that already have the value are not touched.
 *
 * @throws FindingError `field-not-editable` if the text cannot be changed in only one place, because of an alias or an
 *   anchor on the path, or if a value on the path has an unexpected type.
 */
export function setField(item: Located, { resource, path, value }: FieldChange): Edit[] {
  const whole = path.reduceRight((inner, key) => ({ [key]: inner }), value);
  return setNode({ source: item.source, resource, node: item.node, path: [] }, whole as FieldValues);
}

/** The source text and node of an object, such as an item of a list. */
export interface Located {
  readonly source: Source;
  readonly node: number;
}

/** A node to set, and how messages name it. */
interface Target {
  readonly source: Source;
  readonly resource: Resource;
  readonly node: number;
  readonly path: readonly string[];
}

function setNode(target: Target, value: FieldValues | readonly NamedEntry[]): Edit[] {
  const { source, node } = target;
  if (isList(value) ? !isSequence(source, node) : !isMapping(source, node))
    throw notEditable(target, `is not a ${isList(value) ? "list" : "mapping"} that can be changed in place`);
  if (isShared(source, node)) throw notEditable(target, "has an anchor that aliases may refer to");
  return isList(value) ? setEntries(target, value) : setPairs(target, value);
}

function isList(value: FieldValue): value is readonly NamedEntry[] {
  return Array.isArray(value);
}

// Additions come after changes, because two insertions may have the same offset.
function setPairs(target: Target, values: FieldValues): Edit[] {
  const { source, node: mapping, path } = target;
  const edits: Edit[] = [];
  const missing: Record<string, FieldValue> = {};
  for (const [key, value] of Object.entries(values)) {
    const pair = pairOf(source, mapping, key);
    if (pair === undefined) missing[key] = value;
    else edits.push(...setPair({ ...target, node: pair.value, path: [...path, key] }, mapping, pair, value));
  }
  const [first] = Object.keys(missing);
  if (first === undefined) return edits;
  // A pair in a list in brackets (`[a: b]`) is a mapping to which no pair can be added.
  if (!isBlock(source, mapping) && !isBracketed(source.text, source, mapping))
    throw cannotChange({ ...target, path: [...path, first] });
  return [...edits, addPairs(source, mapping, missing)];
}

function setPair(target: Target, mapping: number, pair: Pair, value: FieldValue): Edit[] {
  const { source, node } = target;
  if (!isEmpty(source, node))
    return typeof value === "string" ? setText(target, mapping, value) : setNode(target, value);
  if (isShared(source, node)) throw notEditable(target, "has an anchor that aliases may refer to");
  const edits = fillEmpty(source, mapping, pair, value);
  if (edits === undefined) throw cannotChange(target);
  return edits;
}

function setText(target: Target, mapping: number, value: string): Edit[] {
  const { source, node } = target;
  if (!isScalar(source, node) && !isAlias(source, node)) throw notEditable(target, "is not a single value");
  if (isValue(source, node, value)) return [];
  if (isShared(source, node)) throw notEditable(target, "has an anchor that aliases may refer to");
  const start = startOf(source, node);
  const text = styled(value, kindOf(source, node), isBlock(source, mapping));
  if (!isBlockScalar(source, node)) return [{ start, stop: source.stop[node] as number, text }];
  // The line break and the empty lines after it are kept.
  const old = source.text.slice(start, source.stop[node]).replace(/[\r\n][ \t\r\n]*$/, "");
  return [{ start, stop: start + old.length, text: text + headerComment(source.text, start) }];
}

function isValue(source: Source, node: number, value: string): boolean {
  const built = construct(source, node);
  return "value" in built && built.value === value;
}

/** The comment of a block scalar, which follows its indicator, with the white space before it. */
export function headerComment(text: string, start: number): string {
  const header = text.slice(start, endOfLine(text, start));
  return /[ \t]+#[^\r]*/.exec(header)?.[0] ?? "";
}

/** A string in the style of the scalar that it replaces, as far as that style can write it. */
export function styled(value: string, kind: number, inBlock: boolean): string {
  if (kind === KIND.singleQuoted && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return kind === KIND.doubleQuoted || !inBlock ? flowString(value) : inlineString(value);
}

function fillEmpty(source: Source, mapping: number, pair: Pair, value: FieldValue): Edit[] | undefined {
  const gap = /^\s*:/.exec(source.text.slice(source.stop[pair.key] as number));
  if (gap === null) return undefined;
  const colon = (source.stop[pair.key] as number) + gap[0].length;
  const start = startOf(source, pair.value);
  const written: Edit =
    start < 0 ? { start: colon, stop: colon, text: "" } : { start, stop: source.stop[pair.value] as number, text: "" };
  if (typeof value !== "string" && isBlock(source, mapping)) {
    const column = columnOf(source, startOf(source, pair.key)) + (isList(value) ? 0 : 2);
    const end = endOfLine(source.text, Math.max(colon, written.stop));
    const lines = blockLines(source, value, column);
    const before = source.text[end - 1] === "\r" ? end - 1 : end;
    return [written, { start: before, stop: before, text: lineBreak(source) + lines.replace(/\r?\n$/, "") }];
  }
  const text = isBlock(source, mapping) && typeof value === "string" ? inlineString(value) : flow(value);
  return [{ ...written, text: start < 0 ? ` ${text}` : text }];
}

function addPairs(source: Source, mapping: number, values: FieldValues): Edit {
  if (isBlock(source, mapping)) {
    const column = columnOf(source, startOfBlock(source, mapping));
    return insertLines(source, lineAfter(source, mapping), blockLines(source, values, column));
  }
  return addInBrackets(source, mapping, pairsOf(source, mapping).at(-1)?.value, flow(values));
}

function setEntries(target: Target, entries: readonly NamedEntry[]): Edit[] {
  const { source, node: list, path } = target;
  const nodes = elements(source, list);
  const edits: Edit[] = [];
  const missing: NamedEntry[] = [];
  for (const entry of entries) {
    const { name, ...rest } = entry;
    const index = nodes.findIndex((node) => isNamed(source, node, name));
    const node = nodes[index];
    if (node === undefined) missing.push(entry);
    else edits.push(...setNode({ ...target, node, path: [...path, `[${index}]`] }, rest));
  }
  return missing.length === 0 ? edits : [...edits, addEntries(source, list, nodes.at(-1), missing)];
}

// Compares the value, because a name may be an alias or come from a merge.
function isNamed(source: Source, node: number, name: string): boolean {
  const built = construct(source, node);
  return "value" in built && isMap(built.value) && built.value["name"] === name;
}

function addEntries(source: Source, list: number, last: number | undefined, entries: readonly NamedEntry[]): Edit {
  if (!isBlock(source, list)) return addInBrackets(source, list, last, flow(entries));
  const column = columnOf(source, startOfBlock(source, list));
  return insertLines(source, lineAfter(source, list), blockLines(source, entries, column));
}

/** Inserts directly after the last node of a collection in brackets, before a trailing comma and comments. */
export function addInBrackets(source: Source, collection: number, last: number | undefined, text: string): Edit {
  const at = last === undefined ? (source.stop[collection] as number) - 1 : (source.stop[last] as number);
  return { start: at, stop: at, text: `${last === undefined ? "" : ", "}${text.slice(1, -1)}` };
}

/** The offset of the first key or dash of a collection, or of the question mark before the key. */
export function startOfBlock(source: Source, collection: number): number {
  return source.starts[collection] as number;
}

function blockLines(source: Source, value: FieldValues | readonly NamedEntry[], column: number): string {
  const pad = " ".repeat(column);
  const lines = isList(value)
    ? value.map((entry) => `${pad}- ${emitYaml(entry, column + 2)}`).join("")
    : pad + emitYaml(value, column);
  return lines.replaceAll("\n", lineBreak(source));
}

/** A value in brackets, on one line. */
export function flow(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isMap(value)) return emitFlow(value);
  const pairs = Object.entries(value).map(([key, one]) => `${flowString(key)}: ${flow(one)}`);
  return `{${pairs.join(", ")}}`;
}

function cannotChange(target: Target): FindingError {
  return notEditable({ ...target, path: target.path.slice(0, -1) }, "cannot be changed in place");
}

function notEditable({ resource, path }: Target, why: string): FindingError {
  const field = path.join(".").replaceAll(".[", "[");
  const message = `${field === "" ? "the object" : `"${field}"`} ${why}. Write it out as a plain value, then render again.`;
  return new FindingError(finding("error", "field-not-editable", message, { resource, field }));
}
