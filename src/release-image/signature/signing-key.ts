import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { imageError } from "../problem.ts";
import type { ImageReference } from "../reference.ts";
import { repositoryName } from "../reference.ts";
import { redHatReleaseKey, redHatReleaseKeyName } from "./keys/red-hat-release.ts";

/** A key whose signatures are trusted. */
export interface TrustedKey {
  /** For messages, and for what is written: its name, or the SHA-256 hash of its SubjectPublicKeyInfo in hexadecimal. */
  readonly name: string;
  /** Whether it made a signature of bytes. */
  made(signature: Uint8Array, bytes: Uint8Array): boolean;
  /** The repositories whose images it signs. */
  signs(name: string): boolean;
}

/** The fewest bits of an RSA key. */
const minBits = 2048;
/** Where Red Hat publishes releases. */
const redHatOrganization = "quay.io/openshift-release-dev/";

/**
 * The key that the images of a repository must be signed with; undefined if no policy demands a signature, as for OKD. A key of the
 * user applies to all images, instead of the built-in one.
 *
 * @param name undefined for a file, which does not say what repository its image is from: then the built-in key applies.
 * @param publicKey the user's key, as PEM.
 * @throws FindingError "release-key-invalid"
 */
export function keyFor(
  name: Pick<ImageReference, "registry" | "repository"> | undefined,
  publicKey: string | undefined,
): TrustedKey | undefined {
  if (publicKey !== undefined) return readReleaseKey(publicKey);
  if (name !== undefined && !isRedHats(repositoryName(name))) return undefined;
  return { ...readReleaseKey(redHatReleaseKey), name: redHatReleaseKeyName, signs: isRedHats };
}

function isRedHats(name: string): boolean {
  return name.startsWith(redHatOrganization);
}

/** Reads a public key. @throws FindingError "release-key-invalid" */
export function readReleaseKey(pem: string): TrustedKey {
  if (/PRIVATE KEY/.test(pem)) throw invalid("it contains a private key");
  if (!/-----BEGIN (?:RSA )?PUBLIC KEY-----/.test(pem)) throw invalid("it does not contain a PEM public key");
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw invalid("its PEM public key cannot be read");
  }
  const { asymmetricKeyType: type = "", asymmetricKeyDetails: details } = key;
  if (type === "rsa" && (details?.modulusLength ?? 0) < minBits)
    throw invalid(`its RSA key has fewer than ${minBits} bits`);
  if (!["rsa", "ec", "ed25519"].includes(type)) throw invalid("it is a key of another type");
  const spki = key.export({ type: "spki", format: "der" });
  return {
    name: createHash("sha256").update(spki).digest("hex"),
    made: (signature, bytes) => isMadeBy(key, signature, bytes),
    signs: () => true,
  };
}

// RSA is PKCS #1 v1.5, the padding that Node.js uses by default. Ed25519 hashes on its own.
function isMadeBy(key: KeyObject, signature: Uint8Array, bytes: Uint8Array): boolean {
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", bytes, key, signature);
  } catch {
    return false;
  }
}

function invalid(problem: string) {
  return imageError(
    "release-key-invalid",
    `The key for signatures cannot be used: ${problem}. Name a file with a public key of RSA, ECDSA, or Ed25519 in PEM form.`,
  );
}
