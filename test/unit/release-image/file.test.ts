import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { type ImageOptions, readReleaseFile } from "../../../src/release-image/read-image.ts";
import { bundleType } from "../../../src/release-image/signature/bundle.ts";
import { signatureTag } from "../../../src/release-image/signature/signature.ts";
import { dockerArchiveOf, type LaidOut, layoutOf } from "../../helpers/release-image/file.ts";
import {
  type BuiltImage,
  digestOf,
  imageOf,
  indexOf,
  json,
  type LayerEntry,
  layer,
  manifests,
  mediaTypes,
  releaseFiles,
  releaseImage,
  tar,
} from "../../helpers/release-image/image.ts";
import { plainOptions, problemOf } from "../../helpers/release-image/read.ts";
import { payloadFor, signatureManifest } from "../../helpers/release-image/signature.ts";
import { temporary } from "../../helpers/temporary.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const verifying = { skipVerify: false, publicKey: pem };
const name = "quay.io/openshift-release-dev/ocp-release";

let image: BuiltImage;
beforeAll(async () => {
  image = await releaseImage();
});

async function archive(entries: readonly LayerEntry[]): Promise<string> {
  const path = join(temporary(), "image.tar");
  writeFileSync(path, await tar(entries));
  return path;
}

async function read(entries: readonly LayerEntry[], options: Partial<ImageOptions> = {}) {
  return readReleaseFile(await archive(entries), { ...plainOptions, ...options });
}

function problem(entries: readonly LayerEntry[], options: Partial<ImageOptions> = {}) {
  return problemOf(() => read(entries, options));
}

/** A signature of the image, by its name in a layout. */
function signature(reference = `${name}:4.20.3-x86_64`, key = privateKey): LaidOut {
  const { manifest, blobs } = signatureManifest([{ payload: payloadFor(image.digest, reference), key }]);
  return { image: { bytes: manifest, mediaType: mediaTypes.oci.manifest, blobs }, name: signatureTag(image.digest) };
}

