import { createHash } from "node:crypto";
import { isMap, textAt, textOf, type Value, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { imageError } from "./problem.ts";

/** What a manifest says of a blob (OCI Image Specification, "Content Descriptors"). */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** In bytes; undefined where a format does not say it. */
  readonly size: number | undefined;
  /** What an artifact that is not an image is; "" for an image. */
  readonly artifactType: string;
  annotation(name: string): string;
}

/** The descriptor in a manifest; undefined if it does not have the form of one, or another kind of digest. */
export function readDescriptor(value: Value | undefined): Descriptor | undefined {
  if (!isMap(value)) return undefined;
  const size = valueAt(value, ["size"]);
  const digest = textAt(value, ["digest"]);
  if (!isDigest(digest) || typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  const annotations = valueAt(value, ["annotations"]) ?? null;
  return {
    mediaType: textAt(value, ["mediaType"]),
    digest,
    size,
    artifactType: textAt(value, ["artifactType"]),
    annotation: (name) => textOf(valueAt(annotations, [name])),
  };
}

/** Whether a text is a digest of the only algorithm that releases use. */
export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/**
 * The parts of a blob, which are checked while they are read. Nothing of it may be used before the last part was read.
 *
 * @param where the blob is from, for messages.
 * @throws FindingError "release-image-digest" at the end if the digest differs, and before if the blob is too long.
 */
export async function* checked(
  parts: AsyncIterable<Uint8Array>,
  { digest, size }: Pick<Descriptor, "digest" | "size">,
  where: string,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash("sha256");
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (size !== undefined && length > size) throw differs(where, digest, `it is longer than its ${size} bytes`);
    hash.update(part);
    yield part;
  }
  if (size !== undefined && length < size) throw differs(where, digest, `it ends after ${length} of its ${size} bytes`);
  const found = `sha256:${hash.digest("hex")}`;
  if (found !== digest) throw differs(where, digest, `its digest is ${found}`);
}

/** The error of content that is not what its digest says. */
export function differs(where: string, digest: string, how: string) {
  return imageError(
    "release-image-digest",
    `${where}: the content of ${digest} is wrong: ${how}. Nothing of it was used. Run the same command again; if that does not help, report it to the operator of the registry.`,
  );
}

/**
 * All parts as one.
 *
 * @param max how long it may be, in bytes.
 * @param tooLong the error if it is longer.
 */
export async function collected(
  parts: AsyncIterable<Uint8Array>,
  max: number,
  tooLong: () => Error,
): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > max) throw tooLong();
    all.push(part);
  }
  return Buffer.concat(all);
}

/** A size for people: `4 MiB`. */
export function sizeText(bytes: number): string {
  const [unit, factor] = bytes >= 1 << 30 ? ["GiB", 1 << 30] : bytes >= 1 << 20 ? ["MiB", 1 << 20] : ["KiB", 1 << 10];
  return `${Math.round((bytes / (factor as number)) * 10) / 10} ${unit}`;
}

/** A media type from outside, for messages. */
export function typeText(mediaType: string): string {
  return mediaType === "" ? "no media type" : `the media type ${quote(mediaType)}`;
}
