import { digestOf } from "../../core/hash.ts";
import { textAt, type Value } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { type Descriptor, differs, isDigest } from "../blob.ts";
import { type ListedManifest, listedFor, listedIn, readJsonBytes } from "../manifest.ts";
import { imageError } from "../problem.ts";
import { bundleType } from "../signature/bundle.ts";
import type { ImageSource, RawManifest } from "../source.ts";
import { type FileEntries, invalid, smallFile } from "./file-entries.ts";

/** What names an image in a layout (OCI Image Specification, "Image Layout"). */
const nameAnnotation = "org.opencontainers.image.ref.name";

/** An OCI layout: a directory, or a tar archive of one. Manifests of Docker's types may be in it, too. */
export class Layout implements ImageSource {
  readonly name: string;
  readonly #path: string;
  readonly #entries: FileEntries;
  readonly #listed: readonly ListedManifest[];

  /** @param index the content of `index.json`. @throws FindingError "release-image-invalid" */
  constructor(path: string, entries: FileEntries, index: Uint8Array) {
    this.name = quote(path);
    this.#path = path;
    this.#entries = entries;
    this.#listed = listedIn(this.name, readJsonBytes(this.name, "index.json", index));
  }

  /**
   * The image in the layout: the only one, or the one for an architecture. Signatures do not count as images.
   *
   * @throws FindingError "release-file-invalid", "release-image-architecture"
   */
  image(arch: string): { readonly digest: string; readonly name: string } {
    const images = this.#listed.filter(
      ({ descriptor }) => descriptor.artifactType === "" && !/(?:^|:)sha256-[0-9a-f]{64}/.test(nameIn(descriptor)),
    );
    const [first] = images;
    if (first === undefined) throw invalid(this.#path, "it contains no image");
    const isOne = images.every(({ descriptor }) => descriptor.digest === first.descriptor.digest);
    if (!isOne && images.some(({ architecture }) => architecture === ""))
      throw invalid(this.#path, `it contains ${images.length} images, and which of them is the release is not known`);
    const { descriptor } = isOne ? first : listedFor(this.name, images, arch);
    return { digest: descriptor.digest, name: nameIn(descriptor) };
  }

  async manifest(tagOrDigest: string): Promise<RawManifest | undefined> {
    const digest = isDigest(tagOrDigest) ? tagOrDigest : this.#tagged(tagOrDigest)?.digest;
    if (digest === undefined) return undefined;
    const bytes = await smallFile(this.#path, this.#entries, fileOf(digest));
    if (bytes === undefined) return undefined;
    const found = digestOf(bytes);
    if (found !== digest) throw differs(this.name, digest, `the digest of the manifest is ${found}`);
    const { mediaType = "" } = this.#listed.find(({ descriptor }) => descriptor.digest === digest)?.descriptor ?? {};
    return { bytes, digest, mediaType };
  }

  async *blob({ digest }: Descriptor): AsyncGenerator<Uint8Array, void> {
    const parts = await this.#entries.open(fileOf(digest));
    if (parts === undefined)
      throw imageError(
        "release-image-missing",
        `${this.name}: the blob ${digest} of the image is not in the file. Create the file again.`,
      );
    yield* parts;
  }

  async referrers(digest: string): Promise<readonly Descriptor[]> {
    const all: Descriptor[] = [];
    for (const { descriptor } of this.#listed.filter((one) => one.descriptor.artifactType === bundleType)) {
      const manifest = await this.manifest(descriptor.digest);
      const value: Value = manifest === undefined ? null : readJsonBytes(this.name, "a referrer", manifest.bytes);
      if (textAt(value, ["subject", "digest"]) === digest) all.push(descriptor);
    }
    return all;
  }

  #tagged(tag: string): Descriptor | undefined {
    const isNamed = (name: string) => name === tag || name.endsWith(`:${tag}`);
    return this.#listed.find(({ descriptor }) => isNamed(nameIn(descriptor)))?.descriptor;
  }
}

function nameIn({ annotation }: Descriptor): string {
  return annotation(nameAnnotation);
}

function fileOf(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}
