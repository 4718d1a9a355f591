import type { DocumentEvent } from "js-yaml";
import { EVENT } from "./events.ts";
import type { Source } from "./source.ts";

const known = new WeakMap<Source, readonly number[]>();

/** The row of the document that contains a node. */
export function documentOf(source: Source, node: number): number {
  const rows = known.get(source) ?? rowsOf(source);
  known.set(source, rows);
  // A binary search, because both documents and lookups can be many.
  let low = 0;
  let high = rows.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as number) <= node) low = middle;
    else high = middle;
  }
  return rows[low] as number;
}

function rowsOf({ next, length }: Source): number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row = next[row] as number) rows.push(row);
  return rows;
}

/** The directives of the document that contains a node. They define the prefixes of tags. */
export function directivesOf(source: Source, node: number): DocumentEvent["directives"] {
  const event = source.events()[documentOf(source, node)];
  return event?.type === EVENT.DOCUMENT ? event.directives : [];
}
