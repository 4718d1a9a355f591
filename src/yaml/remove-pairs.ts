import { FindingError, finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { isShared } from "./anchors.ts";
import { type Edit, lineAfter } from "./edit.ts";
import type { Located } from "./set-field.ts";
import { isBlock, isMapping, pairOf, startOf, startOfLine } from "./source.ts";

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
