// node release.mjs VERSION REQUESTS OUT: writes the image of a release as an OCI layout. Its manifests are the files in REQUESTS, the
// namespaces of their Secrets, and the feature gates of the default feature set.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadAll } from "js-yaml";
import { packTar } from "modern-tar";

const [version = "", requests = "", out = ""] = process.argv.slice(2);
const oci = "application/vnd.oci.image";
mkdirSync(join(out, "blobs/sha256"), { recursive: true });

/** @param {Uint8Array} bytes @param {string} mediaType */
function blob(bytes, mediaType) {
  const hash = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(join(out, "blobs/sha256", hash), bytes);
  return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
}

/** @param {unknown} value */
const json = (value) => Buffer.from(JSON.stringify(value));
const profile = "include.release.openshift.io/self-managed-high-availability";
const requestFiles = readdirSync(requests).map(
  (name) => /** @type {[string, Buffer]} */ ([name, readFileSync(join(requests, name))]),
);
const namespaces = requestFiles.flatMap(([, text]) =>
  loadAll(text.toString()).map((request) => /** @type {any} */ (request).spec.secretRef.namespace),
);
const gates = {
  apiVersion: "config.openshift.io/v1",
  kind: "FeatureGate",
  metadata: { name: "cluster", annotations: { [profile]: "false-except-for-the-config-operator" } },
  spec: {},
  status: { featureGates: [{ version: "", enabled: [{ name: "ImageVolume" }], disabled: [{ name: "NewOLM" }] }] },
};
/** @type {[string, Buffer][]} */
const files = [
  ["release-metadata", json({ kind: "cincinnati-metadata-v0", version, previous: [] })],
  ["image-references", json({ kind: "ImageStream", metadata: { name: version } })],
  ["0000_50_cluster-config-api_featureGate-SelfManagedHA-Default.yaml", json(gates)],
  ...[...new Set(namespaces)].map((name) => {
    const metadata = { name, annotations: { [profile]: "true" } };
    return /** @type {[string, Buffer]} */ ([`${name}.yaml`, json({ apiVersion: "v1", kind: "Namespace", metadata })]);
  }),
  ...requestFiles,
];
const tar = await packTar(
  files.map(([name, body]) => ({ header: { name: `release-manifests/${name}`, size: body.length }, body })),
);
const layer = blob(gzipSync(tar), `${oci}.layer.v1.tar+gzip`);
const config = blob(json({ architecture: "amd64", os: "linux" }), `${oci}.config.v1+json`);
const manifest = { schemaVersion: 2, mediaType: `${oci}.manifest.v1+json`, config, layers: [layer] };
const image = blob(json(manifest), manifest.mediaType);
writeFileSync(join(out, "index.json"), json({ schemaVersion: 2, manifests: [image] }));
writeFileSync(join(out, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
