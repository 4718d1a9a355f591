import { isMap, type Resource, type Value } from "../core/resource.ts";
import type { Edit } from "./edit.ts";
import { addEntries, type Located, notEditable, replaceField, requireCollection, styleOf } from "./set-field.ts";
import { elements, pairOf } from "./source.ts";
import { unsetValue } from "./unset-value.ts";

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
  object: Located & { readonly resource: Resource },
  path: readonly string[],
  before: readonly Value[],
  after: readonly Value[],
): Edit[] {
  const { source, resource } = object;
  let node = object.node;
  for (const [index, key] of path.entries()) {
    const target = { ...object, node, path: path.slice(0, index) };
    requireCollection(target, "mapping");
    const pair = pairOf(source, node, key);
    if (pair === undefined) throw notEditable(target, "cannot be changed in place");
    node = pair.value;
  }
  requireCollection({ ...object, node, path }, "list");
  const nodes = elements(source, node);
  const changes = nodes.flatMap((entry, index) => {
    const [old, now] = [before[index], after[index]];
    if (!isMap(old) || !isMap(now)) return [];
    const at = { source, node: entry, resource };
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
