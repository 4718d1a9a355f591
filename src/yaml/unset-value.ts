import { FindingError, finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { holdsShared, isShared } from "./build.ts";
import { type Edit, lineAfter } from "./edit.ts";
import { type Located, notEditable, removedLines, replaceField, requireCollection } from "./set-field.ts";
import { isBlock, isMapping, type Pair, pairOf, pairsOf, type Source, startOf, startOfLine } from "./source.ts";

/**
 * The edits that remove a field with its lines, and no other character. A mapping that would be left without fields
 * becomes `{}`. No edits if the object has no such field of its own.
 *
 * The caller compares the values before and after, as for {@link replaceField}.
 *
 * @throws FindingError `field-not-editable` if an alias may refer to the field, or if it is not on lines of its own.
 */
export function unsetValue(object: Located & { readonly resource: Resource }, path: readonly string[]): Edit[] {
  const { source } = object;
  let mapping = object.node;
  for (const [index, key] of path.entries()) {
    requireCollection({ ...object, node: mapping, path: path.slice(0, index) }, "mapping");
    const pairs = pairsOf(source, mapping);
    const at = pairs.findIndex((pair) => pair.name === key);
    const pair = pairs[at];
    if (pair === undefined) return [];
    if (index < path.length - 1) {
      mapping = pair.value;
      continue;
    }
    if (holdsShared(source, pair.value))
      throw notEditable({ ...object, path }, "has an anchor that aliases may refer to");
    if (!isBlock(source, mapping)) return [removedInBrackets(source, pairs, at)];
    if (pairs.length === 1) return replaceField(object, path.slice(0, -1), {});
    const edit = removedPair(source, pair);
    if (edit === undefined) throw notEditable({ ...object, path }, "cannot be removed in place");
    return [edit];
  }
  return [];
}

function removedPair(source: Source, { key, value }: Pair): Edit | undefined {
  const { text } = source;
  const start = startOf(source, key);
  // A question mark may precede the key.
  if (/[^ \ufeff]/.test(text.slice(startOfLine(text, start), start))) return undefined;
  const written = text.slice(start, source.stop[value]).replace(/[\r\n][ \t\r\n]*$/, "");
  return removedLines(source, start, start + written.length);
}

// With the comma that separates the pair from another one.
function removedInBrackets(source: Source, pairs: readonly Pair[], at: number): Edit {
  const [before, pair, after] = [pairs[at - 1], pairs[at] as Pair, pairs[at + 1]];
  const start = startOf(source, pair.key);
  const stop = source.stop[pair.value] as number;
  if (after !== undefined) return { start, stop: startOf(source, after.key), text: "" };
  return { start: before === undefined ? start : (source.stop[before.value] as number), stop, text: "" };
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
  if (at === undefined || names.length === 0) return [];
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
