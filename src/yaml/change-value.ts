import { FindingError, finding } from "../core/finding.ts";
import { isMap, type Resource, type Value } from "../core/resource.ts";
import { startOfLine } from "../core/text.ts";
import { holdsShared, isShared } from "./build.ts";
import { columnOf, type Edit, lineAfter, removedLines, startOfBlock, styleOf } from "./edit.ts";
import { addEntries, type Editable, type Located, notEditable, replaceField, requireCollection } from "./set-field.ts";
import { elements, isBlock, isMapping, type Pair, pairOf, pairsOf, type Source, startOf } from "./source.ts";

/**
 * The edits that remove a field with its lines, and no other character. A mapping that would be left without fields
 * becomes `{}`. No edits if the object has no such field of its own.
 *
 * The caller compares the values before and after, as for {@link replaceField}.
 *
 * @throws FindingError `field-not-editable` if an alias may refer to the field, or if it is not on lines of its own.
 */
export function unsetValue(object: Editable, path: readonly string[]): Edit[] {
  const { source, path: base = [] } = object;
  const whole = { ...object, path: [...base, ...path] };
  let mapping = object.node;
  for (const [index, key] of path.entries()) {
    requireCollection({ ...object, node: mapping, path: [...base, ...path.slice(0, index)] }, "mapping");
    const pairs = pairsOf(source, mapping);
    const at = pairs.findIndex((pair) => pair.name === key);
    const pair = pairs[at];
    if (pair === undefined) return [];
    if (index < path.length - 1) {
      mapping = pair.value;
      continue;
    }
    if (holdsShared(source, pair.value)) throw notEditable(whole, "has an anchor that aliases may refer to");
    if (!isBlock(source, mapping)) return [removedInBrackets(pairs.map(spanOf(source)), at)];
    if (pairs.length === 1) return replaceField(object, path.slice(0, -1), {});
    const edit = removedPair(source, pair);
    if (edit === undefined) throw notEditable(whole, "cannot be removed in place");
    return [edit];
  }
  return [];
}

function removedPair(source: Source, { key, value }: Pair): Edit | undefined {
  const { text } = source;
  const start = startOf(source, key);
  // A question mark may precede the key.
  if (/[^ \ufeff]/.test(text.slice(startOfLine(text, start), start))) return undefined;
  const written = text.slice(start, source.stop[value]).trimEnd();
  return removedLines(source, start, start + written.length);
}

/** Where a pair or an entry is in the text. */
interface Span {
  readonly start: number;
  readonly stop: number;
}

function spanOf(source: Source) {
  return ({ key, value }: Pair): Span => ({ start: startOf(source, key), stop: source.stop[value] as number });
}

// With the comma that separates it from another one.
function removedInBrackets(spans: readonly Span[], at: number): Edit {
  const [before, { start, stop }, after] = [spans[at - 1], spans[at] as Span, spans[at + 1]];
  if (after !== undefined) return { start, stop: after.start, text: "" };
  return { start: before?.stop ?? start, stop, text: "" };
}

/**
 * The edits that remove pairs from a mapping at the top level of an item, each with its lines. Names that the mapping does
 * not contain are ignored. At least one pair must remain or be added: a block mapping cannot be empty.
 *
 * @throws FindingError `field-not-editable` if a pair is not on lines of its own, or if an alias may refer to it.
 */
export function removePairs(
  { source, node }: Located,
  resource: Resource,
  mapping: string,
  names: readonly string[],
): Edit[] {
  const at = pairOf(source, node, mapping)?.value;
  if (at === undefined) return [];
  return names.flatMap((name) => {
    const refused = () => {
      const field = `${mapping}.${name}`;
      const message = `"${field}" cannot be removed in place. Remove it by hand, then run the command again.`;
      return new FindingError(finding("error", "field-not-editable", message, { resource, field }));
    };
    if (!isMapping(source, at) || isShared(source, at)) throw refused();
    const pair = pairOf(source, at, name);
    if (pair === undefined) return [];
    const key = startOf(source, pair.key);
    const start = startOfLine(source.text, key);
    if (!isBlock(source, at) || /[^ \ufeff]/.test(source.text.slice(start, key)) || isShared(source, pair.value))
      throw refused();
    return [{ start, stop: lineAfter(source, pair.value), text: "" }];
  });
}

