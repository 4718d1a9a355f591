import type { JsonWebKey } from "node:crypto";
import { sha256 } from "../core/hash.ts";
import { isMap, listAt, type Value } from "../core/resource.ts";
import { holdsPrivateKey } from "../core/text.ts";
import { isPrivateJwk, judgeKey } from "./judge-key.ts";
import { anyCloud, curveNames, curves } from "./limits.ts";

/** A public key in the form of a JWKS entry (RFC 7517), with the key ID that the Kubernetes API server writes into tokens. */
export interface PublicJwk {
  readonly use: "sig";
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly [parameter: string]: string;
}

/** A key to publish, with a description for people. */
export interface SigningJwk {
  readonly jwk: PublicJwk;
  /** For example `RSA, 4096 bits`. */
  readonly description: string;
}

/** Why a text cannot be published as a key. */
export interface KeyProblem {
  readonly code: "private-key" | "signing-key-invalid";
  readonly problem: string;
}

/**
 * Reads a public key in PEM form: `PUBLIC KEY` (SPKI, RFC 5280) or `RSA PUBLIC KEY` (PKCS#1). OpenShift's kube-apiserver
 * operator writes SPKI as `RSA PUBLIC KEY` (cluster-kube-apiserver-operator, boundsatokensignercontroller); that is read, too.
 *
 * The key ID is the SHA-256 of the key's SPKI DER in base64url without padding, as the Kubernetes API server computes it.
 */
export function readPublicKey(pem: string): SigningJwk | KeyProblem {
  if (holdsPrivateKey(pem)) {
    return {
      code: "private-key",
      problem:
        "is a private key. Only the public key belongs in a package. Remove the private key, treat it as compromised, and create a new key pair",
    };
  }
  const key = parse(pem);
  if (typeof key === "string") return { code: "signing-key-invalid", problem: key };
  const kid = sha256(key.spki).toString("base64url");
  const { kty, crv = "", n = "", e = "", x = "", y = "" } = key.jwk;
  const alg = kty === "RSA" ? "RS256" : kty === "EC" ? curves.get(crv)?.alg : undefined;
  if (kty === undefined || alg === undefined) return { code: "signing-key-invalid", problem: otherKind };
  const jwk: PublicJwk = kty === "RSA" ? { use: "sig", kty, kid, alg, n, e } : { use: "sig", kty, kid, alg, crv, x, y };
  // The same verdict as the commands that check published keys.
  const { verdict, cause } = judgeKey(jwk, anyCloud);
  if (verdict !== "usable") return { code: "signing-key-invalid", problem: cause };
  return { jwk, description: kty === "RSA" ? `RSA, ${bitsOf(n)} bits` : `ECDSA, ${crv}` };
}

export function isKeyProblem(result: SigningJwk | KeyProblem): result is KeyProblem {
  return "problem" in result;
}

const otherKind = `must be an RSA key, or an ECDSA key on ${curveNames}; Kubernetes does not sign tokens with other keys`;

/** A key and its SubjectPublicKeyInfo in DER, in the form that Go, and therefore the API server, writes. */
interface ParsedKey {
  readonly jwk: JsonWebKey;
  readonly spki: Uint8Array;
}

// Exactly one block: some readers treat text around a key as a comment, others as a second key.
const block = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]+)-----END \1-----$/;

function parse(pem: string): ParsedKey | string {
  const [, label, body = ""] = block.exec(pem.trim()) ?? [];
  if (label === "CERTIFICATE") return 'is a certificate, but must be a public key ("PUBLIC KEY")';
  if (label !== "PUBLIC KEY" && label !== "RSA PUBLIC KEY") {
    return 'must be one public key in PEM form, from "-----BEGIN PUBLIC KEY-----" to "-----END PUBLIC KEY-----"';
  }
  return readPlain(body) ?? readAnyForm(pem.trim());
}

// The form in which the installer, openssl and Go write an RSA key: base64 in lines of 64 characters, and canonical DER.
function readPlain(body: string): ParsedKey | undefined {
  const spki = Buffer.from(body, "base64");
  const rsa = readRsaSpki(spki);
  if (rsa === undefined || body.replaceAll("\r", "") !== inLines(spki.toString("base64"))) return undefined;
  return { jwk: { kty: "RSA", n: base64url(rsa.modulus), e: base64url(rsa.exponent) }, spki };
}

// OpenSSL reads all other forms. It is loaded only here, because loading it takes as long as a whole function.
function readAnyForm(pem: string): ParsedKey | string {
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  let key: ReturnType<typeof createPublicKey>;
  try {
    key = createPublicKey(pem);
  } catch {
    return "is in PEM form, but its content is not a readable public key; it may have been truncated or edited";
  }
  try {
    // Node refuses key types and curves that a JWK cannot represent, such as RSA-PSS and DSA.
    const jwk = key.export({ format: "jwk" });
    // Encode the key again: SPKI with explicit curve parameters or a compressed point is the same key.
    const spki = createPublicKey({ key: jwk, format: "jwk" }).export({ format: "der", type: "spki" });
    return { jwk, spki };
  } catch {
    return otherKind;
  }
}

function inLines(base64: string): string {
  return base64.replace(/.{1,64}/g, "$&\n");
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

function bitsOf(number: string): number {
  return BigInt(`0x0${Buffer.from(number, "base64url").toString("hex")}`).toString(2).length;
}

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
  // Encoding the key again must produce the same bytes. Then no reader can read another key from them.
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

/**
 * The keys of a JSON Web Key Set (RFC 7517) in PEM form, `PUBLIC KEY`, each with a newline at the end; or why one of them
 * cannot be published: a predicate. A key must have the ID that the Kubernetes API server writes into tokens, because its
 * ID is computed again.
 */
export function publicKeysOf(document: Value): readonly string[] | string {
  const keys = listAt(document, ["keys"]);
  if (keys.length === 0) return "contains no keys";
  const pems: string[] = [];
  for (const [index, key] of keys.entries()) {
    const pem = pemOf(key);
    if (typeof pem !== "object") return `contains a key (number ${index + 1}) that ${pem}`;
    pems.push(pem.pem);
  }
  return pems;
}

function pemOf(key: Value): { readonly pem: string } | string {
  if (!isMap(key)) return "is not a JSON Web Key";
  if (isPrivateJwk(key)) return "is private; treat it as compromised, and create a new key pair";
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  let pem: string;
  try {
    // The type of Node's own keys has fewer types of values.
    pem = createPublicKey({ key: key as JsonWebKey, format: "jwk" })
      .export({ type: "spki", format: "pem" })
      .toString();
  } catch {
    return "cannot be read";
  }
  const read = readPublicKey(pem);
  if (isKeyProblem(read)) return read.problem;
  const { kid } = key;
  return kid === undefined || kid === read.jwk.kid
    ? { pem }
    : `has another ID than Kubernetes computes for it (${read.jwk.kid})`;
}
