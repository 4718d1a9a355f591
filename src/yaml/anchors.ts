import { isAlias, type Source } from "./source.ts";

/** The anchors of a text, by name, each with its nodes in the order of the text; and whether any alias repeats one. */
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

/** The name of a node's anchor, or undefined where it has none. */
export function anchorOf({ text, properties }: Source, node: number): string | undefined {
  const { anchorStart, anchorEnd } = properties.get(node) ?? { anchorStart: -1, anchorEnd: -1 };
  return anchorStart < 0 ? undefined : text.slice(anchorStart, anchorEnd);
}

/** The name of the anchor that an alias repeats. */
export function aliasOf({ text, starts, ends }: Source, alias: number): string {
  return text.slice(starts[alias], ends[alias]);
}

/** The node that an alias stands for: the last one before it with that anchor, never an alias. Any other is itself. */
export function follow(source: Source, node: number): number {
  if (!isAlias(source, node)) return node;
  const nodes = anchorsOf(source).nodes.get(aliasOf(source, node)) ?? [];
  return lastBefore(nodes, node) ?? node;
}

// By halves: a text may have as many nodes of one anchor as it has aliases to it.
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
 * Says whether a node has an anchor in a text that has aliases: its value may stand in other places, and to change it
 * here would change it there.
 */
export function isShared(source: Source, node: number): boolean {
  return anchorOf(source, node) !== undefined && anchorsOf(source).repeated;
}

/** Says whether a node, or one inside it, {@link isShared}: without its text, an alias elsewhere may stand for nothing. */
export function holdsShared(source: Source, node: number): boolean {
  if (source.properties.size === 0) return false;
  for (let index = node; index < (source.next[node] as number); index++) {
    if (isShared(source, index)) return true;
  }
  return false;
}
