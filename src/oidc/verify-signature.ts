import { sha256 } from "../core/sha256.ts";
import { quoteWhole } from "../core/text.ts";
import { type PublishedKey, unusable } from "./jwks.ts";
import { wrongLength } from "./signature-length.ts";
import { type Token, takeWhole } from "./token.ts";

/** Whether a signature is one of a key that is published. What is not clear is unknown, and never valid. */
export interface SignatureAnswer {
  readonly verdict: "valid" | "invalid" | "unknown";
  readonly cause: string;
  readonly cure: string;
  /** The token itself is damaged: no key that is published could mend that. */
  readonly isDamaged?: true;
}

/** The most keys of a kind that IAM reads of a JWKS (IAM User Guide, "IAM and AWS STS quotas"). */
const mostKeys = 100;

const publish =
  "publish the public key that the cluster signs with: compare its key ID with those of the JWKS, put it into `spec.issuer.signingKeys`, render and apply";

/**
 * Says whether one of an issuer's keys made a token's signature: the key that the token names (RFC 7515, section 4.1.4),
 * where it is one, usable with the token's algorithm. The keys are imported without what they hold beside the public key.
 */
export async function verifySignature(token: Token, keys: readonly PublishedKey[]): Promise<SignatureAnswer> {
  const { kid, alg = "", header } = token;
  const published = keys.map((key) => quoteWhole(key.kid ?? "")).join(", ");
  if (kid === undefined) return answer("invalid", 'the token\'s header has no "kid", so no key is named', publish);
  if (header["crit"] !== undefined)
    return answer(
      "unknown",
      'the token\'s header has "crit", and what AWS does with it is not documented',
      "use a token without it",
    );
  const named = keys.filter((key) => key.kid === kid);
  const ofKind = named.filter((key) => unusable(key, alg) === undefined);
  const damage = named.length > 0 && ofKind.length === 0 ? undefined : wrongLength(token, ofKind);
  if (damage !== undefined) return damaged(damage.cause);
  if (named.length === 0) {
    const there = keys.length === 0 ? "which has no keys" : `which has ${published}`;
    return answer("invalid", `the token's key ${quoteWhole(kid)} is not in the JWKS, ${there}`, publish);
  }
  const problem = named.map((key) => unusable(key, alg)).find((one) => one !== undefined);
  if (problem !== undefined && named.length === 1)
    return answer("invalid", `the key ${quoteWhole(kid)} cannot be used with the token: ${problem}`, publish);
  const made = await Promise.all(named.map((key) => hasSigned(key, token)));
  if (made.every((one) => one === false)) {
    if (named.every((key) => thumbprint(key) === kid)) {
      const signer = `the JWKS has the key ${quoteWhole(kid)}, and its ID is computed from it, so it is the one that the token names`;
      return damaged(`${signer}; the signature is not one of this header and payload: the token was changed`);
    }
    const cause = `the JWKS has a key ${quoteWhole(kid)}, and it is not the one that signed the token; or the token was changed`;
    return answer("invalid", cause, publish);
  }
  if (named.length > 1)
    return answer("unknown", `${named.length} keys of the JWKS are called ${quoteWhole(kid)}`, "publish each key once");
  if (made[0] !== true) return answer("unknown", `the key ${quoteWhole(kid)} cannot be read, or is too short`, publish);
  for (const kty of ["RSA", "EC"]) {
    if (keys.filter((key) => key.kty === kty).length > mostKeys)
      return answer(
        "unknown",
        `the JWKS has more than ${mostKeys} ${kty} keys, and IAM reads no more`,
        "publish fewer keys",
      );
  }
  return answer("valid", `signed by the key ${quoteWhole(kid)} (${alg})`, "");
}

function damaged(cause: string): SignatureAnswer {
  return { verdict: "invalid", cause, cure: takeWhole, isDamaged: true };
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

function answer(verdict: SignatureAnswer["verdict"], cause: string, cure: string): SignatureAnswer {
  return { verdict, cause, cure };
}

// Undefined where the key cannot be used at all. jose is loaded here: functions start with the same program, and never
// look at a token.
async function hasSigned({ kty, material }: PublishedKey, { text, alg = "" }: Token): Promise<boolean | undefined> {
  const [{ importJWK }, { compactVerify }, { JWSSignatureVerificationFailed }] = await Promise.all([
    import("jose/key/import"),
    import("jose/jws/compact/verify"),
    import("jose/errors"),
  ]);
  try {
    const key = await importJWK({ kty: kty ?? "", ...material }, alg);
    await compactVerify(text, key, { algorithms: [alg] });
    return true;
  } catch (error) {
    return error instanceof JWSSignatureVerificationFailed ? false : undefined;
  }
}
