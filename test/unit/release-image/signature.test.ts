import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleType, signPredicate } from "../../../src/release-image/signature/bundle.ts";
import { redHatReleaseKey } from "../../../src/release-image/signature/keys/red-hat-release.ts";
import { signatureTag, verifyImageSignature } from "../../../src/release-image/signature/signature.ts";
import { keyFor, readReleaseKey } from "../../../src/release-image/signature/signing-key.ts";
import type { ImageSource } from "../../../src/release-image/source.ts";
import {
  type BuiltImage,
  descriptorOf,
  digestOf,
  json,
  mediaTypes,
  releaseImage,
} from "../../helpers/release-image/image.ts";
import { described, named, problemOf, sourceOf } from "../../helpers/release-image/read.ts";
import { payloadFor, type Signed, signatureManifest } from "../../helpers/release-image/signature.ts";

const name = "quay.io/openshift-release-dev/ocp-release";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicPem(rsa.publicKey);

function publicPem(key: KeyObject): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}

let image: BuiltImage;
let digest: string;
beforeAll(async () => {
  image = await releaseImage();
  digest = image.digest;
});

function signed(more: Partial<Signed> = {}): Signed {
  return { payload: payloadFor(digest, `${name}:4.20.3-x86_64`), key: rsa.privateKey, ...more };
}

/** Verifies an image with some signatures in its tag, and says what came out. */
function verify(
  signatures: readonly Signed[],
  more: { source?: Partial<ImageSource>; publicKey?: string; name?: string | undefined } = {},
) {
  const { manifest, blobs } = signatureManifest(signatures);
  const source = { ...sourceOf(blobs, { [signatureTag(digest)]: manifest }), ...more.source };
  const key = readReleaseKey(more.publicKey ?? pem);
  return verifyImageSignature(source, { key, digest, manifest: image.bytes, name: "name" in more ? more.name : name });
}

