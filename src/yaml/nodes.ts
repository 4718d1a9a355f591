import * as KIND from "./kind.ts";

/** Set in the kind of a scalar whose text is not what a reader gets: it is folded, indented, or has escapes. */
export const ENCODED = 16;

/**
 * What stands in a text, in its order, as columns of a table: a list of 10,000 objects has a million nodes, and as many
 * objects in memory would cost more than to read them. A node is its row's number. After the row of a document or
 * collection come those of what is in it (of a mapping: key, value, key, value), then an `end`.
 */
export interface Nodes {
  /** How many rows there are. */
  readonly length: number;
  /** One of the constants of kind.ts, with {@link ENCODED} or without. */
  readonly kinds: Uint8Array;
  /**
   * The offset of a collection's first key, dash or bracket; of a scalar's or alias's first character, without quote,
   * indicator and anchor; -1 where nothing is written.
   */
  readonly starts: Int32Array;
  /** For a scalar or alias: the offset after its last character, without the quote. */
  readonly ends: Int32Array;
  /** The number of the first row after the node. */
  readonly next: Int32Array;
  /** The offset after the node's last character, closing quote or bracket included. */
  readonly stop: Int32Array;
  /** The texts of the scalars that are {@link ENCODED}, as a reader gets them. */
  readonly encoded: ReadonlyMap<number, () => string>;
  /** The nodes that have an anchor or a tag. */
  readonly properties: ReadonlyMap<number, Properties>;
}

/** Where a node's anchor (its name, without the ampersand) and tag stand; -1 for what it has not. */
export interface Properties {
  readonly anchorStart: number;
  readonly anchorEnd: number;
  readonly tagStart: number;
  readonly tagEnd: number;
}

/** What a node is, and how it is written: one of the constants of kind.ts. */
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

/** Says whether a collection is written in block style: not in brackets. */
export function isBlock({ kinds }: Nodes, node: number): boolean {
  return kinds[node] === KIND.blockMapping || kinds[node] === KIND.blockSequence;
}

export function isAlias({ kinds }: Nodes, node: number): boolean {
  return kinds[node] === KIND.alias;
}

export function isScalar(source: Nodes, node: number): boolean {
  return kindOf(source, node) >= KIND.plain;
}

/** Says whether a scalar has an indicator (`|`, `>`) and its text on the lines after that. */
export function isBlockScalar(source: Nodes, node: number): boolean {
  return kindOf(source, node) >= KIND.literal;
}

/** {@link Nodes} while they are written, in the order of the text. */
export class NodeWriter implements Nodes {
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  next: Int32Array;
  stop: Int32Array;
  readonly encoded = new Map<number, () => string>();
  readonly properties = new Map<number, Properties>();
  length = 0;
  /** Where the last leaf or collection ended. */
  private lastStop = 0;

  /** @param capacity how many rows may come; for more, the table grows. */
  constructor(capacity: number) {
    this.kinds = new Uint8Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.next = new Int32Array(capacity);
    this.stop = new Int32Array(capacity);
  }

  /** A scalar or an alias. */
  leaf(kind: number, start: number, end: number, stop: number, encoded?: () => string): void {
    const row = this.row(kind, start);
    if (encoded !== undefined) {
      this.kinds[row] = kind | ENCODED;
      this.encoded.set(row, encoded);
    }
    this.ends[row] = end;
    this.next[row] = row + 1;
    this.stop[row] = stop;
    this.lastStop = stop;
  }

  /** A document or a collection, which {@link close} ends; its row. */
  open(kind: number, start: number): number {
    return this.row(kind, start);
  }

  /** @param stop the offset after the last character of what was opened in `row`; where it has no closer, its last node's. */
  close(row: number, stop = this.lastStop): void {
    this.row(KIND.end, -1);
    this.next[row] = this.length;
    this.stop[row] = stop;
    this.lastStop = stop;
  }

  private row(kind: number, start: number): number {
    const row = this.length++;
    if (row === this.kinds.length) this.grow();
    this.kinds[row] = kind;
    this.starts[row] = start;
    return row;
  }

  private grow(): void {
    const wider = <T extends Uint8Array | Int32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    const capacity = this.kinds.length * 2 + 16;
    this.kinds = wider(this.kinds, new Uint8Array(capacity));
    this.starts = wider(this.starts, new Int32Array(capacity));
    this.ends = wider(this.ends, new Int32Array(capacity));
    this.next = wider(this.next, new Int32Array(capacity));
    this.stop = wider(this.stop, new Int32Array(capacity));
  }
}
