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

const nothingEncoded: Nodes["encoded"] = new Map();
const noProperties: Nodes["properties"] = new Map();

/** {@link Nodes} that are being written, in the order of the text. */
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

  /** @param capacity the expected number of rows. If there are more, the table grows. */
  constructor(capacity: number) {
    this.kinds = new Uint8Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.next = new Int32Array(capacity);
    this.stop = new Int32Array(capacity);
  }

  /** Writes a scalar or an alias. */
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

  /** Writes the start of a document or a collection, which {@link close} ends, and returns its row. */
  open(kind: number, start: number): number {
    return this.row(kind, start);
  }

  /** @param stop the offset after the last character of what was opened in `row`. Defaults to that of its last node. */
  close(row: number, stop = this.lastStop): void {
    this.row(KIND.end, -1);
    this.next[row] = this.length;
    this.stop[row] = stop;
    this.lastStop = stop;
  }

  /** The table, with no more memory than its rows need: a package of thousands of files keeps thousands of tables. */
  finish(): Nodes {
    const { length, encoded, properties } = this;
    // One buffer, because the overhead of a buffer is larger than a column of a small file.
    const buffer = new ArrayBuffer(length * 17);
    const column = (place: number, from: Int32Array): Int32Array => {
      const to = new Int32Array(buffer, place * length * 4, length);
      to.set(from.subarray(0, length));
      return to;
    };
    const kinds = new Uint8Array(buffer, length * 16, length);
    kinds.set(this.kinds.subarray(0, length));
    return {
      length,
      kinds,
      starts: column(0, this.starts),
      ends: column(1, this.ends),
      next: column(2, this.next),
      stop: column(3, this.stop),
      encoded: encoded.size === 0 ? nothingEncoded : encoded,
      properties: properties.size === 0 ? noProperties : properties,
    };
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
