import { printable } from "../core/text.ts";
import { alternatives } from "../core/words.ts";
import type { TokenRefusal } from "./answer.ts";
import { hostOf } from "./issuer-url.ts";

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

/** Which keys a cloud uses to check signatures. */
export interface KeyLimits {
  /** Who reads the keys, for messages: "AWS". */
  readonly reader: string;
  /** The names of the algorithms that it accepts (RFC 7518, section 3.1). */
  readonly algorithms: readonly string[];
  /** An empty key ID is a key ID like any other: a token without one, or with an empty one, names the key with the empty ID. */
  readonly takesEmptyId?: true;
  /** How many keys it reads; undefined if no limit matters. */
  readonly maxKeys?: number;
}

/** The limits of a cloud for tokens and issuers, according to its documentation. */
export interface TokenLimits extends KeyLimits {
  /** The minimum and maximum number of characters in a token. */
  readonly characters: readonly [number, number];
  /**
   * How many keys of each type are read from a JWKS, the reader's name, and whether the cloud skips the keys that it cannot
   * use, refuses keys of other kinds and curves, or does not document what it does.
   */
  readonly keys: {
    readonly reader: string;
    readonly maxPerAlgorithm: number;
    readonly others: "skipped" | "refused" | "unknown";
  };
  /** The maximum number of characters in an issuer's URL, whether it can have a port, and the reader's name. */
  readonly issuerUrl: { readonly reader: string; readonly max: number; readonly port: "refused" | "unknown" };
  /** Lists that a discovery document must contain and that must not be empty, as users report. */
  readonly requiredLists?: readonly string[];
  /** How long the cloud waits for an issuer's documents, in seconds; undefined if it is not documented. */
  readonly timeout: number | undefined;
  /** Fixes for messages: what the administrator does. */
  readonly cures: {
    /** The command that publishes an issuer's documents. */
    readonly publish: string;
    /** If reading the documents is forbidden. */
    readonly forbidden: string;
    /** The statuses with which the server forbids it. */
    readonly forbiddenStatuses: readonly number[];
    /** If the authority of the server's certificate is not known here. */
    readonly untrusted: string;
  };
  /** Applying the package does not publish the issuer's documents. */
  readonly isElsewhere?: true;
  /** The cloud's error responses; undefined if the response is not documented. */
  readonly refusals: {
    /** If the text is not a token. */
    readonly form: TokenRefusal | undefined;
    /** If a document cannot be read, or lacks something. */
    readonly documents: TokenRefusal;
    /** The codes for documents that the cloud cannot fetch, for messages; undefined if they are not documented. */
    readonly unreachable?: string;
    /** If the issuer does not publish the token's key. */
    keys(token: { readonly kid: string | undefined; readonly iss: string | undefined }): TokenRefusal;
    /** If the discovery document names another issuer. */
    readonly otherIssuer: TokenRefusal;
    /** If the key exists, but did not create the signature; undefined if the response is not documented. */
    readonly signature: TokenRefusal | undefined;
    /** If the key exists, but cannot be used with the token. */
    readonly unusableKey: TokenRefusal | undefined;
  };
}

/** An issuer whose documents the package contains, but does not publish. */
export interface Elsewhere {
  /** The directory of an export with `openid-configuration` and `keys.json`. */
  readonly directory: string;
  /** The URL of the discovery document. */
  readonly discovery: string;
  /** The URL of the keys. */
  readonly keys: string;
}

/** The limits of a cloud, with the fixes for an issuer that the author of the package publishes. */
export function withHosting(limits: TokenLimits, elsewhere: Elsewhere | undefined): TokenLimits {
  if (elsewhere === undefined) return limits;
  const forbidden =
    "make it publicly readable on the server that hosts it; with the hosting `External`, `ccf apply` changes nothing there";
  return { ...limits, cures: { ...limits.cures, publish: publishAt(elsewhere), forbidden }, isElsewhere: true };
}

/** How the documents of such an issuer are published, for messages. */
export function publishAt({ directory, discovery, keys }: Elsewhere): string {
  const host = hostOf(discovery);
  return `have the administrator of ${host} put \`${directory}/openid-configuration\` of \`ccf export\` at ${printable(discovery)}, and \`${directory}/keys.json\` at ${printable(keys)}, because \`ccf apply\` does not publish them with the hosting \`External\``;
}

/** The limits of a cloud for the times in a token. */
export interface TimeLimits {
  /** How long a token may still be accepted after it expired, in seconds, and the reader's name. */
  readonly skew: { readonly reader: string; readonly seconds: number };
  /** How far in the future a token may begin until the cloud certainly refuses it, in seconds, and the reader's name. */
  readonly early: { readonly reader: string; readonly seconds: number };
  readonly refusals: {
    /** If the token is not valid yet. */
    readonly early: TokenRefusal;
    /** If the token has expired; both times in seconds since the epoch. */
    expired(exp: number, time: number): TokenRefusal;
  };
}

/** The limits for keys whose cloud is not known yet: every algorithm that Kubernetes signs with. */
export const anyCloud: KeyLimits = { reader: "the cloud", algorithms: [...algorithms.keys()] };
