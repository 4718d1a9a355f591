import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 as digest } from "@noble/hashes/sha2.js";

/*
 * Not node:crypto: loading it takes a third of the time that a function adds to the start of Node.
 */

/** SHA-256 of bytes, or of a text in UTF-8. */
export function sha256(data: Uint8Array | string): Buffer {
  return Buffer.from(digest(Buffer.from(data)));
}

/** The digest of bytes, or of a text in UTF-8, as manifests of images write it: `sha256:` and 64 hexadecimal digits. */
export function digestOf(data: Uint8Array | string): string {
  return `sha256:${sha256(data).toString("hex")}`;
}

/** The first eight hexadecimal digits of a text's SHA-256: enough to keep truncated names distinct. */
export function shortHash(text: string): string {
  return sha256(text).toString("hex").slice(0, 8);
}

/** The first characters of a text's SHA-256 in lowercase base32 (RFC 4648, section 6); 5 bits each, at most 12 of them. */
export function base32Hash(text: string, length: number): string {
  const bits = sha256(text).readBigUInt64BE();
  const digits = Array.from({ length }, (_, place) => Number((bits >> BigInt(59 - 5 * place)) & 31n));
  return digits.map((digit) => base32.charAt(digit)).join("");
}

const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * A UUID that depends only on its namespace and its name (RFC 9562, version 5), in lowercase.
 *
 * @param namespace a UUID
 */
export function nameUuid(namespace: string, name: string): string {
  const bytes = Buffer.concat([Buffer.from(namespace.replaceAll("-", ""), "hex"), Buffer.from(name, "utf8")]);
  const hash = Buffer.from(sha1(bytes)).subarray(0, 16);
  hash[6] = ((hash[6] as number) & 0x0f) | 0x50;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Tells whether a text is a UUID, in uppercase or lowercase (RFC 9562, section 4). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
