import * as KIND from "./kind.ts";

/** Set in the kind of a scalar if its value differs from its source text: it is folded or indented, or has escapes. */
export const ENCODED = 16;

/**
 * The nodes of a text in order, as the columns of a table. A list of 10,000 objects has a million nodes, and creating
 * an object for each would cost more than reading them. A node is the number of its row. The row of a document or
 * collection is followed by the rows of its content (for a mapping: key, value, key, value), then by an `end`.
 */
export interface Nodes {
  /** The number of rows. */
  readonly length: number;
  /** A constant of kind.ts, with or without {@link ENCODED}. */
  readonly kinds: Uint8Array;
  /**
   * The offset of a collection's first key, dash or bracket, or of the first character of a scalar or alias, without
   * quote, indicator and anchor; -1 for an empty node.
   */
  readonly starts: Int32Array;
  /** The offset after the last character of a scalar or alias, without the quote. */
  readonly ends: Int32Array;
  /** The number of the first row after the node. */
  readonly next: Int32Array;
  /** The offset after the node's last character, closing quote or bracket included. */
  readonly stop: Int32Array;
  /** The values of the scalars that are {@link ENCODED}. */
  readonly encoded: ReadonlyMap<number, () => string>;
  /** The nodes that have an anchor or a tag. */
  readonly properties: ReadonlyMap<number, Properties>;
}

/** The offsets of a node's anchor (its name, without the ampersand) and tag; -1 if it has none. */
export interface Properties {
  readonly anchorStart: number;
  readonly anchorEnd: number;
  readonly tagStart: number;
  readonly tagEnd: number;
}

/** The kind of a node: a constant of kind.ts, without {@link ENCODED}. */
export function kindOf({ kinds }: Nodes, node: number): number {
  return (kinds[node] as number) & ~ENCODED;
}

export function isMapping({ kinds }: Nodes, node: number | undefined): node is number {
  const kind = node === undefined ? undefined : kinds[node];
  return kind === KIND.blockMapping || kind === KIND.flowMapping;
}

export function isSequence({ kinds }: Nodes, node: number | undefined): node is number {
  const kind = node === undefined ? undefined : kinds[node];
  return kind === KIND.blockSequence || kind === KIND.flowSequence;
}

/** Whether a collection is written in block style, not in brackets. */
export function isBlock({ kinds }: Nodes, node: number): boolean {
  return kinds[node] === KIND.blockMapping || kinds[node] === KIND.blockSequence;
}

export function isAlias({ kinds }: Nodes, node: number): boolean {
  return kinds[node] === KIND.alias;
}

export function isScalar(source: Nodes, node: number): boolean {
  return kindOf(source, node) >= KIND.plain;
}

/** Whether a scalar has an indicator (`|`, `>`), with its text on the lines that follow. */
export function isBlockScalar(source: Nodes, node: number): boolean {
  return kindOf(source, node) >= KIND.literal;
}

/** {@link Nodes} that are being written. */
export interface NewNodes extends Nodes {
  readonly encoded: Map<number, () => string>;
  readonly properties: Map<number, Properties>;
}

/** A table whose rows are still empty. */
export function newNodes(length: number): NewNodes {
  // One buffer, because the overhead of a buffer is larger than a column of a small file.
  const buffer = new ArrayBuffer(length * 17);
  const column = (place: number) => new Int32Array(buffer, place * length * 4, length);
  return {
    length,
    kinds: new Uint8Array(buffer, length * 16, length),
    starts: column(0),
    ends: column(1),
    next: column(2),
    stop: column(3),
    encoded: new Map(),
    properties: new Map(),
  };
}
