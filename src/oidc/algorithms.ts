/** What a JWS algorithm requires of a key (RFC 7518, section 3.1). */
export interface Algorithm {
  readonly kty: "RSA" | "EC";
  readonly crv?: string;
}

/** The RSA and ECDSA algorithms that clouds accept; the limits of each cloud say which of them it accepts. */
export const algorithms: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ["RS256", { kty: "RSA" }],
  ["RS384", { kty: "RSA" }],
  ["RS512", { kty: "RSA" }],
  ["ES256", { kty: "EC", crv: "P-256" }],
  ["ES384", { kty: "EC", crv: "P-384" }],
  ["ES512", { kty: "EC", crv: "P-521" }],
]);

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