describe("a signature in a tag", () => {
  it("is valid if it is for the image and its repository", async () => {
    expect(await verify([signed()])).toBe(name);
    expect(await verify([signed({ payload: payloadFor(digest, name, "atomic container signature") })])).toBe(name);
    expect(await verify([signed({ payload: payloadFor(digest, `${name}@${digest}`) })])).toBe(name);
  });

  it("may be one of several", async () => {
    const wrong = [
      signed({ key: other.privateKey }),
      signed({ payload: payloadFor(digest, "quay.io/other/release:1") }),
    ];
    expect(await verify([...wrong, signed()])).toBe(name);
  });

  it.each([
    ["ECDSA", () => generateKeyPairSync("ec", { namedCurve: "P-256" })],
    ["Ed25519", () => generateKeyPairSync("ed25519")],
  ])("may be of %s", async (_, make) => {
    const { publicKey, privateKey } = make();
    expect(await verify([signed({ key: privateKey })], { publicKey: publicPem(publicKey) })).toBe(name);
    expect((await problemOf(() => verify([signed()], { publicKey: publicPem(publicKey) }))).code).toBe(
      "release-signature-other-key",
    );
  });

  it("of another key is an error", async () => {
    expect(await problemOf(() => verify([signed({ key: other.privateKey })]))).toEqual({
      code: "release-signature-other-key",
      message: `example.com/release: the image ${digest} is not trusted: no signature was made with the trusted key. The trusted key is ${readReleaseKey(pem).name}. Do not use the image unless you know who signed it; then name the public key with --key.`,
    });
  });

  it("of a changed payload is one of another key", async () => {
    const { payload } = signed();
    const changed = Buffer.from(payload.toString().replace("4.20.3", "4.20.4"));
    expect((await problemOf(() => verify([signed({ stored: changed })]))).code).toBe("release-signature-other-key");
  });

  it("for another image is an error", async () => {
    const payload = payloadFor(`sha256:${"0".repeat(64)}`, name);
    const problem = await problemOf(() => verify([signed({ payload })]));
    expect(problem.code).toBe("release-signature-other-digest");
    expect(problem.message).toContain(
      `is not trusted: the signature is for another image. It is for the image "sha256:000`,
    );
    expect(problem.message).toContain("Do not use the image. Read it from its source, or copy it again.");
  });

  it.each([
    "quay.io/openshift-release-dev/ocp-release-nightly:1",
    "mirror.example/ocp-release:1",
    "quay.io/openshift-release-dev:1",
    "",
  ])("for the repository %j is an error", async (reference) => {
    const problem = await problemOf(() => verify([signed({ payload: payloadFor(digest, reference) })]));
    expect(problem.code).toBe("release-signature-other-repository");
    expect(problem.message).toContain(
      `is not trusted: the signature is for an image of another repository. It is for an image of the repository "${reference}". `,
    );
    expect(problem.message).toContain("Name the image as it was signed, and name the mirror with --mirror.");
  });

  it("of a file may name any repository that the key signs", async () => {
    const payload = payloadFor(digest, "registry.example/any/thing:1");
    expect(await verify([signed({ payload })], { name: undefined })).toBe("registry.example/any/thing");
  });

  it.each([
    ["a type", () => signed({ payload: payloadFor(digest, name, "something else") })],
    ["JSON", () => signed({ payload: Buffer.from("{") })],
    ["a mapping", () => signed({ payload: Buffer.from("null") })],
    ["one reading", () => signed({ payload: Buffer.from(`{"critical":{},"critical":{}}`) })],
    ["base64", () => signed({ annotation: "!!!" })],
    ["an annotation", () => signed({ annotation: "" })],
  ])("without %s is malformed", async (_, made) => {
    const problem = await problemOf(() => verify([made()]));
    expect(problem.code).toBe("release-signature-invalid");
    expect(problem.message).toContain("is not trusted: the signature does not have the form of one.");
    expect(problem.message).toContain("Copy the image again, with its signatures.");
  });

  it("says the most telling of several problems", async () => {
    const otherDigest = signed({ payload: payloadFor(`sha256:${"0".repeat(64)}`, name) });
    const otherRepository = signed({ payload: payloadFor(digest, "quay.io/other/release") });
    const otherKey = signed({ key: other.privateKey });
    const codeOf = async (...all: Signed[]) => (await problemOf(() => verify(all))).code;
    expect(await codeOf(otherKey, otherDigest, otherRepository)).toBe("release-signature-other-repository");
    expect(await codeOf(otherKey, signed({ annotation: "!" }), otherDigest)).toBe("release-signature-other-digest");
    expect(await codeOf(otherKey, signed({ annotation: "!" }))).toBe("release-signature-invalid");
  });

  it("that does not exist is an error of its own", async () => {
    const expected = { key: readReleaseKey(pem), digest, manifest: image.bytes, name };
    expect(await problemOf(() => verifyImageSignature(sourceOf([]), expected))).toEqual({
      code: "release-signature-missing",
      message: `example.com/release: the image ${digest} has no signature: neither the tag ${signatureTag(digest)} nor a referrer exists. Releases from before the middle of 2024 have none in the registry, and a mirror or a converted copy may lack it. Copy the signature with the image; or, if you verified the image in another way, use --insecure-skip-verify.`,
    });
    expect((await problemOf(() => verify([]))).code).toBe("release-signature-missing");
  });

  it.each([
    ["not JSON", Buffer.from("{")],
    ["a list", Buffer.from("[]")],
    ["without digests", json({ layers: [{ mediaType: "application/vnd.dev.cosign.simplesigning.v1+json" }] })],
  ])("whose manifest is %s is malformed", async (_, manifest) => {
    const source = sourceOf([], { [signatureTag(digest)]: manifest });
    const expected = { key: readReleaseKey(pem), digest, manifest: image.bytes, name };
    expect((await problemOf(() => verifyImageSignature(source, expected))).code).toBe("release-signature-invalid");
  });

  it("has limits", async () => {
    const long = signed({ payload: Buffer.alloc((1 << 20) + 1, " ") });
    expect((await problemOf(() => verify([long]))).message).toContain(
      "a signature is longer than 1 MiB, and is not read.",
    );
    const many = Array.from({ length: 101 }, () => signed({ annotation: "!" }));
    expect((await problemOf(() => verify(many))).message).toContain("has more than 100 signatures of one image.");
  });

  it("that is not what its digest says is not read", async () => {
    const source: Partial<ImageSource> = {
      async *blob() {
        yield Buffer.from("other");
      },
    };
    const problem = await problemOf(() => verify([signed()], { source }));
    expect(problem.code).toBe("release-signature-unread");
    expect(problem.message).toContain("its signature could not be read. example.com/release: the content of sha256:");
  });
});

