import { sha256 } from "../core/hash.ts";
import { quoteWhole } from "../core/text.ts";
import { isQuickToCheck } from "./judge-key.ts";
import { joined, keySetProblems, mismatch, type PublishedKey, publishedKeyName } from "./key-set.ts";
import { curves, type KeyLimits, minRsaBits, type TokenLimits } from "./limits.ts";
import { clusterToken, copyWholeToken, type Token, type TokenProblem } from "./token.ts";

/** Whether a published key created a signature. If that is not clear, the verdict is unknown, never valid. */
export interface SignatureAnswer {
  readonly verdict: "valid" | "invalid" | "unknown";
  readonly cause: string;
  readonly cure: string;
  /** Why it is invalid: the keys do not contain the token's key, it cannot be used, or it did not create the signature. */
  readonly reason?: "no key" | "unusable" | "mismatch";
  /** The token itself is damaged, so no published key could make it valid. */
  readonly isDamaged?: true;
}

const addKey =
  "publish the public part of the key that signs the tokens: compare its key ID with those of the JWKS, add it with `ccf add-key`, render, export and apply";

// The cure ends with the step that publishes the key.
function publishKey({ isElsewhere, cures }: TokenLimits): string {
  return isElsewhere === true ? `${addKey}; ${cures.publish}` : addKey;
}

/**
 * Verifies that the key that a token names (RFC 7515, section 4.1.4) created the token's signature. The key must be unique
 * among the issuer's keys and usable with the token's algorithm, and the keys must have no problems. Only the public key
 * material is imported.
 */
export async function verifyTokenSignature(
  token: Token,
  keys: readonly PublishedKey[],
  limits: TokenLimits,
): Promise<SignatureAnswer> {
  const { alg = "", header } = token;
  const kid = idOf(token, limits);
  const problems = keySetProblems(keys, limits);
  const publish = publishKey(limits);
  const open = problems.find(({ isPrivate }) => isPrivate);
  if (open !== undefined) return invalid("unusable", open.cause, open.cure);
  if (kid === undefined || (kid === "" && !keys.some((key) => key.kid === "")))
    return await withoutId(token, keys, limits);
  if (header["crit"] !== undefined)
    return answer(
      "unknown",
      `the token's header has "crit"; how ${limits.reader} handles that is not documented`,
      'use a token without "crit"',
    );
  const { reader, maxKeys = keys.length } = limits;
  const called = keys.slice(0, maxKeys).filter((key) => key.kid === kid);
  const causes = called.map((key) => refusal(key, alg, limits));
  const candidates = called.filter((_, index) => causes[index] === undefined);
  // A key with the token's key ID that cannot be used explains more than the length of the signature.
  const damage = called.length > 0 && candidates.length === 0 ? undefined : wrongLength(token, candidates, limits);
  if (damage !== undefined) return damaged(damage.cause);
  const place = keys.findIndex((key) => key.kid === kid) + 1;
  if (called.length === 0 && place > 0) {
    const cause = `the token's key ${quoteWhole(kid)} is number ${place} in the JWKS, but ${reader} reads only the first ${maxKeys} keys`;
    return invalid("no key", cause, "publish fewer keys");
  }
  if (called.length === 0) {
    const there = keys.length === 0 ? "which has no keys" : `which has ${joined(keys.map(publishedKeyName))}`;
    return invalid("no key", `the token's key ${quoteWhole(kid)} is not in the JWKS, ${there}`, publish);
  }
  const cause = causes.find((cause) => cause !== undefined);
  if (cause !== undefined && candidates.length === 0)
    return invalid("unusable", `the key ${quoteWhole(kid)} cannot be used with the token: ${cause}`, publish);
  const made = await Promise.all(candidates.map((key) => hasSigned(key, token)));
  if (made.every((one) => one === false)) {
    if (called.every((key) => thumbprint(key) === kid)) {
      const signer = `the JWKS has the key ${quoteWhole(kid)}, and the ID matches the key, so the token names this key`;
      return damaged(`${signer}; the signature does not match the header and payload: the token was changed`);
    }
    const why = `the JWKS has a key ${quoteWhole(kid)}, but another key signed the token, or the token was changed`;
    return invalid("mismatch", why, publish);
  }
  const [doubt] = problems;
  if (doubt !== undefined) return answer("unknown", doubt.cause, doubt.cure);
  if (made[0] !== true) return answer("unknown", `the key ${quoteWhole(kid)} cannot be read`, publish);
  return answer("valid", `signed by the key ${quoteWhole(kid)} (${alg})`, "");
}

/** The key ID that a token names; undefined if it names none. */
function idOf({ kid, header }: Token, { takesEmptyId }: KeyLimits): string | undefined {
  return kid ?? (takesEmptyId === true && (header["kid"] ?? "") === "" ? "" : undefined);
}

