import type { Value, ValueMap } from "../core/resource.ts";
import { curves } from "./algorithms.ts";
import { readBase64url } from "./base64url.ts";
import type { KeyLimits } from "./limits.ts";

/** What is wrong with the numbers of a public key; the cause goes on where a sentence has named the key. */
export interface MaterialProblem {
  /**
   * - `malformed`: not the form that RFC 7518 requires, so that readers may see different keys in it, or none;
   * - `weak`: a form that is right, and numbers under which others than the key's owner can sign;
   * - `unknown`: well formed, and what the cloud does with it is not documented.
   */
  readonly verdict: "malformed" | "weak" | "unknown";
  readonly cause: string;
}

/** RFC 7518, section 3.3. */
const fewestBits = 2048;

// From here on readers differ: OpenSSL and Java read no more than 16384 bits, others fewer.
const unusualBits = 16_384;

const usualExponent = 65_537n;

/** The octets of an exponent that can be computed with in bounded time: OpenSSL and Java take 64 bits with a long modulus. */
const longestExponent = 8;

/**
 * Judges the numbers of an RSA key (RFC 7518, section 6.3.1): at least 2048 bits, an exponent of 65537, base64url in the
 * fewest octets. The time that this takes grows with the length of the texts alone.
 */
export function judgeRsa({ n, e }: ValueMap, { reader }: KeyLimits): MaterialProblem | undefined {
  const modulus = readNumber('modulus ("n")', n);
  if ("cause" in modulus) return modulus;
  const exponent = readNumber('exponent ("e")', e);
  if ("cause" in exponent) return exponent;
  const bits = bitsOf(modulus);
  if (bits < fewestBits) return weak(`is an RSA key of ${bits} bits, and must have at least ${fewestBits}`);
  if (isEven(modulus)) return weak("is an RSA key with an even modulus, which anyone can factor");
  return judgeExponent(exponent, reader) ?? judgeLength(bits, reader);
}

function judgeExponent(exponent: Uint8Array, reader: string): MaterialProblem | undefined {
  if (exponent.length > longestExponent)
    return unknown(
      `is an RSA key with a public exponent of ${bitsOf(exponent)} bits, and what ${reader} does then is not documented; use ${usualExponent}`,
    );
  const value = BigInt(`0x${Buffer.from(exponent).toString("hex")}`);
  if (value === usualExponent) return undefined;
  const cause = `is an RSA key with the public exponent ${value}`;
  // With 1 anyone can sign, with 3 it was often enough to forge; an even one has no private key at all.
  if (value === 1n || value === 3n || isEven(exponent)) return weak(`${cause}, and must have ${usualExponent}`);
  return unknown(`${cause}, and what ${reader} does then is not documented; use ${usualExponent}`);
}

function judgeLength(bits: number, reader: string): MaterialProblem | undefined {
  if (bits < unusualBits) return undefined;
  return unknown(`is an RSA key of ${bits} bits, and whether ${reader} reads one that long is not documented`);
}

/** Says whether a signature of such a key is checked in a time that nobody notices. */
export function isQuickToCheck({ kty, n, e }: ValueMap): boolean {
  if (kty !== "RSA") return true;
  const [modulus, exponent] = [n, e].map(
    (value) => Buffer.from(typeof value === "string" ? value : "", "base64url").length,
  );
  return (modulus ?? 0) <= unusualBits / 8 && (exponent ?? 0) <= longestExponent;
}

/** Judges the numbers of an EC key on a curve that is known: both coordinates, of full length, of a point on the curve. */
export function judgeEc({ crv, x, y }: ValueMap): MaterialProblem | undefined {
  const octets = curves.get(String(crv))?.octets ?? 0;
  for (const [name, value] of Object.entries({ x, y })) {
    const read = readOctets(`coordinate "${name}"`, value ?? undefined);
    if ("cause" in read) return read;
    if (read.length !== octets)
      return malformed(`has a coordinate "${name}" of ${read.length} octets, and ${String(crv)} needs ${octets}`);
  }
  return isPoint({ crv: String(crv), x: String(x), y: String(y) })
    ? undefined
    : malformed(`has coordinates of no point on ${String(crv)}`);
}

// OpenSSL looks whether the point is on the curve. It is loaded here, because to load it takes as long as a whole function.
function isPoint(point: { crv: string; x: string; y: string }): boolean {
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  try {
    createPublicKey({ key: { kty: "EC", ...point }, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

// A Base64urlUInt has the fewest octets that its number needs (RFC 7518, section 2).
function readNumber(name: string, value: Value | undefined): Uint8Array | MaterialProblem {
  const read = readOctets(name, value);
  if ("cause" in read || read[0] !== 0) return read;
  return malformed(`has a zero octet at the start of its ${name}`);
}

function readOctets(name: string, value: Value | undefined): Uint8Array | MaterialProblem {
  if (value === undefined) return malformed(`has no ${name}`);
  if (typeof value !== "string") return malformed(`has something else than a text as its ${name}`);
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
