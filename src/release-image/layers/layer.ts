import { invisibleCharacterIn, quote } from "../../core/text.ts";
import { collected, sizeText } from "../blob.ts";
import { imageError } from "../problem.ts";
import { decompressed } from "./compression.ts";
import { type TarEntry, tarEntries } from "./tar.ts";

/** Where a release image has its manifests. */
const directory = "release-manifests";

/** How large a layer may be, in bytes: as it is stored, and uncompressed. */
export const maxLayer = { stored: 2 * 2 ** 30, uncompressed: 8 * 2 ** 30 };

/** How large a file may be, how many files may be kept, and how many bytes. The manifests of a release have about 10 MB. */
const maxFile = 4 << 20;
const maxFiles = 5000;
const maxBytes = 64 << 20;

/** What a layer says about the manifests of a release. */
export interface LayerContent {
  /** By name, without a directory. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Files that the layer hides in the layers below it (OCI Image Layer Filesystem Changeset, "Whiteouts"). */
  readonly hidden: ReadonlySet<string>;
  /** Whether it hides the whole directory in the layers below. */
  readonly hidesAll: boolean;
}

/** How much was kept of the layers above. */
export interface Kept {
  readonly files: number;
  /** In bytes. */
  readonly bytes: number;
}

/**
 * Reads a layer to its end. Only regular files in `release-manifests/` are kept. Names outside it, such as absolute ones, are
 * ignored: nothing is ever written by such a name.
 *
 * @param parts the layer as it is stored.
 * @param where it is from, for messages.
 * @throws FindingError "release-image-invalid" if anything but a regular file is named like a manifest, if a name appears twice, or if a
 * limit is exceeded; "release-image-compression"; and what reading the parts throws.
 */
export async function readLayer(parts: AsyncIterable<Uint8Array>, where: string, kept: Kept): Promise<LayerContent> {
  const files = new Map<string, Uint8Array>();
  const hidden = new Set<string>();
  let hidesAll = false;
  let bytes = kept.bytes;
  const invalid = (problem: string) => unsafe(where, problem);
  const uncompressed = decompressed(parts, { where, max: maxLayer.uncompressed });
  const damaged = (problem: string) => invalid(`a layer is not a valid tar archive: ${problem}`);
  for await (const entry of tarEntries(uncompressed, damaged)) {
    const place = placeOf(entry, invalid);
    if (place === undefined) continue;
    if (place === "all") hidesAll = true;
    else if ("hides" in place) hidden.add(place.hides);
    else {
      const { name } = place;
      if (files.has(name)) throw invalid(`a layer contains ${quote(`${directory}/${name}`)} twice`);
      if (files.size + kept.files >= maxFiles) throw invalid(`it has more than ${maxFiles} manifests`);
      const content = await contentOf(entry, invalid);
      bytes += content.length;
      if (bytes > maxBytes) throw invalid(`its manifests are longer than ${sizeText(maxBytes)}`);
      files.set(name, content);
    }
  }
  return { files, hidden, hidesAll };
}

type Invalid = (problem: string) => Error;

/** What an entry is: a manifest, or what it hides in the layers below; undefined if it is something else. */
function placeOf(
  { name, type }: TarEntry,
  invalid: Invalid,
): { readonly name: string } | { readonly hides: string } | "all" | undefined {
  const path = name.replace(/^(?:\.\/)+/, "").replace(/\/$/, "");
  if (path === `.wh.${directory}` || path === ".wh..wh..opq" || path === `${directory}/.wh..wh..opq`) return "all";
  if (path === directory) {
    if (type !== "directory") throw invalid(`${quote(name)} is not a directory`);
    return undefined;
  }
  const [, file] = /^release-manifests\/([^/]+)$/s.exec(path) ?? [];
  if (file === undefined || file === "." || file === "..") return undefined;
  if (file.startsWith(".wh.")) {
    const hides = file.slice(".wh.".length);
    // Other names that begin so are the bookkeeping of a file system.
    return hides === "" || hides.startsWith(".wh.") ? undefined : { hides };
  }
  if (type === "directory") return { hides: file };
  if (type !== "file") throw invalid(`${quote(name)} is a ${quote(type)}, not a regular file`);
  // A writer could take "\" for a directory, and ":" for a stream.
  if (invisibleCharacterIn(file) !== undefined || /[\t\r\n\\:]/.test(file) || file.length > 255)
    throw invalid(`${quote(name)} is not a usable name of a file`);
  return { name: file };
}

async function contentOf({ name, size, parts }: TarEntry, invalid: Invalid): Promise<Uint8Array> {
  const tooLong = () => invalid(`${quote(name)} is longer than ${sizeText(maxFile)}`);
  if (size > maxFile) throw tooLong();
  return collected(parts(), maxFile, tooLong);
}

function unsafe(where: string, problem: string) {
  return imageError(
    "release-image-invalid",
    `${where}: the image cannot be read: ${problem}. Check the name of the image, or copy it again.`,
  );
}
