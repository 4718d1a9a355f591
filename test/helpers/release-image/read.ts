import { FindingError } from "../../../src/core/finding.ts";
import type { Descriptor } from "../../../src/release-image/blob.ts";
import type { ImageOptions } from "../../../src/release-image/read-image.ts";
import { type ImageReference, readReference } from "../../../src/release-image/reference.ts";
import type { ImageSource } from "../../../src/release-image/source.ts";
import { digestOf } from "./image.ts";

/** Options that verify nothing, find no pull secret, and say nothing. */
export const plainOptions: ImageOptions = {
  arch: "amd64",
  mirrors: [],
  registryConfig: undefined,
  publicKey: undefined,
  skipVerify: true,
  environment: {},
  progress: () => undefined,
};

/** A reference that is valid. */
export function named(text: string): ImageReference {
  const found = readReference(text);
  if (typeof found === "string") throw new Error(found);
  return found;
}

/** The code and the message that something fails with: a FindingError, and nothing else. */
export async function problemOf(read: () => unknown): Promise<{ code: string; message: string }> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof FindingError)) throw error;
    return { code: error.finding.code, message: error.finding.message };
  }
  throw new Error("nothing failed");
}

/** A descriptor of bytes. */
export function described(bytes: Uint8Array, more: Partial<Descriptor> = {}): Descriptor {
  return {
    mediaType: "",
    digest: digestOf(bytes),
    size: bytes.length,
    artifactType: "",
    annotation: () => "",
    ...more,
  };
}

/** A source in memory. */
export function sourceOf(
  blobs: readonly Uint8Array[],
  manifests: Readonly<Record<string, Uint8Array>> = {},
  referrers: readonly Descriptor[] = [],
): ImageSource {
  const byDigest = new Map(blobs.map((one) => [digestOf(one), one]));
  return {
    name: "example.com/release",
    async manifest(name) {
      const bytes = Object.hasOwn(manifests, name) ? manifests[name] : byDigest.get(name);
      return bytes === undefined ? undefined : { bytes, digest: digestOf(bytes), mediaType: "" };
    },
    async *blob({ digest }) {
      yield byDigest.get(digest) ?? new Uint8Array();
    },
    referrers: async () => referrers,
  };
}
