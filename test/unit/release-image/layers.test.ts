import { PassThrough } from "node:stream";
import * as zlib from "node:zlib";
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decompressed } from "../../../src/release-image/layers/compression.ts";
import { readReleaseManifests } from "../../../src/release-image/layers/release-manifests.ts";
import type { ImageSource } from "../../../src/release-image/source.ts";
import { type LayerEntry, layer, manifests, releaseFiles, tar } from "../../helpers/release-image/image.ts";
import { described, problemOf, sourceOf } from "../../helpers/release-image/read.ts";

/** The files that are read of layers, from the lowest to the top, as texts. */
async function read(...layers: readonly Uint8Array[]): Promise<Record<string, string>> {
  const source = sourceOf(layers);
  const files = await readReleaseManifests(
    source,
    layers.map((one) => described(one)),
    () => undefined,
  );
  return Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

const required = { "release-metadata": "{}", "image-references": "{}" };
const lower = { ...required, "a.yaml": "lower a", "b.yaml": "lower b" };

/** A release in two layers: the upper one has none of the required files, so the lower one is read, too. */
async function over(...upper: LayerEntry[]): Promise<Record<string, string>> {
  return read(await layer(manifests(lower)), await layer(upper));
}

const where = "example.com/release";

describe("the layers of a release", () => {
  it("give the files of release-manifests, and nothing else", async () => {
    const others = [
      "etc/passwd",
      "release-manifests",
      "x/release-manifests/c",
      "release-manifests/sub/d",
      "/release-manifests/e",
    ];
    const entries = others.map((name): LayerEntry => ({ name, content: "other" }));
    const [, directory] = entries;
    const all = [
      ...entries.filter((one) => one !== directory),
      { name: "release-manifests/", type: "directory" } as const,
    ];
    expect(await read(await layer([...all, ...manifests()]))).toEqual(releaseFiles);
    expect(await read(await layer(manifests(releaseFiles, "./release-manifests/")))).toEqual(releaseFiles);
  });

  it("are read from the top, and only until the required files are found", async () => {
    const progress: string[] = [];
    const layers = [await layer([{ name: "never", content: "read" }]), await layer(manifests()), await layer([])];
    const source = sourceOf(layers.slice(1));
    const files = await readReleaseManifests(
      source,
      layers.map((one) => described(one)),
      (text) => progress.push(text),
    );
    expect([...files.keys()].sort()).toEqual(Object.keys(releaseFiles).sort());
    expect(progress).toEqual([
      expect.stringMatching(/^Reading layer 1 of 3 \([\d.]+ KiB\)$/),
      expect.stringMatching(/^Reading layer 2 of 3 /),
    ]);
  });

  it("give a long file after short ones that are skipped", async () => {
    const skipped = Array.from({ length: 20 }, (_, index): LayerEntry => ({ name: `etc/${index}`, content: "short" }));
    const long = { ...releaseFiles, "long.yaml": "0123456789".repeat(200_000) };
    const entries = Object.entries(long).flatMap(([name, content]) => [...skipped, ...manifests({ [name]: content })]);
    expect(await read(await layer(entries))).toEqual(long);
    expect(await read(await tar(entries))).toEqual(long);
  });

  it("a file of a higher layer replaces that of a lower one", async () => {
    expect(await over(...manifests({ "a.yaml": "upper a", "c.yaml": "upper c" }))).toEqual({
      ...lower,
      "a.yaml": "upper a",
      "c.yaml": "upper c",
    });
  });

  it("a whiteout hides a file of lower layers, not of its own", async () => {
    expect(Object.keys(await over(...manifests({ ".wh.a.yaml": "" }))).sort()).toEqual(
      ["b.yaml", ...Object.keys(required)].sort(),
    );
    expect(await over(...manifests({ ".wh.a.yaml": "", "a.yaml": "own" }))).toEqual({ ...lower, "a.yaml": "own" });
    const { "a.yaml": _, ...rest } = lower;
    expect(await over({ name: "release-manifests/a.yaml", type: "directory" })).toEqual(rest);
    expect(await over(...manifests({ ".wh..wh.plnk": "", ".wh.": "" }))).toEqual(lower);
  });

  it.each([
    ".wh.release-manifests",
    "release-manifests/.wh..wh..opq",
    ".wh..wh..opq",
    "./release-manifests/.wh..wh..opq",
  ])("%s hides all of lower layers", async (name) => {
    expect(await problemOf(() => over({ name }, ...manifests({ "c.yaml": "c" })))).toEqual({
      code: "release-image-invalid",
      message: `${where} is not the image of a release: it does not contain release-manifests/release-metadata and release-manifests/image-references. Check the name of the image.`,
    });
  });

  it.each([
    [
      { name: "release-manifests/x", type: "symlink", linkname: "/etc/passwd" },
      '"release-manifests/x" is a "symlink", not a regular file.',
    ],
    [
      { name: "./release-manifests/x", type: "link", linkname: "etc/passwd" },
      '"./release-manifests/x" is a "link", not a regular file.',
    ],
    [{ name: "release-manifests/x", type: "character-device" }, 'is a "character-device", not a regular file.'],
    [{ name: "release-manifests/x", type: "block-device" }, 'is a "block-device", not a regular file.'],
    [{ name: "release-manifests/x", type: "fifo" }, 'is a "fifo", not a regular file.'],
    [{ name: "release-manifests", type: "symlink", linkname: "etc" }, '"release-manifests" is not a directory.'],
    [{ name: "release-manifests", content: "text" }, '"release-manifests" is not a directory.'],
    [{ name: "release-manifests/a\\b" }, "is not a usable name of a file."],
    [{ name: "release-manifests/a:b" }, "is not a usable name of a file."],
    [{ name: "release-manifests/a\nb" }, '"release-manifests/a\\u000ab" is not a usable name of a file.'],
    [{ name: "release-manifests/a\u202eb" }, '"release-manifests/a\\u202eb" is not a usable name of a file.'],
    [{ name: `release-manifests/${"a".repeat(256)}` }, "is not a usable name of a file."],
    [
      { name: "release-manifests/x", content: new Uint8Array((4 << 20) + 1) },
      '"release-manifests/x" is longer than 4 MiB.',
    ],
  ] satisfies [LayerEntry, string][])("%#: are refused", async (entry, message) => {
    const problem = await problemOf(async () => read(await layer([...manifests(), entry])));
    expect(problem.code).toBe("release-image-invalid");
    expect(problem.message).toContain(message);
    expect(problem.message).toMatch(/ Check the name of the image, or copy it again\.$/);
  });

  it.each([
    { name: "/release-manifests/x", type: "symlink", linkname: "/etc/passwd" },
    { name: "release-manifests/../x", type: "symlink", linkname: "/etc/passwd" },
    { name: "../release-manifests/x", content: "text" },
    { name: "release-manifests/..", content: "text" },
    { name: "release-manifests/.", content: "text" },
    { name: "etc/link", type: "symlink", linkname: "../release-manifests/x" },
    { name: "dev/null", type: "character-device" },
  ] satisfies LayerEntry[])("$name is ignored", async (entry) => {
    expect(await read(await layer([entry, ...manifests()]))).toEqual(releaseFiles);
  });

  it("are refused if a name appears twice", async () => {
    const twice = await layer([...manifests(), ...manifests()]);
    expect((await problemOf(() => read(twice))).message).toContain(
      'a layer contains "release-manifests/release-metadata" twice.',
    );
  });

  it("have limits", async () => {
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`${index}.yaml`, ""]));
    expect((await problemOf(async () => read(await layer(manifests(many))))).message).toContain(
      "it has more than 5000 manifests.",
    );
    const large = Array.from(
      { length: 17 },
      (_, index): LayerEntry => ({ name: `release-manifests/${index}`, content: new Uint8Array(4 << 20) }),
    );
    expect((await problemOf(async () => read(await layer(large)))).message).toContain(
      "its manifests are longer than 64 MiB.",
    );
    const layers = [described(new Uint8Array(), { size: 2 ** 31 + 1 })];
    expect((await problemOf(() => readReleaseManifests(sourceOf([]), layers, () => undefined))).message).toContain(
      "a layer is longer than 2 GiB.",
    );
  });
});

