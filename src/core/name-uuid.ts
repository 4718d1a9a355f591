import { sha1 } from "@noble/hashes/legacy.js";

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
