import { lineAt } from "../core/text.ts";
import { elements, isMapping, isSequence, pairsOf, type Source, startOf } from "./source.ts";

/** A key that a mapping contains twice. */
export interface RepeatedKey {
  readonly name: string;
  /** The path of the mapping in the object; empty for the object itself. */
  readonly path: string;
  /** The line of the second key in the text. */
  readonly line: number;
}

/** The first key of a node that a mapping contains twice, in the order of the text. */
export function repeatedKey(source: Source, node: number, path = ""): RepeatedKey | undefined {
  if (isSequence(source, node)) {
    for (const [index, element] of elements(source, node).entries()) {
      const found = repeatedKey(source, element, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
  }
  if (!isMapping(source, node)) return undefined;
  const seen = new Set<string>();
  for (const { name, key, value } of pairsOf(source, node)) {
    if (name === undefined) continue;
    if (seen.has(name)) return { name, path, line: lineAt(source.text, startOf(source, key)) };
    seen.add(name);
    const found = repeatedKey(source, value, path === "" ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
