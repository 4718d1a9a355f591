/** The two numbers of an RSA key, in big-endian bytes without leading zeros. */
export interface RsaNumbers {
  readonly modulus: Uint8Array;
  readonly exponent: Uint8Array;
}

// SEQUENCE { OBJECT IDENTIFIER rsaEncryption, NULL } (RFC 3279, section 2.3.1).
const rsaEncryption = Buffer.from("300d06092a864886f70d0101010500", "hex");
const tags = { integer: 0x02, bits: 0x03, sequence: 0x30 };

/**
 * Reads an RSA key in the only DER form that X.690 and RFC 5280 allow: a SubjectPublicKeyInfo of rsaEncryption.
 *
 * @returns undefined for anything else. That includes forms that OpenSSL tolerates: numbers with leading zeros, lengths in
 * more bytes than necessary, and bytes after the end.
 */
export function readRsaSpki(der: Uint8Array): RsaNumbers | undefined {
  const key = inner(inner(der, tags.sequence), rsaEncryption);
  const numbers = inner(inner(key, tags.bits), Buffer.of(0));
  const modulus = first(inner(numbers, tags.sequence), tags.integer);
  const exponent = first(modulus?.rest, tags.integer);
  if (modulus === undefined || exponent === undefined) return undefined;
  const read = { modulus: unsigned(modulus.value), exponent: unsigned(exponent.value) };
  // Encoding the key again must give the same bytes. Then no reader can read another key from them.
  return spkiOf(read).equals(der) ? read : undefined;
}

// The SubjectPublicKeyInfo of an RSA key in DER.
function spkiOf({ modulus, exponent }: RsaNumbers): Buffer {
  const numbers = wrap(tags.sequence, wrap(tags.integer, signed(modulus)), wrap(tags.integer, signed(exponent)));
  return wrap(tags.sequence, rsaEncryption, wrap(tags.bits, Buffer.of(0), numbers));
}

/** The content of the value at the start of the bytes; for a fixed prefix, the bytes after it. */
function inner(bytes: Uint8Array | undefined, start: number | Buffer): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  if (typeof start === "number") return first(bytes, start)?.value;
  return start.equals(bytes.subarray(0, start.length)) ? bytes.subarray(start.length) : undefined;
}

function first(bytes: Uint8Array | undefined, tag: number): { value: Uint8Array; rest: Uint8Array } | undefined {
  if (bytes?.[0] !== tag || bytes[1] === undefined) return undefined;
  const size = bytes[1] < 0x80 ? 0 : bytes[1] - 0x80;
  if (size > 2) return undefined;
  const length = size === 0 ? bytes[1] : bytes.subarray(2, 2 + size).reduce((sum, byte) => sum * 256 + byte, 0);
  const start = 2 + size;
  return { value: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}

function wrap(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(contents);
  const { length } = value;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

// An INTEGER with its first bit set is negative. A leading zero byte makes it positive.
function signed(number: Uint8Array): Uint8Array {
  return (number[0] ?? 0) < 0x80 ? number : Buffer.concat([Buffer.of(0), number]);
}

function unsigned(integer: Uint8Array): Uint8Array {
  return integer[0] === 0 ? integer.subarray(1) : integer;
}
