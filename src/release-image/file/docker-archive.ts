import { digestOf } from "../../core/hash.ts";
import { jsonOrNull } from "../../core/json.ts";
import { listAt, textAt, type Value } from "../../core/resource.ts";
import { decodeUtf8, quote } from "../../core/text.ts";
import { type Descriptor, differs, isDigest } from "../blob.ts";
import { architectureOf, readJsonBytes } from "../manifest.ts";
import { imageError } from "../problem.ts";
import type { ImageSource } from "../source.ts";
import { type FileEntries, invalid, smallFile } from "./file-entries.ts";

/** What a docker-archive contains. */
export interface DockerArchive {
  readonly source: ImageSource;
  /** The digest of the image's configuration: the archive has no manifest of a registry, so no signature is about it. */
  readonly digest: string;
  readonly architecture: string;
  /** By the digests of their uncompressed bytes, from the lowest to the top. */
  readonly layers: readonly Descriptor[];
  /** The first of its names; "" if it has none. */
  readonly name: string;
}

/**
 * Reads the list of a docker-archive (`skopeo copy docker-archive:`, `docker save`): its layers are checked against the configuration,
 * which lists the digests of the uncompressed layers (OCI Image Specification, "rootfs.diff_ids").
 *
 * @param list the content of `manifest.json`.
 * @throws FindingError "release-file-invalid", "release-image-digest", "release-image-invalid"
 */
export async function openDockerArchive(path: string, entries: FileEntries, list: Uint8Array): Promise<DockerArchive> {
  const images = listAt([jsonOrNull(decodeUtf8(list) ?? "")], ["0"]);
  const [image = null] = images;
  if (images.length !== 1) throw invalid(path, `its manifest.json lists ${images.length} images, not one`);
  const configName = textAt(image, ["Config"]);
  const bytes = await smallFile(path, entries, configName);
  if (bytes === undefined) throw invalid(path, `the configuration ${quote(configName)} is not in it`);
  const digest = digestOf(bytes);
  const stated = `sha256:${/(?:^|\/)([0-9a-f]{64})(?:\.json)?$/.exec(configName)?.[1]}`;
  if (isDigest(stated) && stated !== digest) throw differs(quote(path), stated, `its digest is ${digest}`);
  const config: Value = readJsonBytes(quote(path), "the configuration of the image", bytes);
  const diffIds = listAt(config, ["rootfs", "diff_ids"]);
  const names = listAt(image, ["Layers"]);
  const isText = (one: Value): one is string => typeof one === "string";
  if (names.length !== diffIds.length || !names.every(isText) || !diffIds.every((one) => isText(one) && isDigest(one)))
    throw invalid(path, "its manifest.json and its configuration do not list the same layers");
  const files = new Map(diffIds.map((one, index) => [one as string, names[index] as string]));
  const layers = (diffIds as string[]).map((one) => ({
    mediaType: "",
    digest: one,
    size: undefined,
    artifactType: "",
    annotation: () => "",
  }));
  const [name = ""] = listAt(image, ["RepoTags"]).filter(isText);
  return {
    source: sourceOf(path, entries, files),
    digest,
    architecture: architectureOf(quote(path), config),
    layers,
    name,
  };
}

function sourceOf(path: string, entries: FileEntries, files: ReadonlyMap<string, string>): ImageSource {
  return {
    name: quote(path),
    manifest: async () => undefined,
    referrers: async () => [],
    async *blob({ digest }) {
      const parts = await entries.open(files.get(digest) ?? "");
      if (parts === undefined)
        throw imageError(
          "release-image-missing",
          `${quote(path)}: the layer ${digest} of the image is not in the file. Create the file again.`,
        );
      yield* parts;
    },
  };
}
