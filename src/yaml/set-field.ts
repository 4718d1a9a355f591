import { FindingError, finding } from "../core/finding.ts";
import {
  type FieldChange,
  isMap,
  type NamedEntry,
  type Resource,
  type Value,
  type ValueMap,
} from "../core/resource.ts";
import { endOfLine } from "../core/text.ts";
import { holdsShared, isShared } from "./build.ts";
import { columnOf, type Edit, insertLines, lineAfter, lineBreak, removedLines, startOfBlock, styleOf } from "./edit.ts";
import { type BlockStyle, emitBlock, emitFlow, flowString, inlineString } from "./emit.ts";
import { isBracketed } from "./from-events.ts";
import * as KIND from "./kind.ts";
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

/** The source text and node of an object, such as an item of a list. */
export interface Located {
  readonly source: Source;
  readonly node: number;
}

/** An object to edit, or a part of one. */
export interface Editable extends Located {
  readonly resource: Resource;
  /** The path of the part in the object, for messages; missing for the object itself. */
  readonly path?: readonly string[];
}

/** A node to edit, and how messages name it: by its object, and its path there. */
export interface EditedNode extends Editable {
  readonly path: readonly string[];
}

/** How a field is set. */
interface Way {
  /** The rest of the path: so many mappings have one field of their own. */
  readonly depth: number;
  /** The value replaces what is there. Otherwise, its fields and entries are set and the others stay. */
  readonly replaces: boolean;
  readonly style: BlockStyle;
}

/**
 * The edits that set fields of an item without changing any other character. Missing mappings and lists on the path are
 * added, in the style of the text. Fields that already have the value are not touched.
 *
 * @throws FindingError `field-not-editable` if the text cannot be changed in only one place, because of an alias or an
 *   anchor on the path, or if a value on the path has an unexpected type.
 */
export function setField({ source, node }: Located, { resource, path, value }: FieldChange): Edit[] {
  return set({ source, node, resource, path: [] }, path, value, false);
}

/**
 * The edits that replace a field with any value, with the comments inside it; no other character changes. The field must not
 * have the value yet.
 *
 * The caller compares the values before and after: text in rare forms, such as a merge, can give another value than
 * the edits intend.
 *
 * @throws FindingError as {@link setField}.
 */
export function replaceField(object: Editable, path: readonly string[], value: Value): Edit[] {
  return set({ path: [], ...object }, path, value, true);
}

function set(edited: EditedNode, path: readonly string[], value: Value, replaces: boolean): Edit[] {
  const whole = path.reduceRight((inner, key) => ({ [key]: inner }), value);
  return setNode(edited, whole as ValueMap, { depth: path.length, replaces, style: styleOf(edited, path) });
}

function setNode(edited: EditedNode, value: ValueMap | readonly NamedEntry[], way: Way): Edit[] {
  requireCollection(edited, isList(value) ? "list" : "mapping");
  return isList(value) ? setEntries(edited, value, way) : setPairs(edited, value, way);
}

/** @throws FindingError `field-not-editable` if a node is not a collection that can be changed in one place. */
export function requireCollection(edited: EditedNode, kind: "mapping" | "list"): void {
  const { source, node } = edited;
  if (isAlias(source, node)) throw notEditable(edited, "is an alias");
  if (!(kind === "list" ? isSequence : isMapping)(source, node)) throw notEditable(edited, `is not a ${kind}`);
  if (isShared(source, node)) throw notEditable(edited, "has an anchor that aliases may refer to");
}

function isList(value: Value): value is readonly NamedEntry[] {
  return Array.isArray(value);
}

// Additions come after changes, because two insertions may have the same offset.
function setPairs(edited: EditedNode, values: ValueMap, way: Way): Edit[] {
  const { source, node: mapping, path } = edited;
  const edits: Edit[] = [];
  const missing: Record<string, Value> = {};
  for (const [key, value] of Object.entries(values)) {
    const pair = pairOf(source, mapping, key);
    if (pair === undefined) missing[key] = value;
    else {
      const inner = { ...edited, node: pair.value, path: [...path, key] };
      edits.push(...setPair(inner, mapping, pair, value, { ...way, depth: way.depth - 1 }));
    }
  }
  if (Object.keys(missing).length === 0) return edits;
  // A pair in a list in brackets (`[a: b]`) is a mapping to which no pair can be added.
  if (!isBlock(source, mapping) && !isBracketed(source.text, source, mapping))
    throw notEditable(edited, "cannot be changed in place");
  return [...edits, addPairs(source, mapping, missing, way.style)];
}

