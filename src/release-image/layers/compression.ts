import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { imageError } from "../problem.ts";
import { isOfReading } from "./tar.ts";

/** The first bytes of formats, and their names (RFC 1952; RFC 8878; the formats of xz, bzip2, and lz4). */
const formats = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  bzip2: [0x42, 0x5a, 0x68],
  lz4: [0x04, 0x22, 0x4d, 0x18],
} as const;

const longestStart = 5;

/** Node.js has it from 22.15 and 23.8 on. */
type WithZstd = typeof zlib & { createZstdDecompress?(options: zlib.ZlibOptions): Transform };

/**
 * The uncompressed bytes of a layer. The format is known by its first bytes: media types do not always say it. Bytes of no known
 * format are not compressed.
 *
 * @param where the layer is from, for messages.
 * @param max how many bytes there may be, uncompressed.
 * @throws FindingError "release-image-compression", "release-image-invalid", and what reading the parts throws.
 */
export async function* decompressed(
  parts: AsyncIterable<Uint8Array>,
  {
    where,
    max,
    zstd = (zlib as WithZstd).createZstdDecompress,
  }: {
    readonly where: string;
    readonly max: number;
    readonly zstd?: WithZstd["createZstdDecompress"];
  },
): AsyncGenerator<Uint8Array, void> {
  const invalid = (problem: string) =>
    imageError("release-image-invalid", `${where}: a layer of the image ${problem}. Copy the image again.`);
  const { start, rest } = await beginning(parts);
  const format = formatOf(start);
  const options = { chunkSize: 64 << 10 };
  let transform: Transform | undefined;
  if (format === "gzip") transform = zlib.createGunzip(options);
  else if (format === "zstd") transform = zstd?.(options);
  if (format !== undefined && transform === undefined) throw unreadable(where, format);
  const bytes = transform === undefined ? rest : through(rest, transform, (said) => invalid(`is damaged: ${said}`));
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > max) throw invalid(`has more than ${max} bytes uncompressed`);
    yield part;
  }
}

async function* through(parts: AsyncIterable<Uint8Array>, transform: Transform, invalid: (said: string) => Error) {
  // The errors of both are those of the second.
  pipeline(Readable.from(parts, { objectMode: false }), transform, () => undefined);
  try {
    for await (const part of transform) yield part as Uint8Array;
  } catch (error) {
    if (isOfReading(error) || !(error instanceof Error)) throw error;
    throw invalid(error.message);
  }
}

/** The first bytes of a text, at least as many as the longest start of a format, and all of it. */
async function beginning(parts: AsyncIterable<Uint8Array>) {
  const iterator = parts[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (start.length < longestStart) {
    const { done, value } = await iterator.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const all = async function* () {
    yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  return { start, rest: all() };
}

function formatOf(start: Uint8Array): keyof typeof formats | undefined {
  const names = Object.keys(formats) as (keyof typeof formats)[];
  return names.find((name) => formats[name].every((byte, index) => start[index] === byte));
}

function unreadable(where: string, format: string) {
  const newer = format === "zstd" ? " Or use Node.js 22.15 or newer, which can read zstd." : "";
  return imageError(
    "release-image-compression",
    `${where}: a layer of the image is compressed with ${format}, which cannot be read here. Copy the image with gzip: skopeo copy --dest-compress-format gzip.${newer}`,
  );
}
