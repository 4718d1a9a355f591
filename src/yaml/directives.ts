import type { DocumentEvent } from "js-yaml";
import { EVENT } from "./events.ts";
import type { Source } from "./source.ts";

const known = new WeakMap<Source, readonly number[]>();

/** The row of the document that a node is in. */
export function documentOf(source: Source, node: number): number {
  const rows = known.get(source) ?? rowsOf(source);
  known.set(source, rows);
  // By halves: a text may have as many documents as somebody asks about nodes.
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

/** Directives name the prefixes of tags; they are the document's that the node is in. */
export function directivesOf(source: Source, node: number): DocumentEvent["directives"] {
  const event = source.events()[documentOf(source, node)];
  return event?.type === EVENT.DOCUMENT ? event.directives : [];
}
