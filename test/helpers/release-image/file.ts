import { type BuiltImage, descriptorOf, digestOf, json, type LayerEntry } from "./image.ts";

/** The path of a blob in a layout. */
function blobPath(bytes: Uint8Array): string {
  return `blobs/sha256/${digestOf(bytes).slice(7)}`;
}

/** An image of a layout, with its name. */
export interface LaidOut {
  readonly image: Pick<BuiltImage, "bytes" | "mediaType" | "blobs">;
  readonly name?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The files of an OCI layout. */
export function layoutOf(images: readonly LaidOut[], others: readonly BuiltImage[] = []): LayerEntry[] {
  const manifests = images.map(({ image: { bytes, mediaType }, name, more = {} }) =>
    descriptorOf(bytes, mediaType, {
      ...(name === undefined ? {} : { annotations: { "org.opencontainers.image.ref.name": name } }),
      ...more,
    }),
  );
  const blobs = [...images.map(({ image }) => image), ...others].flatMap(({ bytes, blobs }) => [bytes, ...blobs]);
  return [
    { name: "blobs/", type: "directory" },
    ...blobs.map((bytes): LayerEntry => ({ name: blobPath(bytes), content: bytes })),
    { name: "index.json", content: json({ schemaVersion: 2, manifests }) },
    { name: "oci-layout", content: '{"imageLayoutVersion":"1.0.0"}' },
  ];
}

/** The files of a docker-archive of uncompressed layers, from the lowest to the top. */
export function dockerArchiveOf(
  layers: readonly Uint8Array[],
  { tags = ["quay.io/okd/scos-release:4.22.0-okd-scos.7"], architecture = "arm64" } = {},
): { readonly entries: LayerEntry[]; readonly digest: string } {
  const config = json({ architecture, os: "linux", rootfs: { type: "layers", diff_ids: layers.map(digestOf) } });
  const digest = digestOf(config);
  const name = `${digest.slice(7)}.json`;
  const files = layers.map((one) => ({ name: `${digestOf(one).slice(7)}.tar`, content: one }));
  const list = [{ Config: name, RepoTags: tags, Layers: files.map((one) => one.name) }];
  const manifest = { name: "manifest.json", content: json(list) };
  return { entries: [...files, { name, content: config }, manifest], digest };
}
