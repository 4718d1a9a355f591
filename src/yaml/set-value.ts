import { FindingError, finding } from "../core/finding.ts";
import type { Resource, Value, ValueMap } from "../core/resource.ts";
import { holdsShared, isShared } from "./anchors.ts";
import { columnOf, type Edit, insertLines, lineAfter, lineBreak } from "./edit.ts";
import { type BlockStyle, emitBlock, inlineString } from "./emit.ts";
import { flowString } from "./emit-flow.ts";
import { isBracketed } from "./from-events.ts";
import { endOfLine, startOfLine } from "./lines.ts";
import { addInBrackets, flow, headerComment, type Located, startOfBlock, styled } from "./set-field.ts";
import {
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

/** An object in a text, and how messages name it. */
export interface EditedObject extends Located {
  readonly resource: Resource;
}

/**
 * The edits that give a field a value, whatever value it has. Mappings that are missing on the path are added, in the
 * style of the text. The old value is replaced as a whole, with the comments inside it; no other character changes. The
 * field must not have the value yet.
 *
 * The caller compares the values before and after: text in rare forms, such as a merge, can give another value than
 * the edits intend.
 *
 * @throws FindingError `field-not-editable` if the text cannot be changed in only one place, because of an alias or an
 *   anchor, or if a value on the path is not a mapping.
 */
export function setValue(object: EditedObject, path: readonly string[], value: Value): Edit[] {
  const { source } = object;
  const style = styleOf(object, path);
  let mapping = object.node;
  for (const [index, key] of path.entries()) {
    requireMapping(object, mapping, path.slice(0, index));
    const pair = pairOf(source, mapping, key);
    const rest = path.slice(index + 1).reduceRight<Value>((inner, one) => ({ [one]: inner }), value);
    if (pair === undefined) {
      if (!isBlock(source, mapping) && !isBracketed(source.text, source, mapping))
        throw notEditable(object, path.slice(0, index), "cannot be changed in place");
      return [addPair(source, mapping, { [key]: rest }, style)];
    }
    if (index === path.length - 1 || isEmpty(source, pair.value)) {
      if (holdsShared(source, pair.value))
        throw notEditable(object, path.slice(0, index + 1), "has an anchor that aliases may refer to");
      const edits = replaceValue(source, mapping, pair, rest, style);
      if (edits === undefined) throw notEditable(object, path.slice(0, index + 1), "cannot be changed in place");
      return edits;
    }
    mapping = pair.value;
  }
  throw notEditable(object, path, "cannot be changed in place");
}

/** @throws FindingError `field-not-editable` if a node on a path is not a mapping that can be changed in one place. */
export function requireMapping(object: EditedObject, node: number, path: readonly string[]): void {
  const { source } = object;
  if (isAlias(source, node)) throw notEditable(object, path, "is an alias");
  if (!isMapping(source, node)) throw notEditable(object, path, "is not a mapping");
  if (isShared(source, node)) throw notEditable(object, path, "has an anchor that aliases may refer to");
}

/** The finding about a field that cannot be changed in place. */
export function notEditable({ resource }: EditedObject, path: readonly string[], why: string): FindingError {
  const field = path.join(".");
  const message = `${field === "" ? "the object" : `"${field}"`} ${why}. Change it by hand, then run the command again.`;
  return new FindingError(finding("error", "field-not-editable", message, { resource, field }));
}

function addPair(source: Source, mapping: number, pair: ValueMap, style: BlockStyle): Edit {
  if (!isBlock(source, mapping))
    return addInBrackets(source, mapping, pairsOf(source, mapping).at(-1)?.value, flow(pair));
  const column = columnOf(source, startOfBlock(source, mapping));
  return insertLines(source, lineAfter(source, mapping), blockLines(source, pair, column, style));
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
  if (isScalar(source, node) && !isEmpty(source, node)) return styled(value, kindOf(source, node), inBlock);
  return inBlock ? inlineString(value) : flowString(value);
}

function replaceInline({ source, node, start, stop, colon }: Old, text: string): Edit[] {
  if (start === colon) return [{ start, stop, text: ` ${text}` }];
  if (isBlockScalar(source, node)) return [{ start, stop, text: text + headerComment(source.text, start) }];
  if (!isBlockCollection(source, node)) return [{ start, stop, text }];
  // A comment between the key and the collection stays.
  return [{ start: colon, stop: colon, text: ` ${text}` }, removedLines(source, start, stop)];
}

function replaceByLines({ source, node, start, stop, colon }: Old, lines: string): Edit[] | undefined {
  const { text } = source;
  const withoutEnd = lines.replace(/\r?\n$/, "");
  if (isBlockCollection(source, node)) {
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

function isBlockCollection(source: Source, node: number): boolean {
  return isBlock(source, node) && (isMapping(source, node) || isSequence(source, node));
}

/** The edit that removes the lines of a node, with comments on them. */
export function removedLines({ text }: Source, start: number, stop: number): Edit {
  return { start: startOfLine(text, start), stop: Math.min(endOfLine(text, stop) + 1, text.length), text: "" };
}

// A collection of the same kind stays where it is.
function columnFor({ source, node }: Old, key: number, value: Value, style: BlockStyle): number {
  const isSame = Array.isArray(value) ? isSequence(source, node) : isMapping(source, node);
  if (isSame && isBlock(source, node)) return columnOf(source, startOfBlock(source, node));
  return key + (Array.isArray(value) ? style.list : style.mapping).length;
}

function blockLines(source: Source, value: ValueMap | readonly Value[], column: number, style: BlockStyle): string {
  return emitBlock(value, column, style).replaceAll("\n", lineBreak(source));
}

// The indentation of the nearest mapping on the path, and of the first list of the object.
function styleOf({ source, node }: EditedObject, path: readonly string[]): BlockStyle {
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
