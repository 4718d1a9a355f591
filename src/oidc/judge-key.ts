import type { Value, ValueMap } from "../core/resource.ts";
import { quote, readBase64url } from "../core/text.ts";
import { algorithms, curves, type KeyLimits, minRsaBits, unusualRsaBits, usualExponent } from "./limits.ts";

/** The verdict on a key that an issuer publishes. */
export interface KeyJudgment {
  /**
   * - `usable`: the cloud can check signatures with it;
   * - `unsuited`: well formed as far as this code can tell, but the cloud does not check signatures with it;
   * - `unknown`: how the cloud handles it is not documented;
   * - `malformed`, `weak`: a careful reader refuses it (see {@link MaterialProblem});
   * - `private`: it is published with parts of the private key.
   */
  readonly verdict: "usable" | "unsuited" | "private" | MaterialProblem["verdict"];
  /** Why it is not usable: a predicate for a sentence that begins with the key. It never contains key material. */
  readonly cause: string;
}

/** The members of private and symmetric keys (RFC 7518, section 6; `priv` is for ML-DSA keys). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** Returns whether a JWK has members of a private key, regardless of their values. */
export function isPrivateJwk(jwk: ValueMap): boolean {
  return privateMembers.some((name) => Object.hasOwn(jwk, name));
}

/**
 * Judges whether a cloud checks signatures with a published key (RFC 7517, RFC 7518). Every command and function uses this
 * verdict.
 */
export function judgeKey(jwk: ValueMap, limits: KeyLimits): KeyJudgment {
  if (isPrivateJwk(jwk)) return { verdict: "private", cause: "is published with parts of its private key" };
  return (
    judgeKind(jwk, limits) ?? judgeMembers(jwk, limits) ?? judgePurpose(jwk, limits) ?? { verdict: "usable", cause: "" }
  );
}

function judgeKind(jwk: ValueMap, limits: KeyLimits): KeyJudgment | undefined {
  const { reader } = limits;
  const { kty, crv } = jwk;
  const accepted = [...curves].flatMap(([name, { alg }]) => (limits.algorithms.includes(alg) ? name : []));
  const kinds = accepted.length === 0 ? "RSA" : "RSA and EC";
  if (typeof kty !== "string") return malformed('has no key type ("kty")');
  if (kty === "RSA") return judgeRsa(jwk, limits);
  if (kty !== "EC" || accepted.length === 0)
    return unsuited(`has the type ${quote(kty)}, but ${reader} accepts only ${kinds}`);
  if (typeof crv !== "string") return malformed('has no curve ("crv")');
  if (!accepted.includes(crv))
    return unsuited(`is on the curve ${quote(crv)}, but ${reader} accepts only ${accepted.join(", ")}`);
  return judgeEc(jwk);
}

// The other members must be valid (RFC 7517, section 4) and must not contradict each other.
function judgeMembers(jwk: ValueMap, { reader }: KeyLimits): KeyJudgment | undefined {
  for (const name of ["kid", "use", "alg"])
    if (Object.hasOwn(jwk, name) && typeof jwk[name] !== "string")
      return malformed(`has a member "${name}" that is not a string`);
  return judgeOperations(jwk, reader) ?? judgeAlgorithm(jwk) ?? judgeCertificates(jwk);
}

function judgeOperations({ use, key_ops: operations }: ValueMap, reader: string): KeyJudgment | undefined {
  if (operations === undefined) return undefined;
  if (!isTexts(operations)) return malformed('has a "key_ops" that is not a list of strings');
  if (new Set(operations).size < operations.length) return malformed('has a duplicate entry in its "key_ops"');
  const isForSignatures = operations.includes("verify");
  if ((use === "sig" && !isForSignatures) || (use === "enc" && isForSignatures))
    return malformed('has a "use" and a "key_ops" that contradict each other');
  if (isForSignatures && operations.length > 1)
    return {
      verdict: "unknown",
      cause: `has more than "verify" in its "key_ops"; how ${reader} handles that is not documented`,
    };
  return undefined;
}

// An algorithm that the cloud does not accept is not an error here: an issuer can publish keys for other readers.
function judgeAlgorithm({ kty, crv, alg }: ValueMap): KeyJudgment | undefined {
  const needed = algorithms.get(String(alg ?? ""));
  if (needed === undefined || (needed.kty === kty && (needed.crv === undefined || needed.crv === crv)))
    return undefined;
  return malformed(`has the "alg" ${quote(alg)}, which contradicts its key type`);
}

// The first certificate must contain the same key (RFC 7517, section 4.7), because a reader may use either.
function judgeCertificates(jwk: ValueMap): KeyJudgment | undefined {
  const { x5c } = jwk;
  if (x5c === undefined) return undefined;
  if (!isTexts(x5c) || x5c[0] === undefined) return malformed('has an "x5c" that is not a list of certificates');
  return isKeyOf(x5c[0], jwk) ? undefined : malformed('has a certificate ("x5c") for another key');
}

function isKeyOf(text: string, jwk: ValueMap): boolean {
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    const certificate = new X509Certificate(Buffer.from(text, "base64"));
    if (certificate.raw.toString("base64") !== text) return false;
    const own = certificate.publicKey.export({ format: "jwk" });
    return ["kty", "n", "e", "crv", "x", "y"].every((name) => own[name] === jwk[name]);
  } catch {
    return false;
  }
}

function judgePurpose({ kid, use, key_ops: operations, alg }: ValueMap, limits: KeyLimits): KeyJudgment | undefined {
  if (kid === undefined || (kid === "" && limits.takesEmptyId !== true))
    return unsuited('has no key ID ("kid"), so no token can name it');
  if ((use !== undefined && use !== "sig") || (isTexts(operations) && !operations.includes("verify")))
    return unsuited('is not for signatures, according to its "use" or "key_ops"');
  if (alg !== undefined && !limits.algorithms.includes(String(alg)))
    return unsuited(
      `is for the algorithm ${quote(alg)}, but ${limits.reader} accepts only ${limits.algorithms.join(", ")}`,
    );
  return undefined;
}

function isTexts(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((value) => typeof value === "string");
}

function malformed(cause: string): MaterialProblem {
  return { verdict: "malformed", cause };
}

function unsuited(cause: string): KeyJudgment {
  return { verdict: "unsuited", cause };
}

/** A problem with the numbers of a public key. The cause is a predicate for a sentence that begins with the key. */
interface MaterialProblem {
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
function judgeEc({ crv, x, y }: ValueMap): MaterialProblem | undefined {
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

function weak(cause: string): MaterialProblem {
  return { verdict: "weak", cause };
}

function unknown(cause: string): MaterialProblem {
  return { verdict: "unknown", cause };
}
