import { sha256 } from "../core/sha256.ts";
import { quoteWhole } from "../core/text.ts";
import { keySetProblems, listed, named } from "./judge-key-set.ts";
import { isQuickToCheck } from "./judge-material.ts";
import { mismatch, type PublishedKey } from "./jwks.ts";
import type { KeyLimits, TokenLimits } from "./limits.ts";
import { wrongLength } from "./signature-length.ts";
import { copyWholeToken, type Token } from "./token.ts";

/** Whether a signature is one of a key that is published. What is not clear is unknown, and never valid. */
export interface SignatureAnswer {
  readonly verdict: "valid" | "invalid" | "unknown";
  readonly cause: string;
  readonly cure: string;
  /** The token itself is damaged: no key that is published could mend that. */
  readonly isDamaged?: true;
}

const publish =
  "publish the public key that the cluster signs with: compare its key ID with those of the JWKS, put it into `spec.issuer.signingKeys`, render and apply";

/**
 * Says whether one of an issuer's keys made a token's signature: the key that the token names (RFC 7515, section 4.1.4),
 * where it is one, usable with the token's algorithm, of keys that nothing is wrong with. They are imported without what they hold beside the public key.
 */
export async function verifySignature(
  token: Token,
  keys: readonly PublishedKey[],
  limits: TokenLimits,
): Promise<SignatureAnswer> {
  const { kid, alg = "", header } = token;
  const problems = keySetProblems(keys, limits);
  const open = problems.find(({ isPrivate }) => isPrivate);
  if (open !== undefined) return answer("invalid", open.cause, open.cure);
  if (kid === undefined) return answer("invalid", 'the token\'s header has no "kid", so no key is named', publish);
  if (header["crit"] !== undefined)
    return answer(
      "unknown",
      `the token's header has "crit", and what ${limits.reader} does with it is not documented`,
      "use a token without it",
    );
  const called = keys.filter((key) => key.kid === kid);
  const causes = called.map((key) => refusal(key, alg, limits));
  const candidates = called.filter((_, index) => causes[index] === undefined);
  // A key of the token's ID that cannot be used says more than the length of the signature.
  const damage = called.length > 0 && candidates.length === 0 ? undefined : wrongLength(token, candidates, limits);
  if (damage !== undefined) return damaged(damage.cause);
  if (called.length === 0) {
    const there = keys.length === 0 ? "which has no keys" : `which has ${listed(keys.map(named))}`;
    return answer("invalid", `the token's key ${quoteWhole(kid)} is not in the JWKS, ${there}`, publish);
  }
  const cause = causes.find((cause) => cause !== undefined);
  if (cause !== undefined && candidates.length === 0)
    return answer("invalid", `the key ${quoteWhole(kid)} cannot be used with the token: ${cause}`, publish);
  const made = await Promise.all(candidates.map((key) => hasSigned(key, token)));
  if (made.every((one) => one === false)) {
    if (called.every((key) => thumbprint(key) === kid)) {
      const signer = `the JWKS has the key ${quoteWhole(kid)}, and its ID is computed from it, so it is the one that the token names`;
      return damaged(`${signer}; the signature is not one of this header and payload: the token was changed`);
    }
    const why = `the JWKS has a key ${quoteWhole(kid)}, and it is not the one that signed the token; or the token was changed`;
    return answer("invalid", why, publish);
  }
  const [doubt] = problems;
  if (doubt !== undefined) return answer("unknown", doubt.cause, doubt.cure);
  if (made[0] !== true) return answer("unknown", `the key ${quoteWhole(kid)} cannot be read`, publish);
  return answer("valid", `signed by the key ${quoteWhole(kid)} (${alg})`, "");
}

function damaged(cause: string): SignatureAnswer {
  return { verdict: "invalid", cause, cure: copyWholeToken, isDamaged: true };
}

/** The key ID that Kubernetes computes of a key: SHA-256 of its SPKI in DER (kubernetes/pkg/serviceaccount/jwt.go). */
function thumbprint({ kty, material }: PublishedKey): string | undefined {
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  try {
    const key = createPublicKey({ key: { kty: kty ?? "", ...material }, format: "jwk" });
    return Buffer.from(sha256(key.export({ format: "der", type: "spki" }))).toString("base64url");
  } catch {
    return undefined;
  }
}

// Why a key of the token's ID cannot be the one that it was signed with, as the cloud would see it.
function refusal(key: PublishedKey, alg: string, limits: KeyLimits): string | undefined {
  const { verdict, cause } = key.judgement;
  if (verdict === "malformed" || verdict === "weak") return `it ${cause}`;
  return mismatch(key, alg, limits) ?? (verdict === "unsuited" ? `it ${cause}` : undefined);
}

function answer(verdict: SignatureAnswer["verdict"], cause: string, cure: string): SignatureAnswer {
  return { verdict, cause, cure };
}

// Undefined where the key cannot be used at all, or not in a time that nobody notices. jose is loaded here: functions start with the same program, and never
// look at a token.
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