function setPair(edited: EditedNode, mapping: number, pair: Pair, value: Value, way: Way): Edit[] {
  const { source, node } = edited;
  if (!isEmpty(source, node)) {
    if (way.depth > 0 || (!way.replaces && typeof value === "object")) return setNode(edited, value as ValueMap, way);
    if (!way.replaces && !isScalar(source, node) && !isAlias(source, node))
      throw notEditable(edited, "is not a single value");
    if (!way.replaces && isValue(source, node, value)) return [];
  }
  if (holdsShared(source, node)) throw notEditable(edited, "has an anchor that aliases may refer to");
  const edits = replaceValue(source, mapping, pair, value, way.style);
  if (edits === undefined)
    throw notEditable({ ...edited, path: edited.path.slice(0, -1) }, "cannot be changed in place");
  return edits;
}

function isValue(source: Source, node: number, value: Value): boolean {
  const built = construct(source, node);
  return "value" in built && built.value === value;
}

/** The comment of a block scalar, which follows its indicator, with the white space before it. */
function headerComment(text: string, start: number): string {
  const header = text.slice(start, endOfLine(text, start));
  return /[ \t]+#[^\r]*/.exec(header)?.[0] ?? "";
}

/** A string in the style of the scalar that it replaces, as far as that style can write it. */
function styled(value: string, kind: number, inBlock: boolean): string {
  if (kind === KIND.singleQuoted && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return kind === KIND.doubleQuoted || !inBlock ? flowString(value) : inlineString(value);
}

function addPairs(source: Source, mapping: number, values: ValueMap, style: BlockStyle): Edit {
  if (!isBlock(source, mapping))
    return addInBrackets(source, mapping, pairsOf(source, mapping).at(-1)?.value, flow(values));
  const column = columnOf(source, startOfBlock(source, mapping));
  return insertLines(source, lineAfter(source, mapping), blockLines(source, values, column, style));
}

function setEntries(edited: EditedNode, entries: readonly NamedEntry[], way: Way): Edit[] {
  const { source, node: list, path } = edited;
  const nodes = elements(source, list);
  const edits: Edit[] = [];
  const missing: NamedEntry[] = [];
  for (const entry of entries) {
    const { name, ...rest } = entry;
    const index = nodes.findIndex((node) => isNamed(source, node, name));
    const node = nodes[index];
    if (node === undefined) missing.push(entry);
    else edits.push(...setNode({ ...edited, node, path: [...path, `[${index}]`] }, rest, way));
  }
  return missing.length === 0 ? edits : [...edits, addEntries(source, list, nodes.at(-1), missing, way.style)];
}

// Compares the value, because a name may be an alias or come from a merge.
function isNamed(source: Source, node: number, name: string): boolean {
  const built = construct(source, node);
  return "value" in built && isMap(built.value) && built.value["name"] === name;
}

/** The edit that adds entries at the end of a list. `last` is the node of its last entry. */
export function addEntries(
  source: Source,
  list: number,
  last: number | undefined,
  entries: readonly Value[],
  style: BlockStyle,
): Edit {
  if (!isBlock(source, list)) return addInBrackets(source, list, last, flow(entries));
  const column = columnOf(source, startOfBlock(source, list));
  return insertLines(source, lineAfter(source, list), blockLines(source, entries, column, style));
}

/** Inserts directly after the last node of a collection in brackets, before a trailing comma and comments. */
function addInBrackets(source: Source, collection: number, last: number | undefined, text: string): Edit {
  const at = last === undefined ? (source.stop[collection] as number) - 1 : (source.stop[last] as number);
  return { start: at, stop: at, text: `${last === undefined ? "" : ", "}${text.slice(1, -1)}` };
}

/** A value in brackets, on one line. */
function flow(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isMap(value)) return emitFlow(value);
  const pairs = Object.entries(value).map(([key, one]) => `${flowString(key)}: ${flow(one)}`);
  return `{${pairs.join(", ")}}`;
}