/**
 * The edits that change entries of a list in place, and add entries at its end; no other character changes.
 *
 * The caller compares the values before and after, as for {@link replaceField}.
 *
 * @param before the entries of the list.
 * @param after as many entries or more: each a mapping where it differs from the one before.
 * @throws FindingError as {@link setField}.
 */
export function extendList(
  object: Omit<Editable, "path">,
  path: readonly string[],
  before: readonly Value[],
  after: readonly Value[],
): Edit[] {
  const { source, resource } = object;
  const node = listAt(object, path);
  const nodes = elements(source, node);
  const changes = nodes.flatMap((entry, index) => {
    const [old, now] = [before[index], after[index]];
    if (!isMap(old) || !isMap(now)) return [];
    const at = { source, node: entry, resource, path: [...path, `[${index}]`] };
    const changed = Object.entries(now).filter(([key, value]) => old[key] !== value);
    const removed = Object.keys(old).filter((key) => !Object.hasOwn(now, key));
    return [
      ...removed.flatMap((key) => unsetValue(at, [key])),
      ...changed.flatMap(([key, value]) => replaceField(at, [key], value)),
    ];
  });
  const added = after.slice(nodes.length);
  if (added.length === 0) return changes;
  return [...changes, addEntries(source, node, nodes.at(-1), added, styleOf({ source, node: object.node }, path))];
}

/**
 * The edits that remove an entry of a list with its lines, and no other character. Another entry must remain.
 *
 * The caller compares the values before and after, as for {@link replaceField}.
 *
 * @throws FindingError as {@link unsetValue}.
 */
export function removeEntry(object: Omit<Editable, "path">, path: readonly string[], index: number): Edit[] {
  const { source } = object;
  const { text } = source;
  const list = listAt(object, path);
  const nodes = elements(source, list);
  const entry = nodes[index] as number;
  const whole = { ...object, path: [...path, `[${index}]`] };
  if (holdsShared(source, entry)) throw notEditable(whole, "has an anchor that aliases may refer to");
  const spans = nodes.map((node) => ({ start: startOf(source, node), stop: source.stop[node] as number }));
  if (!isBlock(source, list)) return [removedInBrackets(spans, index)];
  const { start, stop } = spans[index] as Span;
  const dash = dashBefore(source, start, columnOf(source, startOfBlock(source, list)));
  // An entry of another list may begin on the same line.
  if (/[^ \ufeff]/.test(text.slice(startOfLine(text, dash), dash)))
    throw notEditable(whole, "cannot be removed in place");
  return [removedLines(source, dash, start + text.slice(start, stop).trimEnd().length)];
}

// Comments and line breaks may be between the dash and the entry.
function dashBefore(source: Source, start: number, column: number): number {
  const { text } = source;
  for (let line = startOfLine(text, start); line > 0; line = startOfLine(text, line - 1))
    if (text[line + column] === "-") return line + column;
  return column;
}

/** @throws FindingError `field-not-editable` if the object has no list of its own there. */
function listAt(object: Omit<Editable, "path">, path: readonly string[]): number {
  let node = object.node;
  for (const [index, key] of path.entries()) {
    const target = { ...object, node, path: path.slice(0, index) };
    requireCollection(target, "mapping");
    const pair = pairOf(object.source, node, key);
    if (pair === undefined) throw notEditable(target, "cannot be changed in place");
    node = pair.value;
  }
  requireCollection({ ...object, node, path }, "list");
  return node;
}