describe("a bundle that refers to the image", () => {
  const statement = (subject = digest, predicateType = signPredicate) =>
    json({
      _type: "https://in-toto.io/Statement/v1",
      predicateType,
      subject: [{ digest: { sha256: subject.replace("sha256:", "") } }],
      predicate: {},
    });
  const envelopeOf = (payload: Uint8Array, key = rsa.privateKey, payloadType = "application/vnd.in-toto+json") => {
    const bytes = Buffer.concat([
      Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
      payload,
    ]);
    const sig = sign("sha256", bytes, key).toString("base64");
    return { payload: Buffer.from(payload).toString("base64"), payloadType, signatures: [{ sig }] };
  };
  const messageOf = (bytes: Uint8Array, key = rsa.privateKey) => ({
    messageDigest: { algorithm: "SHA2_256", digest: Buffer.from(digestOf(bytes).slice(7), "hex").toString("base64") },
    signature: sign("sha256", bytes, key).toString("base64"),
  });
  const publicKey = { publicKey: { hint: "" } };
  const verifyBundle = (
    content: Readonly<Record<string, unknown>>,
    annotations: Readonly<Record<string, string>> = {},
  ) => {
    const bundle = json({ mediaType: bundleType, verificationMaterial: publicKey, ...content });
    const manifest = json({
      schemaVersion: 2,
      mediaType: mediaTypes.oci.manifest,
      artifactType: bundleType,
      config: descriptorOf(json({}), "application/vnd.oci.empty.v1+json"),
      layers: [descriptorOf(bundle, bundleType)],
      subject: descriptorOf(image.bytes, image.mediaType),
    });
    const referrer = described(manifest, { artifactType: bundleType, annotation: (one) => annotations[one] ?? "" });
    const source = sourceOf([bundle, manifest], {}, [referrer]);
    return verifyImageSignature(source, { key: readReleaseKey(pem), digest, manifest: image.bytes, name });
  };

  it("is valid with a signed statement, or a signature of the manifest", async () => {
    expect(await verifyBundle({ dsseEnvelope: envelopeOf(statement()) })).toBeUndefined();
    expect(await verifyBundle({ messageSignature: messageOf(image.bytes) })).toBeUndefined();
  });

  it.each([
    ["release-signature-other-key", () => ({ dsseEnvelope: envelopeOf(statement(), other.privateKey) })],
    ["release-signature-other-key", () => ({ messageSignature: messageOf(image.bytes, other.privateKey) })],
    ["release-signature-other-digest", () => ({ dsseEnvelope: envelopeOf(statement(`sha256:${"1".repeat(64)}`)) })],
    ["release-signature-other-digest", () => ({ messageSignature: messageOf(Buffer.from("other")) })],
    [
      "release-signature-missing",
      () => ({ dsseEnvelope: envelopeOf(statement(digest, "https://slsa.dev/provenance/v1")) }),
    ],
    ["release-signature-invalid", () => ({ dsseEnvelope: envelopeOf(statement(), rsa.privateKey, "text/plain") })],
    ["release-signature-invalid", () => ({ dsseEnvelope: envelopeOf(Buffer.from("{")) })],
    ["release-signature-invalid", () => ({ dsseEnvelope: { ...envelopeOf(statement()), signatures: [] } })],
    ["release-signature-invalid", () => ({ dsseEnvelope: null })],
    ["release-signature-invalid", () => ({ messageSignature: { signature: "!" } })],
    [
      "release-signature-invalid",
      () => ({ messageSignature: messageOf(image.bytes), dsseEnvelope: envelopeOf(statement()) }),
    ],
    ["release-signature-invalid", () => ({})],
    ["release-signature-invalid", () => ({ mediaType: "application/vnd.dev.sigstore.bundle.v0.2+json" })],
  ])("%s %#", async (code, content) => {
    expect((await problemOf(() => verifyBundle(content()))).code).toBe(code);
  });

  it.each(["certificate", "x509CertificateChain"])("with a %s is not trusted", async (material) => {
    const verificationMaterial = { [material]: { rawBytes: "AAAA" } };
    const problem = await problemOf(() =>
      verifyBundle({ dsseEnvelope: envelopeOf(statement()), verificationMaterial }),
    );
    expect(problem.code).toBe("release-signature-other-key");
    expect(problem.message).toContain("It was made with a certificate (keyless), which is not trusted.");
  });

  it("is not read if the list says that it is an attestation", async () => {
    const annotations = { "dev.sigstore.bundle.predicateType": "https://slsa.dev/provenance/v1" };
    const problem = await problemOf(() => verifyBundle({ dsseEnvelope: envelopeOf(statement()) }, annotations));
    expect(problem.code).toBe("release-signature-missing");
  });

  it("that cannot be read does not hide what a tag says", async () => {
    const source: Partial<ImageSource> = {
      referrers: () => problemOf(() => readReleaseKey("")).then(() => readReleaseKey("") as never),
    };
    expect((await problemOf(() => verify([signed({ key: other.privateKey })], { source }))).code).toBe(
      "release-signature-other-key",
    );
    expect((await problemOf(() => verify([], { source }))).code).toBe("release-signature-unread");
  });
});

