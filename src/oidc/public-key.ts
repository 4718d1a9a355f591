import type { JsonWebKey } from "node:crypto";
import { sha256 } from "../core/hash.ts";
import { holdsPrivateKey } from "../core/text.ts";
import { curveNames, curves } from "./algorithms.ts";
import { judgeKey } from "./judge-key.ts";
import { anyCloud } from "./limits.ts";
import { readRsaSpki } from "./rsa-spki.ts";

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
