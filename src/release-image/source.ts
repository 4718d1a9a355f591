import { pause } from "../network/pace.ts";
import { checked, collected, type Descriptor, sizeText } from "./blob.ts";
import { imageError } from "./problem.ts";
import { LostAnswer, maxAttempts, waitAfter } from "./registry/request.ts";

/** The longest manifest and the longest configuration of an image, in bytes (the limit that registries have for manifests). */
export const maxManifest = 4 << 20;

/** A manifest as it was read, whose bytes have the digest. */
export interface RawManifest {
  readonly bytes: Uint8Array;
  readonly digest: string;
  /** What the source says that it is; "" if it does not. */
  readonly mediaType: string;
}

/** Where an image is read from: a repository of a registry, or a file. */
export interface ImageSource {
  /** For messages: `quay.io/openshift-release-dev/ocp-release`, or the path of the file. */
  readonly name: string;
  /** A manifest by tag or by digest; undefined if it does not exist. Its digest is checked. */
  manifest(tagOrDigest: string): Promise<RawManifest | undefined>;
  /** The parts of a blob, which are not checked. @throws LostAnswer if the rest does not arrive. */
  blob(descriptor: Descriptor): AsyncIterable<Uint8Array>;
  /** The manifests that refer to a manifest (OCI Distribution Specification, "Listing Referrers"); empty if there are none. */
  referrers(digest: string): Promise<readonly Descriptor[]>;
}

/**
 * Reads a blob, again from its beginning if a connection is lost, and checks it.
 *
 * @param read must read the parts to the end.
 * @throws FindingError "release-image-digest", "registry-not-reached"
 */
export async function readBlob<T>(
  source: ImageSource,
  descriptor: Descriptor,
  read: (parts: AsyncGenerator<Uint8Array, void>) => Promise<T>,
): Promise<T> {
  return readWhole(source.name, () => read(checked(source.blob(descriptor), descriptor, source.name)));
}

/** Reads an answer to its end, again from its beginning if a connection is lost. @throws FindingError "registry-not-reached" */
export async function readWhole<T>(where: string, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error;
      if (!error.isCutOff || attempt === maxAttempts) throw registryNotReached(where, error);
      await pause(waitAfter(attempt));
    }
  }
}

/** A small blob. @param max its longest size, in bytes. @param what it is, for messages. */
export async function wholeBlob(
  source: ImageSource,
  descriptor: Descriptor,
  { max, what }: { readonly max: number; readonly what: string },
): Promise<Uint8Array> {
  const tooLong = () =>
    imageError(
      "release-image-invalid",
      `${source.name}: ${what} is longer than ${sizeText(max)}, and is not read. Check the name of the image.`,
    );
  if ((descriptor.size ?? 0) > max) throw tooLong();
  return readBlob(source, descriptor, (parts) => collected(parts, max, tooLong));
}

/** The error of a registry that did not answer. */
export function registryNotReached(where: string, { message, cure }: LostAnswer) {
  return imageError("registry-not-reached", `${where} could not be read: ${message.replace(/\.$/, "")}. ${cure}`);
}
