import type { KeyObject } from "node:crypto";
import { newRsaBits } from "../../oidc/limits.ts";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";

/**
 * The program that reads a private key. The OpenShift installer reads the first PEM block as an RSA key in PKCS#1,
 * whatever its label (openshift/installer/pkg/asset/tls: PemToPrivateKey). kube-apiserver accepts RSA and ECDSA keys in
 * PKCS#1, SEC1 and PKCS#8 (client-go/util/keyutil: ParsePrivateKeyPEM).
 */
export type KeyReader = "installer" | "kube-apiserver";

/** A private key, with the facts that may be printed. */
export interface PrivateKey {
  /** The private key in the format that its reader requires. Never use it in messages. */
  readonly pem: string;
  /** Its public half, `PUBLIC KEY` in PEM form. */
  readonly publicPem: string;
  /** The key ID that the Kubernetes API server puts into tokens. */
  readonly kid: string;
  /** For example `RSA, 4096 bits`. */
  readonly description: string;
}

// Loaded on first use, because it would slow down the start of a function.
const crypto = () => process.getBuiltinModule("node:crypto");

/** Generates a key: RSA for the installer, like ccoctl; otherwise ECDSA P-256, which is fast. */
export function makePrivateKey(reader: KeyReader): PrivateKey {
  const { generateKeyPairSync } = crypto();
  const { privateKey } =
    reader === "installer"
      ? generateKeyPairSync("rsa", { modulusLength: newRsaBits })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = describe(privateKey);
  if (typeof key === "string") throw new Error(`a new key ${key}`);
  return key;
}

/** Reads a private key in PEM form, or returns the problem as text that reveals nothing of the key. */
export function readPrivateKey(pem: string, reader: KeyReader): PrivateKey | string {
  const [, label = "", body = ""] = block.exec(pem.replace(parameters, "").trim()) ?? [];
  if (label === "ENCRYPTED PRIVATE KEY" || body.startsWith("Proc-Type:")) {
    return "is encrypted, but the program that reads it has no passphrase; decrypt it";
  }
  if (!labels.includes(label) || !base64.test(body)) {
    return "must contain exactly one private key in PEM form and nothing else";
  }
  let key: KeyObject;
  try {
    key = crypto().createPrivateKey(pem);
    if (!isSound(key)) return unreadable;
  } catch {
    return unreadable;
  }
  if (reader === "installer" && key.asymmetricKeyType !== "rsa") {
    return "is not an RSA key, but the OpenShift installer reads only RSA keys; set another --output-dir, or use --no-installer if no installer will read the key";
  }
  if (reader === "installer" && label !== "RSA PRIVATE KEY") {
    return "is in PKCS#8 format, but the OpenShift installer reads only PKCS#1; convert it with: openssl rsa -traditional";
  }
  return describe(key);
}

const block = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----$/;
const base64 = /^[A-Za-z0-9+/=\s]+$/;
const labels = ["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY"];
// "openssl ecparam -genkey" writes this block before a key; the API server skips it.
const parameters = /^\s*-----BEGIN EC PARAMETERS-----[A-Za-z0-9+/=\s]+-----END EC PARAMETERS-----/;
const unreadable = "is in PEM form but cannot be read as a private key; it may be truncated or edited";

function describe(key: KeyObject): PrivateKey | string {
  const publicPem = crypto().createPublicKey(key).export({ format: "pem", type: "spki" }).toString();
  const known = readPublicKey(publicPem);
  if (isKeyProblem(known)) return known.problem;
  const type = key.asymmetricKeyType === "rsa" ? "pkcs1" : "sec1";
  const pem = key.export({ format: "pem", type }).toString();
  return { pem, publicPem, kid: known.jwk.kid, description: known.description };
}

// OpenSSL accepts keys with inconsistent numbers, in which the public half does not match the private half. Go refuses
// them, and so do the installer and the API server.
function isSound(key: KeyObject): boolean {
  if (key.asymmetricKeyType === "rsa") return isSoundRsa(key);
  if (key.asymmetricKeyType !== "ec") return true;
  const { createPublicKey, sign, verify } = crypto();
  const data = Buffer.from("test");
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
