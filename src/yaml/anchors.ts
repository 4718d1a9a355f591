import { isAlias, type Source } from "./source.ts";

/** The anchors of a text by name, each with its nodes in the order of the text, and whether the text has aliases. */
interface Anchors {
  readonly nodes: ReadonlyMap<string, readonly number[]>;
  readonly repeated: boolean;
}

const known = new WeakMap<Source, Anchors>();

function anchorsOf(source: Source): Anchors {
  const before = known.get(source);
  if (before !== undefined) return before;
  const nodes = new Map<string, number[]>();
  let repeated = false;
  for (let node = 0; node < source.length; node++) if (isAlias(source, node)) repeated = true;
  for (const node of source.properties.keys()) {
    const name = anchorOf(source, node);
    if (name === undefined) continue;
    const same = nodes.get(name);
    if (same === undefined) nodes.set(name, [node]);
    else same.push(node);
  }
  const anchors = { nodes, repeated };
  known.set(source, anchors);
  return anchors;
}

/** The name of a node's anchor, or undefined if it has none. */
export function anchorOf({ text, properties }: Source, node: number): string | undefined {
  const { anchorStart, anchorEnd } = properties.get(node) ?? { anchorStart: -1, anchorEnd: -1 };
  return anchorStart < 0 ? undefined : text.slice(anchorStart, anchorEnd);
}

/** The name of the anchor that an alias refers to. */
export function aliasOf({ text, starts, ends }: Source, alias: number): string {
  return text.slice(starts[alias], ends[alias]);
}

/**
 * The node that an alias refers to: the last node before it with that anchor. For a node that is not an alias, the node
 * itself.
 */
export function follow(source: Source, node: number): number {
  if (!isAlias(source, node)) return node;
  const nodes = anchorsOf(source).nodes.get(aliasOf(source, node)) ?? [];
  return lastBefore(nodes, node) ?? node;
}

// A binary search: a text may define the same anchor as often as it has aliases to it.
function lastBefore(nodes: readonly number[], limit: number): number | undefined {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return nodes[low - 1];
}

/**
 * Whether a node has an anchor in a text with aliases. Its value may be used elsewhere, so changing it here could
 * change it there.
 */
export function isShared(source: Source, node: number): boolean {
  return anchorOf(source, node) !== undefined && anchorsOf(source).repeated;
}

/** Whether a node, or a node inside it, {@link isShared}. If it is removed, an alias elsewhere may have no anchor. */
export function holdsShared(source: Source, node: number): boolean {
  if (source.properties.size === 0) return false;
  for (let index = node; index < (source.next[node] as number); index++) {
    if (isShared(source, index)) return true;
  }
  return false;
}
