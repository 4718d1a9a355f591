import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isKeyProblem, type PublicJwk, readPublicKey } from "../../src/oidc/public-key.ts";
import type { Any } from "./cluster.ts";

/** A key pair of a signer, made for the tests that run now. */
export interface Signer {
  readonly alg: string;
  readonly kid: string;
  readonly jwk: PublicJwk;
  readonly publicPem: string;
  readonly privateKey: KeyObject;
}

/** Makes an RSA key; that takes a while, so a test file makes one. */
export function rsaSigner(): Signer {
  return signerOf(generateKeyPairSync("rsa", { modulusLength: 2048 }));
}

export function ecSigner(namedCurve = "P-256"): Signer {
  return signerOf(generateKeyPairSync("ec", { namedCurve }));
}

function signerOf({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): Signer {
  const publicPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const key = readPublicKey(publicPem);
  if (isKeyProblem(key)) throw new Error(key.problem);
  return { alg: key.jwk.alg, kid: key.jwk.kid, jwk: key.jwk, publicPem, privateKey };
}

/** The time at which the tokens of the tests count: seconds since the epoch. */
export const now = 2_000_000_000;

/** The claims of a token as a kubelet asks for it. */
export function claimsOf(changes: Any = {}): Any {
  return {
    aud: ["openshift"],
    exp: now + 3600,
    iat: now - 10,
    nbf: now - 10,
    iss: "https://demo-oidc.s3.us-east-2.amazonaws.com",
    sub: "system:serviceaccount:openshift-ingress-operator:ingress-operator",
    ...changes,
  };
}

export const base64url = (value: Any): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token; `undefined` in the header takes a field away. */
export function tokenOf(signer: Signer, claims: Any = claimsOf(), header: Any = {}): string {
  const whole = { alg: signer.alg, kid: signer.kid, ...header };
  const signed = `${base64url(whole)}.${base64url(claims)}`;
  return `${signed}.${signatureOf(signer, String(whole.alg), signed)}`;
}

/** HMAC with the public key as its secret, or no signature of any worth, where the algorithm says so. */
function signatureOf({ privateKey, publicPem }: Signer, alg: string, text: string): string {
  if (alg.startsWith("HS")) return createHmac("sha256", publicPem).update(text).digest("base64url");
  if (!/^[RE]S\d+$/.test(alg)) return Buffer.from("not a signature at all").toString("base64url");
  const hash = `sha${alg.slice(2)}`;
  const key = alg.startsWith("E") ? ({ key: privateKey, dsaEncoding: "ieee-p1363" } as const) : privateKey;
  return sign(hash, Buffer.from(text), key).toString("base64url");
}