describe("an OCI layout", () => {
  it("in a tar archive is read", async () => {
    const path = await archive(layoutOf([{ image, name: `${name}:4.20.3-x86_64` }]));
    const found = await readReleaseFile(path, plainOptions);
    expect({ ...found, files: [...found.files.keys()].sort() }).toEqual({
      name,
      tag: "4.20.3-x86_64",
      digest: image.digest,
      index: undefined,
      architecture: "amd64",
      from: path,
      signature: { verified: "none", why: "skipped" },
      files: Object.keys(releaseFiles).sort(),
    });
  });

  it("in a directory is read", async () => {
    const directory = temporary();
    for (const { name: path, content = "", type } of layoutOf([{ image }])) {
      mkdirSync(join(directory, type === "directory" ? path : dirname(path)), { recursive: true });
      if (type !== "directory") writeFileSync(join(directory, path), content);
    }
    expect(await readReleaseFile(directory, plainOptions)).toMatchObject({
      name: "",
      tag: undefined,
      digest: image.digest,
    });
  });

  it("may begin its names with ./, and name only the tag", async () => {
    const entries = layoutOf([{ image, name: "4.20.3" }]).map((one) => ({ ...one, name: `./${one.name}` }));
    expect(await read(entries)).toMatchObject({ name: "", tag: "4.20.3" });
  });

  it("may contain an index, and the manifests of several architectures", async () => {
    const arm = await releaseImage({ architecture: "arm64" });
    const index = indexOf({ amd64: image, arm64: arm });
    const found = await read(layoutOf([{ image: index }], [image, arm]), { arch: "arm64" });
    expect(found).toMatchObject({ digest: arm.digest, index: index.digest, architecture: "arm64" });
    const platform = (architecture: string) => ({ more: { platform: { os: "linux", architecture } } });
    const both = layoutOf([
      { image, ...platform("amd64") },
      { image: arm, ...platform("arm64") },
    ]);
    expect(await read(both, { arch: "arm64" })).toMatchObject({ digest: arm.digest, index: undefined });
    expect((await problem(both, { arch: "s390x" })).code).toBe("release-image-architecture");
  });

  it("must contain one image", async () => {
    const arm = await releaseImage({ architecture: "arm64" });
    const two = await problem(layoutOf([{ image }, { image: arm }]));
    expect(two.code).toBe("release-file-invalid");
    expect(two.message).toContain("it contains 2 images, and which of them is the release is not known.");
    expect((await problem(layoutOf([signature()]))).message).toContain("it contains no image.");
    expect(await read(layoutOf([{ image }, { image, name: "again" }]))).toMatchObject({ digest: image.digest });
  });

  it("may contain the signature, which names the repository", async () => {
    expect(await read(layoutOf([{ image, name: "1" }, signature()]), verifying)).toMatchObject({
      name,
      tag: "1",
      signature: { verified: "key" },
    });
    expect((await problem(layoutOf([{ image }]), verifying)).code).toBe("release-signature-missing");
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    expect((await problem(layoutOf([{ image }, signature(undefined, other)]), verifying)).code).toBe(
      "release-signature-other-key",
    );
  });

  it("must be signed by the built-in key, unless the user has one or skips it", async () => {
    expect((await problem(layoutOf([{ image }, signature()]), { skipVerify: false })).code).toBe(
      "release-signature-other-key",
    );
  });

  it("may contain a bundle that refers to the image", async () => {
    const bundle = json({ mediaType: bundleType });
    const bytes = json({
      schemaVersion: 2,
      artifactType: bundleType,
      layers: [{ mediaType: bundleType, digest: digestOf(bundle), size: bundle.length }],
      subject: { digest: image.digest },
    });
    const referrer = {
      image: { bytes, mediaType: mediaTypes.oci.manifest, blobs: [bundle] },
      more: { artifactType: bundleType },
    };
    expect((await problem(layoutOf([{ image }, referrer]), verifying)).code).toBe("release-signature-invalid");
  });

  it.each([
    ["a manifest", () => image.bytes, "release-file-invalid", "is not in it."],
    [
      "a layer",
      () => image.blobs.at(-1),
      "release-image-missing",
      "of the image is not in the file. Create the file again.",
    ],
  ])("without %s is an error", async (_, blob, code, message) => {
    const hidden = digestOf(blob() as Uint8Array).slice(7);
    const found = await problem(layoutOf([{ image }]).filter((one) => !one.name.endsWith(hidden)));
    expect(found).toEqual({ code, message: expect.stringContaining(message) });
  });

  it.each([
    ["a manifest", () => image.bytes],
    ["a layer", () => image.blobs.at(-1) as Uint8Array],
  ])("with a changed %s is an error", async (_, blob) => {
    const changed = digestOf(blob()).slice(7);
    const entries = layoutOf([{ image }]).map((one) =>
      one.name.endsWith(changed) ? { ...one, content: Buffer.from(one.content as Uint8Array).fill(7, 10, 12) } : one,
    );
    expect((await problem(entries)).code).toBe("release-image-digest");
  });

  it("never reads a link", async () => {
    const wanted = digestOf(image.bytes).slice(7);
    const entries = layoutOf([{ image }]).map(
      (one): LayerEntry =>
        one.name.endsWith(wanted) ? { name: one.name, type: "symlink", linkname: "/etc/passwd" } : one,
    );
    expect((await problem(entries)).message).toContain("is not in it.");
  });

  it.each([
    ["index.json", "{", "index.json is not JSON"],
    ["index.json", '{"manifests":[1]}', "the index lists a manifest without a valid size and SHA-256 digest"],
  ])("with a wrong %s is an error", async (file, content, message) => {
    const entries = layoutOf([{ image }]).map((one) => (one.name === file ? { ...one, content } : one));
    expect(await problem(entries)).toEqual({
      code: "release-image-invalid",
      message: expect.stringContaining(message),
    });
  });
});

