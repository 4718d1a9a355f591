import type { Value, ValueMap } from "../core/resource.ts";
import { readBase64url } from "../core/text.ts";
import { curves, minRsaBits, unusualRsaBits, usualExponent } from "./algorithms.ts";
import type { KeyLimits } from "./limits.ts";

/** A problem with the numbers of a public key. The cause is a predicate for a sentence that begins with the key. */
export interface MaterialProblem {
  /**
   * - `malformed`: not in the form that RFC 7518 requires, so readers may read different keys from it, or none;
   * - `weak`: well formed, but the numbers let others than the key's owner sign;
   * - `unknown`: well formed, but how the cloud handles it is not documented.
   */
  readonly verdict: "malformed" | "weak" | "unknown";
  readonly cause: string;
}

/** The maximum octets of an exponent, so that the computation takes bounded time: OpenSSL and Java accept 64 bits with a long modulus. */
const longestExponent = 8;

/**
 * Judges the numbers of an RSA key (RFC 7518, section 6.3.1): the fewest bits, the usual exponent, base64url of the
 * fewest octets. The time that this takes grows only with the length of the texts.
 */
export function judgeRsa({ n, e }: ValueMap, { reader }: KeyLimits): MaterialProblem | undefined {
  const modulus = readNumber('modulus ("n")', n);
  if ("cause" in modulus) return modulus;
  const exponent = readNumber('exponent ("e")', e);
  if ("cause" in exponent) return exponent;
  const bits = bitsOf(modulus);
  if (bits < minRsaBits) return weak(`is an RSA key of ${bits} bits, but must have at least ${minRsaBits}`);
  if (isEven(modulus)) return weak("is an RSA key with an even modulus, which anyone can factor");
  return judgeExponent(exponent, reader) ?? judgeLength(bits, reader);
}

function judgeExponent(exponent: Uint8Array, reader: string): MaterialProblem | undefined {
  if (exponent.length > longestExponent)
    return unknown(
      `is an RSA key with a public exponent of ${bitsOf(exponent)} bits; how ${reader} handles that is not documented, so use ${usualExponent}`,
    );
  const value = BigInt(`0x${Buffer.from(exponent).toString("hex")}`);
  if (value === BigInt(usualExponent)) return undefined;
  const cause = `is an RSA key with the public exponent ${value}`;
  // With 1, anyone can sign. With 3, many implementations accepted forged signatures. An even exponent has no private key.
  if (value === 1n || value === 3n || isEven(exponent)) return weak(`${cause}, but must have ${usualExponent}`);
  return unknown(`${cause}; how ${reader} handles that is not documented, so use ${usualExponent}`);
}

function judgeLength(bits: number, reader: string): MaterialProblem | undefined {
  if (bits < unusualRsaBits) return undefined;
  return unknown(`is an RSA key of ${bits} bits; whether ${reader} reads keys of that length is not documented`);
}

/** Returns whether checking a signature with this key takes only a short time. */
export function isQuickToCheck({ kty, n, e }: ValueMap): boolean {
  if (kty !== "RSA") return true;
  const [modulus, exponent] = [n, e].map(
    (value) => Buffer.from(typeof value === "string" ? value : "", "base64url").length,
  );
  return (modulus ?? 0) <= unusualRsaBits / 8 && (exponent ?? 0) <= longestExponent;
}

/** Judges the numbers of an EC key on a known curve: both coordinates must have the full length, and be a point on the curve. */
export function judgeEc({ crv, x, y }: ValueMap): MaterialProblem | undefined {
  const octets = curves.get(String(crv))?.octets ?? 0;
  for (const [name, value] of Object.entries({ x, y })) {
    const read = readOctets(`coordinate "${name}"`, value ?? undefined);
    if ("cause" in read) return read;
    if (read.length !== octets)
      return malformed(`has a coordinate "${name}" of ${read.length} octets, but ${String(crv)} requires ${octets}`);
  }
  return isPoint({ crv: String(crv), x: String(x), y: String(y) })
    ? undefined
    : malformed(`has coordinates that are not a point on ${String(crv)}`);
}

// OpenSSL checks whether the point is on the curve. It is loaded only here, because loading it takes as long as a whole
// function.
function isPoint(point: { crv: string; x: string; y: string }): boolean {
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  try {
    createPublicKey({ key: { kty: "EC", ...point }, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

// A Base64urlUInt uses the fewest octets possible for its number (RFC 7518, section 2).
function readNumber(name: string, value: Value | undefined): Uint8Array | MaterialProblem {
  const read = readOctets(name, value);
  if ("cause" in read || read[0] !== 0) return read;
  return malformed(`has a zero octet at the start of its ${name}`);
}

function readOctets(name: string, value: Value | undefined): Uint8Array | MaterialProblem {
  if (value === undefined) return malformed(`has no ${name}`);
  if (typeof value !== "string") return malformed(`has a ${name} that is not a string`);
  if (value === "") return malformed(`has an empty ${name}`);
  return readBase64url(value) ?? malformed(`has a ${name} that is not base64url without padding`);
}

function bitsOf(octets: Uint8Array): number {
  return octets.length * 8 - (Math.clz32(octets[0] ?? 0) - 24);
}

function isEven(octets: Uint8Array): boolean {
  return (octets.at(-1) ?? 0) % 2 === 0;
}

function malformed(cause: string): MaterialProblem {
  return { verdict: "malformed", cause };
}

function weak(cause: string): MaterialProblem {
  return { verdict: "weak", cause };
}

function unknown(cause: string): MaterialProblem {
  return { verdict: "unknown", cause };
}
