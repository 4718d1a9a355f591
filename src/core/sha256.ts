import { sha256 as digest } from "@noble/hashes/sha2.js";

/*
 * Not node:crypto: loading it takes a third of the time that a function adds to the start of Node.
 */

/** SHA-256 of bytes, or of a text in UTF-8. */
export function sha256(data: Uint8Array | string): Buffer {
  return Buffer.from(digest(Buffer.from(data)));
}

/** The first eight hexadecimal digits of a text's SHA-256: enough to keep truncated names distinct. */
export function shortHash(text: string): string {
  return sha256(text).toString("hex").slice(0, 8);
}
