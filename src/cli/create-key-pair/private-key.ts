import type { KeyObject } from "node:crypto";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";

/**
 * Who will read a private key. The OpenShift installer takes the first PEM block for an RSA key in PKCS#1, whatever it is
 * called (openshift/installer/pkg/asset/tls: PemToPrivateKey); kube-apiserver takes RSA and ECDSA keys in PKCS#1, SEC1 and
 * PKCS#8 (client-go/util/keyutil: ParsePrivateKeyPEM).
 */
export type KeyReader = "installer" | "kube-apiserver";

/** A private key, and what may be said of it. */
export interface PrivateKey {
  /** The private key in the form that its reader wants. Never for messages. */
  readonly pem: string;
  /** Its public half, `PUBLIC KEY` in PEM form. */
  readonly publicPem: string;
  /** The key ID that the Kubernetes API server puts into tokens. */
  readonly kid: string;
  /** Such as `RSA, 4096 bits`. */
  readonly description: string;
}

// Loaded here, because a function's start must not pay for it.
const crypto = () => process.getBuiltinModule("node:crypto");

/** Makes a new key: RSA of 4096 bits for the installer, as ccoctl makes them; else ECDSA on P-256, which is fast. */
export function makePrivateKey(reader: KeyReader): PrivateKey {
  const { generateKeyPairSync } = crypto();
  const { privateKey } =
    reader === "installer"
      ? generateKeyPairSync("rsa", { modulusLength: 4096 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = describe(privateKey);
  if (typeof key === "string") throw new Error(`a new key ${key}`);
  return key;
}

/** Reads a private key in PEM form; a text says what is wrong with it, and never what it is. */
export function readPrivateKey(pem: string, reader: KeyReader): PrivateKey | string {
  const [, label = "", body = ""] = block.exec(pem.replace(parameters, "").trim()) ?? [];
  if (label === "ENCRYPTED PRIVATE KEY" || body.startsWith("Proc-Type:")) {
    return "is encrypted, and what reads it has no passphrase; decrypt it";
  }
  if (!labels.includes(label) || !base64.test(body)) {
    return "must be one private key in PEM form, and nothing beside it";
  }
  let key: KeyObject;
  try {
    key = crypto().createPrivateKey(pem);
    if (!isSound(key)) return unreadable;
  } catch {
    return unreadable;
  }
  if (reader === "installer" && key.asymmetricKeyType !== "rsa") {
    return "is no RSA key, and the OpenShift installer reads no other; choose another directory, or give --no-installer where no installer will read the key";
  }
  if (reader === "installer" && label !== "RSA PRIVATE KEY") {
    return "is in the form PKCS#8, and the OpenShift installer reads PKCS#1 alone; convert it with: openssl rsa -traditional";
  }
  return describe(key);
}

const block = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----$/;
const base64 = /^[A-Za-z0-9+/=\s]+$/;
const labels = ["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY"];
// What "openssl ecparam -genkey" writes before a key; the API server passes over it.
const parameters = /^\s*-----BEGIN EC PARAMETERS-----[A-Za-z0-9+/=\s]+-----END EC PARAMETERS-----/;
const unreadable = "is in PEM form, but what it holds cannot be read as a private key; it may have been cut or edited";

function describe(key: KeyObject): PrivateKey | string {
  const publicPem = crypto().createPublicKey(key).export({ format: "pem", type: "spki" }).toString();
  const known = readPublicKey(publicPem);
  if (isKeyProblem(known)) return known.problem;
  const type = key.asymmetricKeyType === "rsa" ? "pkcs1" : "sec1";
  const pem = key.export({ format: "pem", type }).toString();
  return { pem, publicPem, kid: known.jwk.kid, description: known.description };
}

// OpenSSL reads keys whose numbers do not belong together, and the public half of one says nothing of the private one;
// Go, and so the installer and the API server, refuses them.
function isSound(key: KeyObject): boolean {
  if (key.asymmetricKeyType === "rsa") return isSoundRsa(key);
  if (key.asymmetricKeyType !== "ec") return true;
  const { createPublicKey, sign, verify } = crypto();
  const data = Buffer.from("a text");
  return verify("sha256", data, createPublicKey(key), sign("sha256", data, key));
}

// RFC 8017, section 3.2.
function isSoundRsa(key: KeyObject): boolean {
  const jwk = key.export({ format: "jwk" }) as Record<string, string>;
  const [n, e, d, p, q, dp, dq, qi] = ["n", "e", "d", "p", "q", "dp", "dq", "qi"].map((name) =>
    BigInt(`0x0${Buffer.from(jwk[name] ?? "", "base64url").toString("hex")}`),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
  const inverts = (exponent: bigint, prime: bigint) => (e * exponent) % (prime - 1n) === 1n;
  return p * q === n && inverts(d, p) && inverts(d, q) && inverts(dp, p) && inverts(dq, q) && (qi * q) % p === 1n;
}