describe("the key of a repository", () => {
  it("is Red Hat's for its releases, and the user's for all", () => {
    expect(keyFor(named(`${name}:1`), undefined)?.name).toBe("Red Hat, release key of October 2024");
    expect(keyFor(named("quay.io/openshift-release-dev/ocp-v4.0-art-dev:1"), undefined)?.signs(name)).toBe(true);
    expect(keyFor(named("quay.io/okd/scos-release:1"), undefined)).toBeUndefined();
    expect(keyFor(named("quay.io/openshift-release-development/a:1"), undefined)).toBeUndefined();
    expect(keyFor(undefined, undefined)?.signs("quay.io/okd/scos-release")).toBe(false);
    expect(keyFor(named("quay.io/okd/scos-release:1"), pem)?.name).toBe(readReleaseKey(pem).name);
    expect(keyFor(named(`${name}:1`), pem)?.name).toBe(readReleaseKey(pem).name);
  });

  it("of Red Hat is RSA with 4096 bits", () => {
    expect(readReleaseKey(redHatReleaseKey).name).toMatch(/^[0-9a-f]{64}$/);
    expect(Buffer.from(redHatReleaseKey.replace(/-----.*-----/g, ""), "base64").length).toBe(550);
  });

  it.each([
    ["", "it does not contain a PEM public key"],
    ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "it does not contain a PEM public key"],
    ["-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "its PEM public key cannot be read"],
    [publicPem(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey), "its RSA key has fewer than 2048 bits"],
    [publicPem(generateKeyPairSync("x25519").publicKey), "it is a key of another type"],
  ])("%# is an error", async (text, problem) => {
    expect(await problemOf(() => readReleaseKey(text))).toEqual({
      code: "release-key-invalid",
      message: `The key for signatures cannot be used: ${problem}. Name a file with a public key of RSA, ECDSA, or Ed25519 in PEM form.`,
    });
  });

  it("is never a private key", async () => {
    const text = createPrivateKey(rsa.privateKey.export({ type: "pkcs8", format: "pem" })).export({
      type: "pkcs8",
      format: "pem",
    });
    const problem = await problemOf(() => readReleaseKey(`${pem}${text}`));
    expect(problem.message).toContain("it contains a private key");
  });
});
