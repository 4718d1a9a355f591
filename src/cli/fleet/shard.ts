import { sha256 } from "../../core/hash.ts";
import { quote } from "../../core/text.ts";
import { UsageError } from "../terminal/errors.ts";

/** A part of all packages. */
export interface Shard {
  /** From 1 to {@link count}. */
  readonly index: number;
  readonly count: number;
}

const maxCount = 10_000;

/** Reads `--shard I/N`. @throws UsageError */
export function readShard(text: string): Shard {
  const [, first, second] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const [index, count] = [Number(first), Number(second)];
  if (first === undefined || index < 1 || index > count || count > maxCount)
    throw new UsageError(
      `--shard must be I/N with I from 1 to N and N up to ${maxCount}, such as "1/4", not ${quote(text)}; a CI system or a Job that counts from 0 must add 1`,
    );
  return { index, count };
}

/**
 * Whether a package is in a part: the first six bytes of the SHA-256 of its path, modulo the number of parts. So the part of
 * a package does not depend on other packages.
 */
export function isInShard(path: string, { index, count }: Shard): boolean {
  return sha256(path).readUIntBE(0, 6) % count === index - 1;
}