describe("a docker-archive", () => {
  it("is read, but not verified", async () => {
    const { entries, digest } = dockerArchiveOf([await tar([]), await tar(manifests())]);
    const path = await archive(entries);
    const found = await readReleaseFile(path, plainOptions);
    expect({ ...found, files: [...found.files.keys()].sort() }).toEqual({
      name: "quay.io/okd/scos-release",
      tag: "4.22.0-okd-scos.7",
      digest,
      index: undefined,
      architecture: "arm64",
      from: path,
      signature: { verified: "none", why: "skipped" },
      files: Object.keys(releaseFiles).sort(),
    });
    expect(await problemOf(() => readReleaseFile(path, { ...plainOptions, ...verifying }))).toEqual({
      code: "release-signature-missing",
      message: `"${path}" is a docker-archive, which contains neither the signed manifest nor a signature. Use an OCI layout with the signature; or, if you verified the image in another way, use --insecure-skip-verify.`,
    });
  });

  it("without names has none", async () => {
    expect(await read(dockerArchiveOf([await tar(manifests())], { tags: [] }).entries)).toMatchObject({
      name: "",
      tag: undefined,
    });
  });

  it.each([
    [{ Config: "", Layers: [] }, 'the configuration "" is not in it'],
    [{ Config: "../x", Layers: [] }, 'the configuration "../x" is not in it'],
    [{ Layers: ["a"] }, 'the configuration "" is not in it'],
  ])("%# is an error", async (one, message) => {
    const entries = [{ name: "manifest.json", content: json([one]) }];
    expect(await problem(entries)).toEqual({ code: "release-file-invalid", message: expect.stringContaining(message) });
  });

  it.each(["[]", "{", "[1,2]", "null"])("whose list is %s is an error", async (content) => {
    const found = await problem([{ name: "manifest.json", content }]);
    expect(found).toEqual({
      code: "release-file-invalid",
      message: expect.stringContaining("its manifest.json lists"),
    });
  });

  it("whose layer or configuration is not what its digest says is an error", async () => {
    const { entries } = dockerArchiveOf([await tar(manifests())]);
    const other = await tar(manifests({ ...releaseFiles, extra: "1" }));
    const changed = entries.map((one) => (one.name.endsWith(".tar") ? { ...one, content: other } : one));
    expect((await problem(changed)).code).toBe("release-image-digest");
    const renamed = entries.map((one) =>
      /[0-9a-f]\.json$/.test(one.name) ? { ...one, content: `${Buffer.from(one.content as Uint8Array)} ` } : one,
    );
    expect((await problem(renamed)).code).toBe("release-image-digest");
  });

  it("without a layer is an error", async () => {
    const { entries } = dockerArchiveOf([await tar(manifests())]);
    expect((await problem(entries.filter((one) => !one.name.endsWith(".tar")))).code).toBe("release-image-missing");
    const config = json({ architecture: "amd64", rootfs: { diff_ids: [] } });
    const list = { name: "manifest.json", content: json([{ Config: "c.json", Layers: ["x"] }]) };
    const found = await problem([{ name: "c.json", content: config }, list]);
    expect(found.message).toContain("its manifest.json and its configuration do not list the same layers.");
  });
});

describe("another file", () => {
  it("that is not an image is an error", async () => {
    const path = await archive([{ name: "README", content: "text" }]);
    expect(await problemOf(() => readReleaseFile(path, plainOptions))).toEqual({
      code: "release-file-invalid",
      message: `"${path}" is not a release image that can be read: it is neither an OCI layout nor a docker-archive. Create it with skopeo copy docker://IMAGE oci-archive:FILE.`,
    });
  });

  it("that is not an archive is an error", async () => {
    for (const content of ["text", gzipSync(await tar(layoutOf([{ image }]))), Buffer.alloc(3000, "x")]) {
      const path = join(temporary(), "image.tar");
      writeFileSync(path, content);
      const found = await problemOf(() => readReleaseFile(path, plainOptions));
      expect(found.code).toBe("release-file-invalid");
      expect(found.message).toMatch(
        /: it is not a valid tar archive \(.*\)\. If it is compressed, decompress it first\./,
      );
    }
  });

  it("that is cut off is an error", async () => {
    const bytes = await tar(layoutOf([{ image }]));
    for (const length of [bytes.length - 1536, bytes.length - 2560, 5000, 600]) {
      const path = join(temporary(), "image.tar");
      writeFileSync(path, bytes.subarray(0, length));
      expect((await problemOf(() => readReleaseFile(path, plainOptions))).code).toMatch(
        /^release-(?:file-invalid|image-digest)$/,
      );
    }
  });

  it("that does not exist is an error", async () => {
    const path = join(temporary(), "missing\u001b[31m.tar");
    expect(await problemOf(() => readReleaseFile(path, plainOptions))).toEqual({
      code: "release-file-invalid",
      message: `"${path.replace("\u001b", "\\u001b")}" cannot be read: ENOENT. Name a file that exists.`,
    });
  });

  it("whose index is too long is not read", async () => {
    const entries = [
      { name: "oci-layout", content: "{}" },
      { name: "index.json", content: new Uint8Array((4 << 20) + 1) },
    ];
    expect((await problem(entries)).message).toContain('"index.json" in it is longer than 4 MiB.');
  });
});

it("a layer of a layout may be in any of its layers", async () => {
  const upper = await layer(manifests({ "z.yaml": "z" }));
  const two = imageOf([await layer(manifests()), upper], { format: "oci" });
  const found = await read(layoutOf([{ image: two }]));
  expect([...found.files.keys()].sort()).toEqual([...Object.keys(releaseFiles), "z.yaml"].sort());
});