/** The answer about a token that names no key. */
async function withoutId(token: Token, keys: readonly PublishedKey[], limits: TokenLimits): Promise<SignatureAnswer> {
  const cause = 'the token\'s header has no "kid", so it does not name a key';
  const [only, ...more] = keys;
  if (idOf(token, limits) === undefined || only === undefined || more.length > 0 || only.kid !== undefined)
    return invalid("no key", cause, clusterToken);
  if ((await hasSigned(only, token)) === false)
    return invalid("mismatch", `${cause}, and the only key of the JWKS did not sign it`, publishKey(limits));
  const doubt = `${cause}; ${limits.reader} does not document how it handles that if the only key of the JWKS has none either`;
  return answer("unknown", doubt, clusterToken);
}

function damaged(cause: string): SignatureAnswer {
  return { ...invalid("mismatch", cause, copyWholeToken), isDamaged: true };
}

/** The key ID that Kubernetes computes from a key: SHA-256 of its SPKI in DER (kubernetes/pkg/serviceaccount/jwt.go). */
function thumbprint({ kty, material }: PublishedKey): string | undefined {
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  try {
    const key = createPublicKey({ key: { kty: kty ?? "", ...material }, format: "jwk" });
    return Buffer.from(sha256(key.export({ format: "der", type: "spki" }))).toString("base64url");
  } catch {
    return undefined;
  }
}

// Why the cloud would not accept a key with the token's key ID as the one that signed the token.
function refusal(key: PublishedKey, alg: string, limits: KeyLimits): string | undefined {
  const { verdict, cause } = key.judgment;
  if (verdict === "malformed" || verdict === "weak") return `it ${cause}`;
  return mismatch(key, alg, limits) ?? (verdict === "unsuited" ? `it ${cause}` : undefined);
}

function invalid(reason: NonNullable<SignatureAnswer["reason"]>, cause: string, cure: string): SignatureAnswer {
  return { verdict: "invalid", cause, cure, reason };
}

function answer(verdict: "valid" | "unknown", cause: string, cure: string): SignatureAnswer {
  return { verdict, cause, cure };
}

// Undefined if the key cannot be used, or if checking would take too long. jose is loaded only here, because functions run in
// the same program and never read a token.
async function hasSigned({ kty, material }: PublishedKey, { text, alg = "" }: Token): Promise<boolean | undefined> {
  const [{ importJWK }, { compactVerify }, { JWSSignatureVerificationFailed }] = await Promise.all([
    import("jose/key/import"),
    import("jose/jws/compact/verify"),
    import("jose/errors"),
  ]);
  if (!isQuickToCheck({ kty: kty ?? "", ...material })) return undefined;
  try {
    const key = await importJWK({ kty: kty ?? "", ...material }, alg);
    await compactVerify(text, key, { algorithms: [alg] });
    return true;
  } catch (error) {
    return error instanceof JWSSignatureVerificationFailed ? false : undefined;
  }
}

/** Octets of a signature: in ECDSA, R and S each are as long as a coordinate (RFC 7518, section 3.4). */
const ecdsaLengths = new Map(Array.from(curves.values(), ({ alg, octets }) => [alg, 2 * octets] as const));

/** An RSA signature is as long as the modulus (RFC 8017, section 8.2.1). */
const fewestOctets = minRsaBits / 8;

/**
 * Why the length of a signature shows that the token is damaged; undefined if the length does not show that.
 *
 * @param keys the keys that the token names; without them, an RSA signature can only be too short for every key.
 */
function wrongLength(
  { text, alg = "" }: Token,
  keys: readonly PublishedKey[],
  { reader }: KeyLimits,
): TokenProblem | undefined {
  const has = Buffer.from(text.split(".")[2] ?? "", "base64url").length;
  const ecdsa = ecdsaLengths.get(alg);
  const lengths = ecdsa === undefined ? keys.map(octetsOfModulus) : [ecdsa];
  if (lengths.length === 0)
    return has < fewestOctets
      ? problem(has, `at least ${fewestOctets}`, `an RSA key that ${reader} accepts creates`)
      : undefined;
  if (lengths.includes(has) || lengths.includes(0)) return undefined;
  return problem(has, [...new Set(lengths)].join(" or "), ecdsa === undefined ? "the key creates" : `${alg} creates`);
}

function problem(has: number, needed: string, who: string): TokenProblem {
  const cause = `the token's signature has ${has} bytes, but ${who} ${needed}: the token was truncated or changed`;
  return { cause, cure: copyWholeToken };
}

function octetsOfModulus({ material }: PublishedKey): number {
  const octets = Buffer.from(material["n"] ?? "", "base64url");
  const first = octets.findIndex((octet) => octet !== 0);
  return first < 0 ? 0 : octets.length - first;
}
