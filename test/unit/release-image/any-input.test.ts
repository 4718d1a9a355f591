import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FindingError } from "../../../src/core/finding.ts";
import type { Value } from "../../../src/core/resource.ts";
import { openDockerArchive } from "../../../src/release-image/file/docker-archive.ts";
import { Layout } from "../../../src/release-image/file/layout.ts";
import { readLayer } from "../../../src/release-image/layers/layer.ts";
import { tarEntries } from "../../../src/release-image/layers/tar.ts";
import { manifestFor } from "../../../src/release-image/manifest.ts";
import { readMirror, readMirrors } from "../../../src/release-image/mirrors.ts";
import { readChallenges } from "../../../src/release-image/registry/challenge.ts";
import { bundleType, judgeBundle } from "../../../src/release-image/signature/bundle.ts";
import { redHatReleaseKey } from "../../../src/release-image/signature/keys/red-hat-release.ts";
import { signatureTag, verifyImageSignature } from "../../../src/release-image/signature/signature.ts";
import { readReleaseKey } from "../../../src/release-image/signature/signing-key.ts";
import { fuzzCases, runs } from "../../helpers/effort.ts";
import { digestOf, imageOf, indexOf, json, type LayerEntry, tar } from "../../helpers/release-image/image.ts";
import { sourceOf } from "../../helpers/release-image/read.ts";
import { payloadFor, signatureManifest } from "../../helpers/release-image/signature.ts";
import { rsaSigner } from "../../helpers/token.ts";

/*
 * Whatever a server or a file says, the result is a value or a FindingError: no other exception, and no promise that never
 * settles.
 */

const digest = `sha256:${"0".repeat(64)}`;

/** Documents with one or two of their values replaced. */
function changed(document: unknown): fc.Arbitrary<Value> {
  const paths = pathsIn(document);
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(undefined, null, [], {}, "", -1, 0.5, 1e300, [null], digest, "toString"),
  );
  const change = fc.tuple(fc.constantFrom(...paths), values);
  return fc.array(change, { minLength: 1, maxLength: 2 }).map((changes) => {
    const copy = structuredClone({ root: document }) as Record<string, unknown>;
    for (const [path, value] of changes) set(copy, ["root", ...path], structuredClone(value));
    return (copy["root"] ?? null) as Value;
  });
}

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]))];
}

function set(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = root;
  for (const step of path.slice(0, -1)) {
    const next = at[step];
    // An earlier change replaced it.
    if (typeof next !== "object" || next === null) return;
    at = next as Record<string, unknown>;
  }
  at[path.at(-1) ?? ""] = value;
}

async function expectFinding(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof FindingError)) throw error;
    expect(error.finding.severity).toBe("error");
  }
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}

function expectFindings(document: unknown, read: (bytes: Uint8Array, value: Value) => unknown): Promise<void> {
  const property = fc.asyncProperty(changed(document), async (value) => {
    await expectFinding(() => read(json(value), value));
  });
  return fc.assert(property, { numRuns: runs(2000, 200) }) as Promise<void>;
}

const image = imageOf([new Uint8Array([1]), new Uint8Array([2])]);
const key = readReleaseKey(redHatReleaseKey);

it("any manifest", () =>
  expectFindings(parsed(image.bytes), (bytes) =>
    manifestFor(sourceOf(image.blobs), { bytes, digest: digestOf(bytes), mediaType: "" }, "amd64"),
  ));

it("any index", () =>
  expectFindings(parsed(indexOf({ amd64: image, arm64: imageOf([], { architecture: "arm64" }) }).bytes), (bytes) =>
    manifestFor(sourceOf([image.bytes, ...image.blobs]), { bytes, digest: digestOf(bytes), mediaType: "" }, "amd64"),
  ));

it("any manifest of signatures", () => {
  const signed = [{ payload: payloadFor(digest, "a.example/b"), key: rsaSigner().privateKey }];
  const { manifest, blobs } = signatureManifest(signed);
  return expectFindings(parsed(manifest), (bytes) =>
    verifyImageSignature(sourceOf(blobs, { [signatureTag(digest)]: bytes }), {
      key,
      digest,
      manifest: bytes,
      name: "a.example/b",
    }),
  );
});

it("any bundle", () => {
  const text = Buffer.from("text").toString("base64");
  const statement = Buffer.from(
    JSON.stringify({ predicateType: "https://sigstore.dev/cosign/sign/v1", subject: [{}] }),
  );
  const envelope = {
    payload: statement.toString("base64"),
    payloadType: "application/vnd.in-toto+json",
    signatures: [{ sig: text }],
  };
  const message = { signature: text, messageDigest: { algorithm: "SHA2_256", digest: text } };
  const common = { mediaType: bundleType, verificationMaterial: { publicKey: {} } };
  const expected = { key, digest, manifest: image.bytes, name: undefined };
  return Promise.all([
    expectFindings({ ...common, dsseEnvelope: envelope }, (bytes) => judgeBundle(bytes, expected)),
    expectFindings({ ...common, messageSignature: message }, (bytes) => judgeBundle(bytes, expected)),
  ]);
});

