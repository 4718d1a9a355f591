import type { JsonWebKey } from "node:crypto";
import { sha256 } from "../core/sha256.ts";
import { holdsPrivateKey } from "../core/text.ts";
import { curves } from "./algorithms.ts";
import { judgeKey } from "./judge-key.ts";
import { anyCloud } from "./limits.ts";
import { readRsaSpki } from "./rsa-spki.ts";

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

/**
 * Reads a public key in PEM form: `PUBLIC KEY` (SPKI, RFC 5280) or `RSA PUBLIC KEY` (PKCS#1). OpenShift's kube-apiserver
 * operator writes SPKI as `RSA PUBLIC KEY` (cluster-kube-apiserver-operator, boundsatokensignercontroller), which is read too.
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
  const kid = sha256(key.spki).toString("base64url");
  const { kty, crv = "", n = "", e = "", x = "", y = "" } = key.jwk;
  const alg = kty === "RSA" ? "RS256" : kty === "EC" ? curves.get(crv)?.alg : undefined;
  if (kty === undefined || alg === undefined) return { code: "signing-key-invalid", problem: otherKind };
  const jwk: PublicJwk = kty === "RSA" ? { use: "sig", kty, kid, alg, n, e } : { use: "sig", kty, kid, alg, crv, x, y };
  // What is published is judged as every reader of it will be told.
  const { verdict, cause } = judgeKey(jwk, anyCloud);
  if (verdict !== "usable") return { code: "signing-key-invalid", problem: cause };
  return { jwk, description: kty === "RSA" ? `RSA, ${bitsOf(n)} bits` : `ECDSA, ${crv}` };
}

export function isKeyProblem(result: SigningJwk | KeyProblem): result is KeyProblem {
  return "problem" in result;
}

const otherKind = "must be an RSA key or an ECDSA key on P-256, P-384 or P-521; Kubernetes signs tokens with no other";

/** A key and its SubjectPublicKeyInfo in DER, in the one form that Go, and so the API server, writes. */
interface ParsedKey {
  readonly jwk: JsonWebKey;
  readonly spki: Uint8Array;
}

// One block and nothing beside it: what stands around a key is a comment to some readers and a second key to others.
const block = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]+)-----END \1-----$/;

function parse(pem: string): ParsedKey | string {
  const [, label, body = ""] = block.exec(pem.trim()) ?? [];
  if (label === "CERTIFICATE") return 'is a certificate, and must be a public key ("PUBLIC KEY")';
  if (label !== "PUBLIC KEY" && label !== "RSA PUBLIC KEY") {
    return 'must be one public key in PEM form, from "-----BEGIN PUBLIC KEY-----" to "-----END PUBLIC KEY-----"';
  }
  return readPlain(body) ?? readAnyForm(pem.trim());
}

// What the installer, openssl and Go write for an RSA key: base64 in lines of 64, and DER of one form.
function readPlain(body: string): ParsedKey | undefined {
  const spki = Buffer.from(body, "base64");
  const rsa = readRsaSpki(spki);
  if (rsa === undefined || body.replaceAll("\r", "") !== inLines(spki.toString("base64"))) return undefined;
  return { jwk: { kty: "RSA", n: base64url(rsa.modulus), e: base64url(rsa.exponent) }, spki };
}

// Everything else is OpenSSL's to read. It is loaded here, because to load it takes as long as a whole function.
function readAnyForm(pem: string): ParsedKey | string {
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  let key: ReturnType<typeof createPublicKey>;
  try {
    key = createPublicKey(pem);
  } catch {
    return "is in PEM form, but what it holds cannot be read as a public key; it may have been cut or edited";
  }
  try {
    // Node refuses kinds and curves that no JWK can hold, such as RSA-PSS and DSA.
    const jwk = key.export({ format: "jwk" });
    // Written anew: what names its curve by parameters, or cuts its point to one coordinate, is the same key.
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
