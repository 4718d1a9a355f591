import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar } from "modern-tar";

/** An entry of a layer: a regular file if it has only a content. */
export interface LayerEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: "file" | "directory" | "symlink" | "link" | "character-device" | "block-device" | "fifo";
  readonly linkname?: string;
}

/** The media types of a format. */
export const mediaTypes = {
  oci: {
    index: "application/vnd.oci.image.index.v1+json",
    manifest: "application/vnd.oci.image.manifest.v1+json",
    config: "application/vnd.oci.image.config.v1+json",
    layer: "application/vnd.oci.image.layer.v1.tar+gzip",
  },
  docker: {
    index: "application/vnd.docker.distribution.manifest.list.v2+json",
    manifest: "application/vnd.docker.distribution.manifest.v2+json",
    config: "application/vnd.docker.container.image.v1+json",
    layer: "application/vnd.docker.image.rootfs.diff.tar.gzip",
  },
} as const;

/** The files of a small release. */
export const releaseFiles: Readonly<Record<string, string>> = {
  "release-metadata": '{"kind":"cincinnati-metadata-v0","version":"4.20.3","previous":[]}',
  "image-references": '{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","metadata":{"name":"4.20.3"}}',
  "0000_50_example_credentials-request.yaml": "apiVersion: cloudcredential.openshift.io/v1\nkind: CredentialsRequest\n",
};

/** Entries for files in `release-manifests/`. */
export function manifests(files: Readonly<Record<string, string>> = releaseFiles, prefix = "release-manifests/") {
  return Object.entries(files).map(([name, content]): LayerEntry => ({ name: `${prefix}${name}`, content }));
}

/** A tar archive. */
export async function tar(entries: readonly LayerEntry[]): Promise<Uint8Array> {
  return packTar(
    entries.map(({ name, content = "", type = "file", linkname }) => {
      const body = Buffer.from(content);
      const header = { name, type, size: type === "file" ? body.length : 0, mtime: new Date(0) };
      return {
        header: linkname === undefined ? header : { ...header, linkname },
        ...(type === "file" ? { body } : {}),
      };
    }),
  );
}

/** A layer in gzip. */
export async function layer(entries: readonly LayerEntry[]): Promise<Uint8Array> {
  return gzipSync(await tar(entries));
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

export function descriptorOf(bytes: Uint8Array, mediaType: string, more: Readonly<Record<string, unknown>> = {}) {
  return { mediaType, digest: digestOf(bytes), size: bytes.length, ...more };
}

/** A manifest, with what it refers to. */
export interface BuiltImage {
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly mediaType: string;
  readonly blobs: readonly Uint8Array[];
}

/** An image of some layers, from the lowest to the top. */
export function imageOf(
  layers: readonly Uint8Array[],
  { format = "docker", architecture = "amd64" }: { format?: "oci" | "docker"; architecture?: string } = {},
): BuiltImage {
  const types = mediaTypes[format];
  const diffIds = layers.map((one) => digestOf(one[0] === 0x1f ? gunzipSync(one) : one));
  const config = json({ architecture, os: "linux", rootfs: { type: "layers", diff_ids: diffIds } });
  const bytes = json({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: descriptorOf(config, types.config),
    layers: layers.map((one) => descriptorOf(one, types.layer)),
  });
  return { bytes, digest: digestOf(bytes), mediaType: types.manifest, blobs: [config, ...layers] };
}

/** The image of a small release. */
export async function releaseImage(options: Parameters<typeof imageOf>[1] = {}): Promise<BuiltImage> {
  return imageOf([await layer([{ name: "etc/passwd", content: "root" }]), await layer(manifests())], options);
}

/** An index of images, by architecture; with "" without a platform. */
export function indexOf(images: Readonly<Record<string, BuiltImage>>, format: "oci" | "docker" = "oci"): BuiltImage {
  const bytes = json({
    schemaVersion: 2,
    mediaType: mediaTypes[format].index,
    manifests: Object.entries(images).map(([architecture, { bytes, mediaType }]) =>
      descriptorOf(bytes, mediaType, architecture === "" ? {} : { platform: { os: "linux", architecture } }),
    ),
  });
  return { bytes, digest: digestOf(bytes), mediaType: mediaTypes[format].index, blobs: [] };
}
