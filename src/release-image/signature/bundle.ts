import { jsonOrNull } from "../../core/json.ts";
import { isMap, listAt, textAt, type Value, valueAt } from "../../core/resource.ts";
import { decodeUtf8, quote } from "../../core/text.ts";
import { type ExpectedSignature, fromBase64, type Judgement, otherKey } from "./simple-signing.ts";

/** The media type of a bundle, and the type of an artifact that consists of one. */
export const bundleType = "application/vnd.dev.sigstore.bundle.v0.3+json";

/** The statement that an image is signed; other statements, such as an attestation of its origin, do not sign it. */
export const signPredicate = "https://sigstore.dev/cosign/sign/v1";

const statementType = "application/vnd.in-toto+json";

/**
 * Judges a sigstore bundle of version 0.3 (sigstore protobuf-specs, `sigstore_bundle.proto`), which newer tools attach as a referrer.
 * It names no repository. Certificates are not trusted: who may have one is not a question of a key.
 *
 * @returns undefined if it is a statement about something other than a signature.
 */
export function judgeBundle(bundle: Uint8Array, expected: ExpectedSignature): Judgement | undefined {
  const value = jsonOrNull(decodeUtf8(bundle) ?? "");
  if (!isMap(value) || textAt(value, ["mediaType"]) !== bundleType)
    return malformed("It is not a bundle of version 0.3");
  const [message, envelope] = [valueAt(value, ["messageSignature"]), valueAt(value, ["dsseEnvelope"])];
  if ((message === undefined) === (envelope === undefined))
    return malformed("The bundle must have exactly one of messageSignature and dsseEnvelope");
  const judged = message === undefined ? judgeEnvelope(envelope as Value, expected) : judgeMessage(message, expected);
  const isKeyless = ["certificate", "x509CertificateChain"].some(
    (one) => valueAt(value, ["verificationMaterial", one]) !== undefined,
  );
  return judged !== undefined && isKeyless
    ? { verdict: "other key", detail: "It was made with a certificate (keyless), which is not trusted" }
    : judged;
}

/** A signature of the bytes of the manifest. */
function judgeMessage(message: Value, { key, digest, manifest }: ExpectedSignature): Judgement {
  const signature = fromBase64(textAt(message, ["signature"]));
  const stated = fromBase64(textAt(message, ["messageDigest", "digest"]));
  if (
    signature === undefined ||
    (stated !== undefined && textAt(message, ["messageDigest", "algorithm"]) !== "SHA2_256")
  )
    return malformed("The bundle has no signature in base64, or a digest that is not SHA-256");
  const signed = `sha256:${Buffer.from(stated ?? []).toString("hex")}`;
  if (stated !== undefined && signed !== digest) return otherDigest(signed);
  return key.made(signature, manifest) ? { verdict: "valid", repository: undefined } : otherKey;
}

/** A signature of a statement about digests (DSSE; in-toto Statement). */
function judgeEnvelope(envelope: Value, { key, digest }: ExpectedSignature): Judgement | undefined {
  const payload = fromBase64(textAt(envelope, ["payload"]));
  const type = textAt(envelope, ["payloadType"]);
  const signatures = listAt(envelope, ["signatures"]).map((one) => fromBase64(textAt(one, ["sig"])));
  if (payload === undefined || signatures.length === 0 || signatures.includes(undefined))
    return malformed("The bundle's envelope has no payload or no signature in base64");
  const statement = jsonOrNull(decodeUtf8(payload) ?? "");
  if (type !== statementType || !isMap(statement))
    return malformed("The bundle's payload is not a statement of in-toto");
  if (textAt(statement, ["predicateType"]) !== signPredicate) return undefined;
  const bytes = signedBytes(type, payload);
  if (!signatures.some((one) => one !== undefined && key.made(one, bytes))) return otherKey;
  const digests = listAt(statement, ["subject"]).map((one) => `sha256:${textAt(one, ["digest", "sha256"])}`);
  return digests.includes(digest) ? { verdict: "valid", repository: undefined } : otherDigest(digests[0] ?? "");
}

/** What a signature of DSSE is about ("DSSE Protocol", PAE). */
function signedBytes(type: string, payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

function malformed(detail: string): Judgement {
  return { verdict: "malformed", detail };
}

function otherDigest(digest: string): Judgement {
  return { verdict: "other digest", detail: `It is for the image ${quote(digest)}` };
}