describe("the compression of a layer", () => {
  it("may be none", async () => {
    expect(await read(await tar(manifests()))).toEqual(releaseFiles);
  });

  it("may be zstd, if the version of Node.js can read it", async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?(bytes: Uint8Array): Uint8Array };
    const archive = await tar(manifests());
    if (zstdCompressSync !== undefined) {
      expect(await read(zstdCompressSync(archive))).toEqual(releaseFiles);
      return;
    }
    const problem = await problemOf(() => read(Buffer.concat([Buffer.from("28b52ffd", "hex"), archive])));
    expect(problem).toEqual({
      code: "release-image-compression",
      message: `${where}: a layer of the image is compressed with zstd, which cannot be read here. Copy the image with gzip: skopeo copy --dest-compress-format gzip. Or use Node.js 22.15 or newer, which can read zstd.`,
    });
  });

  it("of zstd is that of Node.js", async () => {
    const parts = (async function* () {
      for (const byte of Buffer.from("28b52ffd00", "hex")) yield Buffer.from([byte]);
    })();
    const all: Uint8Array[] = [];
    for await (const part of decompressed(parts, { where, max: 10, zstd: () => new PassThrough() })) all.push(part);
    expect(Buffer.concat(all).toString("hex")).toBe("28b52ffd00");
  });

  it.each([
    ["xz", "fd377a585a00"],
    ["bzip2", "425a6839314159"],
    ["lz4", "04224d186440"],
  ])("must not be %s", async (name, start) => {
    const problem = await problemOf(() => read(Buffer.from(start, "hex")));
    expect(problem).toEqual({
      code: "release-image-compression",
      message: `${where}: a layer of the image is compressed with ${name}, which cannot be read here. Copy the image with gzip: skopeo copy --dest-compress-format gzip.`,
    });
  });

  it.each([
    [
      "gzip that is cut off",
      async () => (await layer(manifests())).subarray(0, -20),
      "a layer of the image is damaged: unexpected end of file.",
    ],
    [
      "gzip with another checksum",
      async () => {
        const bytes = Buffer.from(await layer(manifests()));
        bytes[bytes.length - 6] = (bytes.at(-6) as number) ^ 1;
        return bytes;
      },
      "a layer of the image is damaged: incorrect data check.",
    ],
    [
      "a tar that is cut off",
      async () => (await tar(manifests())).subarray(0, -1536),
      "a layer is not a valid tar archive: Tar archive is truncated.",
    ],
    [
      "a tar in gzip that is cut off",
      async () => gzipSync((await tar(manifests())).subarray(0, 700)),
      "a layer is not a valid tar archive: Tar archive is truncated.",
    ],
    [
      "a tar with another checksum",
      async () => {
        const bytes = Buffer.from(await tar(manifests()));
        bytes[0] = (bytes[0] as number) ^ 1;
        return bytes;
      },
      "a layer is not a valid tar archive: Invalid tar header checksum.",
    ],
    ["a text", async () => Buffer.from("text ".repeat(500)), "a layer is not a valid tar archive: Invalid tar"],
    ["deflate", async () => deflateRawSync(Buffer.alloc(5000, "text")), "a layer is not a valid tar archive:"],
    ["nothing", async () => new Uint8Array(), "a layer is not a valid tar archive: Tar archive is truncated"],
  ])("%s is an error", async (_, made, message) => {
    const problem = await problemOf(async () => read(await made()));
    expect(problem.code).toBe("release-image-invalid");
    expect(problem.message).toContain(message);
  });

  it("that grows without end is an error", async () => {
    const parts = (async function* () {
      yield gzipSync(new Uint8Array(100_000));
    })();
    const reading = async () => {
      for await (const _ of decompressed(parts, { where, max: 99_999 }));
    };
    expect((await problemOf(reading)).message).toContain(
      "a layer of the image has more than 99999 bytes uncompressed.",
    );
  });
});

