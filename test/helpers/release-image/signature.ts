import { type KeyObject, sign } from "node:crypto";
import { descriptorOf, json, mediaTypes } from "./image.ts";

/** A signature to make. */
export interface Signed {
  readonly payload: Buffer;
  readonly key: KeyObject;
  /** What is stored instead of the payload. */
  readonly stored?: Buffer;
  /** What is stored instead of the signature. */
  readonly annotation?: string;
}

/** The payload of a simple signature, as cosign writes it. */
export function payloadFor(digest: string, reference: string, type = "cosign container image signature"): Buffer {
  const critical = { identity: { "docker-reference": reference }, image: { "docker-manifest-digest": digest }, type };
  return Buffer.from(JSON.stringify({ critical, optional: null }));
}

/** The manifest in which sigstore stores signatures, and its blobs. */
export function signatureManifest(signatures: readonly Signed[]): {
  readonly manifest: Uint8Array;
  readonly blobs: readonly Uint8Array[];
} {
  const config = json({ architecture: "", os: "", rootfs: { type: "layers", diff_ids: [] } });
  const layers = signatures.map(({ payload, key, stored = payload, annotation }) => {
    const hash = key.asymmetricKeyType === "ed25519" ? null : "sha256";
    const signature = annotation ?? sign(hash, payload, key).toString("base64");
    return descriptorOf(stored, "application/vnd.dev.cosign.simplesigning.v1+json", {
      annotations: { "dev.cosignproject.cosign/signature": signature },
    });
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: mediaTypes.oci.manifest,
    config: descriptorOf(config, mediaTypes.oci.config),
    layers,
  });
  return { manifest, blobs: [config, ...signatures.map(({ payload, stored = payload }) => stored)] };
}
