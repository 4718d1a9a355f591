import { readJson } from "../core/json.ts";
import { isMap, listAt, textAt, type Value, valueAt } from "../core/resource.ts";
import { decodeUtf8, quote } from "../core/text.ts";
import { type Descriptor, readDescriptor, typeText } from "./blob.ts";
import { imageError } from "./problem.ts";
import { type ImageSource, maxManifest, type RawManifest, wholeBlob } from "./source.ts";

/*
 * Manifests of images: those of OCI (Image Specification, "Image Index" and "Image Manifest") and those of Docker (Image Manifest
 * Version 2, Schema 2), which releases use.
 */

const indexTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];
const imageTypes = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/** All types that are read, as the header Accept lists them. */
export const acceptedTypes: string = [...indexTypes, ...imageTypes].join(", ");

const configTypes = ["application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json"];

/** How many layers an image may have. */
const maxLayers = 200;
/** How many manifests an index may have. */
const maxManifests = 1000;

/** The manifest of an image for one architecture. */
export interface ImageManifest {
  readonly raw: RawManifest;
  /** The digest of the index that lists it, if it is from one. */
  readonly index: string | undefined;
  readonly architecture: string;
  /** From the lowest to the top. */
  readonly layers: readonly Descriptor[];
}

/** One manifest of an index. */
export interface ListedManifest {
  readonly descriptor: Descriptor;
  /** As Go names them; "" if the index does not say it. */
  readonly os: string;
  readonly architecture: string;
}

/**
 * The manifest of an image, of an index that for an architecture.
 *
 * @param arch as Go names it. It counts only for an index: a single manifest is what it is.
 * @throws FindingError "release-image-architecture", "release-image-invalid", and those of the source.
 */
export async function manifestFor(source: ImageSource, raw: RawManifest, arch: string): Promise<ImageManifest> {
  const found = readManifest(source.name, raw);
  if (found.kind === "image") return described(source, raw, found, undefined, "");
  const { descriptor, architecture } = listedFor(source.name, found.manifests, arch);
  const one = await source.manifest(descriptor.digest);
  if (one === undefined)
    throw imageError(
      "release-image-missing",
      `${source.name}: the index lists the manifest ${descriptor.digest}, which does not exist. Copy the whole image again.`,
    );
  const image = readManifest(source.name, one);
  if (image.kind !== "image") throw invalid(source.name, "an index lists another index");
  return described(source, one, image, raw.digest, architecture);
}

/** The manifest of an architecture in an index. @throws FindingError "release-image-architecture" */
export function listedFor(where: string, all: readonly ListedManifest[], arch: string): ListedManifest {
  // Attestations are listed with the platform "unknown".
  const manifests = all.filter(({ os }) => os !== "unknown");
  const [only] = manifests;
  if (manifests.length === 1 && only?.architecture === "") return only;
  const linux = manifests.filter(({ os }) => os === "linux");
  const found = linux.find(({ architecture }) => architecture === arch);
  if (found !== undefined) return found;
  const names = [...new Set(linux.map(({ architecture }) => architecture))].sort();
  const existing = names.length === 0 ? "It lists none for Linux" : `It has ${names.map(quote).join(", ")}`;
  throw imageError(
    "release-image-architecture",
    `${where}: the image does not exist for the architecture ${quote(arch)}. ${existing}. Use --arch with one that it has.`,
  );
}

type Read =
  | { readonly kind: "index"; readonly manifests: readonly ListedManifest[] }
  | { readonly kind: "image"; readonly config: Descriptor; readonly layers: readonly Descriptor[] };

/** Reads a manifest of any of the four types. @throws FindingError "release-image-invalid" */
function readManifest(where: string, { bytes, mediaType }: RawManifest): Read {
  const value = readJsonBytes(where, "the manifest", bytes);
  const own = textAt(value, ["mediaType"]);
  // The field is optional in OCI's types, and a header may have parameters.
  const type = own === "" ? mediaType.replace(/;.*$/s, "").trim() : own;
  const lists = valueAt(value, ["manifests"]) !== undefined;
  if (lists && (valueAt(value, ["layers"]) ?? valueAt(value, ["config"])) !== undefined)
    throw invalid(where, "the manifest is both an index and an image, so that programs read it differently");
  if (indexTypes.includes(type)) return { kind: "index", manifests: listedIn(where, value) };
  if (imageTypes.includes(type)) return readImage(where, value);
  // A layout on disk has no headers.
  if (type === "" && valueAt(value, ["schemaVersion"]) === 2)
    return lists ? { kind: "index", manifests: listedIn(where, value) } : readImage(where, value);
  throw invalid(where, `the manifest has ${typeText(type)}, which is not that of an image`);
}

/** What an index lists. @throws FindingError "release-image-invalid" */
export function listedIn(where: string, index: Value): readonly ListedManifest[] {
  const all = listAt(index, ["manifests"]);
  if (all.length > maxManifests) throw invalid(where, `the index lists more than ${maxManifests} manifests`);
  return all.map((one) => {
    const descriptor = readDescriptor(one);
    if (descriptor === undefined)
      throw invalid(where, "the index lists a manifest without a valid size and SHA-256 digest");
    return {
      descriptor,
      os: textAt(one, ["platform", "os"]),
      architecture: textAt(one, ["platform", "architecture"]),
    };
  });
}

function readImage(where: string, value: Value): Read {
  const config = readDescriptor(valueAt(value, ["config"]));
  const layers = listAt(value, ["layers"]).map(readDescriptor);
  if (config === undefined || layers.includes(undefined))
    throw invalid(where, "the manifest has a blob without a valid size and SHA-256 digest");
  if (layers.length > maxLayers) throw invalid(where, `the image has more than ${maxLayers} layers`);
  return { kind: "image", config, layers: layers as Descriptor[] };
}

async function described(
  source: ImageSource,
  raw: RawManifest,
  { config, layers }: Extract<Read, { kind: "image" }>,
  index: string | undefined,
  architecture: string,
): Promise<ImageManifest> {
  if (!configTypes.includes(config.mediaType))
    throw invalid(source.name, `the configuration has ${typeText(config.mediaType)}, which is not that of an image`);
  if (architecture !== "") return { raw, index, architecture, layers };
  const what = "the configuration of the image";
  const value = readJsonBytes(source.name, what, await wholeBlob(source, config, { max: maxManifest, what }));
  return { raw, index, architecture: architectureOf(source.name, value), layers };
}

/** The architecture in the configuration of an image. @throws FindingError "release-image-invalid" */
export function architectureOf(where: string, config: Value): string {
  const architecture = textAt(config, ["architecture"]);
  if (!/^[a-z0-9]{1,20}$/.test(architecture))
    throw invalid(where, `the configuration names the architecture ${quote(architecture)}`);
  return architecture;
}

/** A JSON document of an image: a mapping. @throws FindingError "release-image-invalid" */
export function readJsonBytes(where: string, what: string, bytes: Uint8Array): Value {
  const text = decodeUtf8(bytes);
  const found = text === undefined ? { problem: "is not UTF-8" } : readJson(text);
  if ("problem" in found) throw invalid(where, `${what} ${found.problem}`);
  if (!isMap(found.value)) throw invalid(where, `${what} is not a mapping`);
  return found.value;
}

function invalid(where: string, problem: string) {
  return imageError(
    "release-image-invalid",
    `${where} is not a release image that can be read: ${problem}. Check the name of the image, or copy it again.`,
  );
}