it("any layout", () => {
  const index = { manifests: [{ digest, size: 1, annotations: { "org.opencontainers.image.ref.name": "a" } }] };
  return expectFindings(index, (bytes) => new Layout("f", { open: async () => undefined }, bytes).image("amd64"));
});

it("any docker-archive", () => {
  const config = json({ architecture: "amd64", rootfs: { diff_ids: [digest] } });
  const entries = { open: async (name: string) => (name === "c.json" ? parts(config) : undefined) };
  return expectFindings([{ Config: "c.json", Layers: ["x"], RepoTags: ["a"] }], (bytes) =>
    openDockerArchive("f", entries, bytes),
  );
});

it("any ImageDigestMirrorSet, and any --mirror", async () => {
  const imageDigestMirrors = [{ source: "quay.io", mirrors: ["a.example"], mirrorSourcePolicy: "NeverContactSource" }];
  const set = { apiVersion: "config.openshift.io/v1", kind: "ImageDigestMirrorSet", spec: { imageDigestMirrors } };
  await expectFindings(set, (_, value) => readMirrors(value, "f"));
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a-z.:/=*]{0,12}$/));
  await fc.assert(
    fc.asyncProperty(text, (one) => expectFinding(() => readMirror(one))),
    { numRuns: runs(2000, 200) },
  );
});

it("any challenge", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[a-z ="\\,]{0,40}$/));
  fc.assert(
    fc.property(text, (header) => {
      expect(readChallenges(header)).toBeInstanceOf(Array);
    }),
  );
  expect(readChallenges('Bearer realm="a, \\"b\\"",scope=c , Basic realm="d"')).toEqual([
    {
      scheme: "bearer",
      parameters: new Map([
        ["realm", 'a, "b"'],
        ["scope", "c"],
      ]),
    },
    { scheme: "basic", parameters: new Map([["realm", "d"]]) },
  ]);
  // Time does not grow with the square of the length.
  expect(readChallenges('a="'.repeat(100_000)).length).toBeLessThan(20_000);
});

async function* parts(bytes: Uint8Array, sizes: readonly number[] = [65_536]): AsyncGenerator<Uint8Array, void> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

it("any archive in any parts has its entries, whether they are read or skipped", async () => {
  const size = fc.oneof(fc.nat(20), fc.nat(3000), fc.nat(200_000), fc.constantFrom(512, 1024));
  const entries = fc.array(fc.record({ size, isRead: fc.boolean() }), { maxLength: 12 });
  const sizes = fc.array(fc.oneof(fc.integer({ min: 200, max: 2000 }), fc.constant(65_536), fc.constant(1 << 20)), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(entries, sizes, async (wanted, cuts) => {
      const made = wanted.map(
        (one, index): LayerEntry => ({ name: `f${index}`, content: Buffer.alloc(one.size, index + 1) }),
      );
      const found: string[] = [];
      for await (const entry of tarEntries(parts(await tar(made), cuts), (problem) => new Error(problem))) {
        const { isRead } = wanted[found.length] ?? { isRead: false };
        let length = 0;
        if (isRead)
          for await (const part of entry.parts()) {
            expect(part.every((byte) => byte === found.length + 1)).toBe(true);
            length += part.length;
          }
        found.push(`${entry.name} ${isRead ? length : "skipped"}`);
      }
      expect(found).toEqual(wanted.map((one, index) => `f${index} ${one.isRead ? one.size : "skipped"}`));
    }),
    { numRuns: runs(300, 60) },
  );
});

it("any layer", async () => {
  const entries = Array.from(
    { length: 6 },
    (_, index): LayerEntry => ({ name: `release-manifests/${index}`, content: "text".repeat(index * 200) }),
  );
  const plain = await tar(entries);
  const both = [plain, gzipSync(plain, { level: 0 })];
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255) });
  const cases = fc.record({ which: fc.nat(1), changes: fc.array(change, { maxLength: 4 }), cut: fc.nat() });
  await fc.assert(
    fc.asyncProperty(cases, async ({ which, changes, cut }) => {
      const bytes = Buffer.from(both[which] ?? plain);
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
      const length = cut % 3 === 0 ? cut % bytes.length : bytes.length;
      await expectFinding(() => readLayer(parts(bytes.subarray(0, length), [1000]), "w", { files: 0, bytes: 0 }));
    }),
    { numRuns: fuzzCases(3000) },
  );
});
