import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { holdsPrivateKey } from "../core/text.ts";

/** A public key as it stands in a JWKS (RFC 7517), with the key ID that the Kubernetes API server puts into tokens. */
export interface PublicJwk {
  readonly use: "sig";
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly [parameter: string]: string;
}

/** A key that is published, and a word about it for people. */
export interface SigningJwk {
  readonly jwk: PublicJwk;
  /** Such as `RSA, 4096 bits`. */
  readonly description: string;
}

/** Why a text is not a key that can be published. */
export interface KeyProblem {
  readonly code: "private-key" | "signing-key-invalid";
  readonly problem: string;
}

// The algorithms that Kubernetes signs service account tokens with (kubernetes/pkg/serviceaccount/jwt.go).
const curves: Readonly<Record<string, string>> = { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" };
const fewestBits = 2048;
// FIPS 186-5: with 1, anyone could sign; small ones have been broken often.
const leastExponent = 65537n;

/**
 * Reads a public key in PEM form: `PUBLIC KEY` (SPKI, RFC 5280) or `RSA PUBLIC KEY` (PKCS#1).
 *
 * The key ID is base64url, without padding, of SHA-256 over the key's SPKI DER, as the Kubernetes API server computes it.
 */
export function readPublicKey(pem: string): SigningJwk | KeyProblem {
  if (holdsPrivateKey(pem)) {
    return {
      code: "private-key",
      problem:
        "is a private key. A private key must never be in a package: remove it, treat it as known to others, and make a new one",
    };
  }
  const key = parse(pem);
  if (typeof key === "string") return { code: "signing-key-invalid", problem: key };
  const exported = exportJwk(key);
  if (exported === undefined) return { code: "signing-key-invalid", problem: otherKind };
  const { kty = "", ...jwk } = exported;
  // Written anew: what names its curve by parameters, or cuts its point to one coordinate, is the same key.
  const spki = createPublicKey({ key: { kty, ...jwk }, format: "jwk" }).export({ format: "der", type: "spki" });
  const kid = createHash("sha256").update(spki).digest("base64url");
  if (kty === "RSA") {
    const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    if (publicExponent < leastExponent) {
      return {
        code: "signing-key-invalid",
        problem: `is an RSA key with the public exponent ${publicExponent}, and must have at least ${leastExponent}`,
      };
    }
    if (bits < fewestBits)
      return {
        code: "signing-key-invalid",
        problem: `is an RSA key of ${bits} bits, and must have at least ${fewestBits}`,
      };
    return {
      jwk: { use: "sig", kty, kid, alg: "RS256", n: jwk["n"] ?? "", e: jwk["e"] ?? "" },
      description: `RSA, ${bits} bits`,
    };
  }
  const curve = jwk["crv"] ?? "";
  const alg = kty === "EC" ? curves[curve] : undefined;
  if (alg === undefined) {
    return { code: "signing-key-invalid", problem: otherKind };
  }
  return {
    jwk: { use: "sig", kty, kid, alg, crv: curve, x: jwk["x"] ?? "", y: jwk["y"] ?? "" },
    description: `ECDSA, ${curve}`,
  };
}

export function isKeyProblem(result: SigningJwk | KeyProblem): result is KeyProblem {
  return "problem" in result;
}

const otherKind = "must be an RSA key or an ECDSA key on P-256, P-384 or P-521; Kubernetes signs tokens with no other";

// Node refuses kinds and curves that no JWK can hold, such as RSA-PSS and DSA.
function exportJwk(key: KeyObject): Record<string, string> | undefined {
  try {
    return key.export({ format: "jwk" }) as Record<string, string>;
  } catch {
    return undefined;
  }
}

// One block and nothing beside it: what stands around a key is a comment to some readers and a second key to others.
const block = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n[A-Za-z0-9+/=\s]+-----END \1-----$/;

function parse(pem: string): KeyObject | string {
  const label = block.exec(pem.trim())?.[1];
  if (label === "CERTIFICATE") return 'is a certificate, and must be a public key ("PUBLIC KEY")';
  if (label !== "PUBLIC KEY" && label !== "RSA PUBLIC KEY") {
    return 'must be one public key in PEM form, from "-----BEGIN PUBLIC KEY-----" to "-----END PUBLIC KEY-----"';
  }
  try {
    return createPublicKey(pem.trim());
  } catch {
    return "is in PEM form, but what it holds cannot be read as a public key; it may have been cut or edited";
  }
}
