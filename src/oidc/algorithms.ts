import { alternatives } from "../core/words.ts";

/** What a JWS algorithm requires of a key (RFC 7518, section 3.1). */
export interface Algorithm {
  readonly kty: "RSA" | "EC";
  readonly crv?: string;
}

/** A curve of these algorithms: its algorithm, and the number of octets in a coordinate (RFC 7518, section 6.2.1.2). */
export interface Curve {
  readonly alg: string;
  readonly octets: number;
}

/** The curves that Kubernetes uses to sign service account tokens (kubernetes/pkg/serviceaccount/jwt.go). */
export const curves: ReadonlyMap<string, Curve> = new Map<string, Curve>([
  ["P-256", { alg: "ES256", octets: 32 }],
  ["P-384", { alg: "ES384", octets: 48 }],
  ["P-521", { alg: "ES512", octets: 66 }],
]);

/** The RSA and ECDSA algorithms that clouds accept; the limits of each cloud say which of them it accepts. */
export const algorithms: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ["RS256", { kty: "RSA" }],
  ["RS384", { kty: "RSA" }],
  ["RS512", { kty: "RSA" }],
  ...Array.from(curves, ([crv, { alg }]): [string, Algorithm] => [alg, { kty: "EC", crv }]),
]);

/** What an RSA key must have: the bits of its modulus (RFC 7518, section 3.3), and the public exponent of all usual tools. */
export const minRsaBits = 2048;
export const usualExponent = 65_537;

/** The bits of a new RSA key, as ccoctl creates it. Every reader accepts keys of up to this length. */
export const newRsaBits = 4096;

/** From this length on, readers differ: OpenSSL and Java read at most 16384 bits, others fewer. */
export const unusualRsaBits = 16_384;

/** The names of the curves, for messages. */
export const curveNames = alternatives([...curves.keys()]);