/** A value that is replaced: its text without line breaks at its end, and the offset after the colon before it. */
interface Old {
  readonly source: Source;
  readonly node: number;
  readonly start: number;
  readonly stop: number;
  readonly colon: number;
}

function replaceValue(
  source: Source,
  mapping: number,
  pair: Pair,
  value: Value,
  style: BlockStyle,
): Edit[] | undefined {
  const old = oldValue(source, pair);
  if (old === undefined) return undefined;
  const inBlock = isBlock(source, mapping);
  if (inBlock && isFilled(value) && !isBracketed(source.text, source, pair.value)) {
    const key = columnOf(source, startOf(source, pair.key));
    const column = columnFor(old, key, value, style);
    return replaceByLines(old, blockLines(source, value, column, style));
  }
  return replaceInline(old, inlineText(old, value, inBlock));
}

function isFilled(value: Value): value is ValueMap | readonly Value[] {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function oldValue(source: Source, { key, value: node }: Pair): Old | undefined {
  const { text } = source;
  const gap = /^\s*:/.exec(text.slice(source.stop[key] as number));
  if (gap === null) return undefined;
  const colon = (source.stop[key] as number) + gap[0].length;
  const start = startOf(source, node);
  if (start < 0) return { source, node, start: colon, stop: colon, colon };
  // The line break and the empty lines after it are kept.
  const written = text.slice(start, source.stop[node]).replace(/[\r\n][ \t\r\n]*$/, "");
  return { source, node, start, stop: start + written.length, colon };
}

function inlineText({ source, node }: Old, value: Value, inBlock: boolean): string {
  if (typeof value !== "string") return flow(value);
  return styled(value, kindOf(source, node), inBlock);
}

function replaceInline({ source, node, start, stop, colon }: Old, text: string): Edit[] {
  if (start === stop) return [{ start, stop, text: ` ${text}` }];
  if (isBlockScalar(source, node)) return [{ start, stop, text: text + headerComment(source.text, start) }];
  if (!isBlock(source, node)) return [{ start, stop, text }];
  // A comment between the key and the collection stays.
  return [{ start: colon, stop: colon, text: ` ${text}` }, removedLines(source, start, stop)];
}

function replaceByLines({ source, node, start, stop, colon }: Old, lines: string): Edit[] | undefined {
  const { text } = source;
  const withoutEnd = lines.replace(/\r?\n$/, "");
  if (isBlock(source, node)) {
    if (source.properties.has(node)) return undefined;
    const removed = removedLines(source, start, stop);
    return [{ ...removed, text: removed.stop < text.length || /[\r\n]$/.test(text) ? lines : withoutEnd }];
  }
  // The space before the value is removed with it.
  let from = start;
  while (from > colon && /[ \t]/.test(text.charAt(from - 1))) from--;
  if (isBlockScalar(source, node))
    return [{ start: from, stop, text: headerComment(text, start) + lineBreak(source) + withoutEnd }];
  const end = endOfLine(text, stop);
  const before = text[end - 1] === "\r" ? end - 1 : end;
  return [
    { start: from, stop, text: "" },
    { start: before, stop: before, text: lineBreak(source) + withoutEnd },
  ];
}

// A collection of the same kind stays where it is.
function columnFor({ source, node }: Old, key: number, value: Value, style: BlockStyle): number {
  const isSame = Array.isArray(value) ? isSequence(source, node) : isMapping(source, node);
  if (isSame) return columnOf(source, startOfBlock(source, node));
  return key + (Array.isArray(value) ? style.list : style.mapping).length;
}

function blockLines(source: Source, value: ValueMap | readonly Value[], column: number, style: BlockStyle): string {
  return emitBlock(value, column, style).replaceAll("\n", lineBreak(source));
}

/** The finding about a node that cannot be changed in place. */
export function notEditable({ resource, path }: Omit<EditedNode, "source" | "node">, why: string): FindingError {
  const field = path.join(".").replaceAll(".[", "[");
  const message = `${field === "" ? "the object" : `"${field}"`} ${why}. Write it out as a plain value, then run the command again.`;
  return new FindingError(finding("error", "field-not-editable", message, { resource, field }));
}