describe("the digest of a layer", () => {
  const sourceWith = (stored: Uint8Array): ImageSource => ({
    ...sourceOf([]),
    async *blob() {
      for (let at = 0; at < stored.length; at += 100) yield stored.subarray(at, at + 100);
    },
  });
  const reading = (good: Uint8Array, stored: Uint8Array) => () =>
    readReleaseManifests(sourceWith(stored), [described(good)], () => undefined);

  it.each([
    ["is cut off", (good: Uint8Array) => good.subarray(0, -30), "it ends after"],
    ["is longer", (good: Uint8Array) => Buffer.concat([good, Buffer.from("more")]), "it is longer than its"],
    [
      "is changed at its start",
      (good: Uint8Array) => Buffer.concat([Buffer.from("x"), good.subarray(1)]),
      "its digest is sha256:",
    ],
    [
      "is changed in the middle",
      (good: Uint8Array) => Buffer.concat([good.subarray(0, 150), Buffer.from("xx"), good.subarray(152)]),
      "its digest is sha256:",
    ],
    [
      "is changed after the end of gzip",
      (good: Uint8Array) => Buffer.concat([good.subarray(0, -1), Buffer.from("x")]),
      "its digest is sha256:",
    ],
  ])("is wrong if it %s", async (_, changed, how) => {
    // What follows the compressed text belongs to the layer, too.
    const good = Buffer.concat([await layer(manifests()), Buffer.from("tail")]);
    const problem = await problemOf(reading(good, changed(good)));
    expect(problem.code).toBe("release-image-digest");
    expect(problem.message).toContain(how);
    expect(problem.message).toContain("Nothing of it was used. Run the same command again;");
  });

  it("counts for another archive of the same length", async () => {
    const good = await tar(manifests());
    const other = await tar(
      manifests({ ...releaseFiles, "release-metadata": releaseFiles["release-metadata"]?.replace("4", "5") ?? "" }),
    );
    expect(other.length).toBe(good.length);
    expect((await problemOf(reading(good, other))).code).toBe("release-image-digest");
  });
});
