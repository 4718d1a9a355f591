import { type FindingCode, FindingError } from "../../core/finding.ts";
import { listAt } from "../../core/resource.ts";
import { type Descriptor, readDescriptor } from "../blob.ts";
import { readJsonBytes } from "../manifest.ts";
import { imageError } from "../problem.ts";
import { type ImageSource, type RawManifest, wholeBlob } from "../source.ts";
import { bundleType, judgeBundle, signPredicate } from "./bundle.ts";
import { type ExpectedSignature, type Judgement, judgeSimpleSigning } from "./simple-signing.ts";

/** What was verified of an image. */
export type Signature =
  | {
      readonly verified: "key";
      /** The name of the key, or the SHA-256 hash of its SubjectPublicKeyInfo in hexadecimal. */
      readonly key: string;
    }
  | { readonly verified: "none"; readonly why: "skipped" | "no policy" };

/** The longest signature, in bytes, and how many of them are read. */
const maxSignature = 1 << 20;
const maxSignatures = 100;

const simpleSigningType = "application/vnd.dev.cosign.simplesigning.v1+json";
const predicateAnnotation = "dev.sigstore.bundle.predicateType";
const signatureAnnotation = "dev.cosignproject.cosign/signature";

/** The codes of what is wrong, the most telling first. */
const codes = {
  "other repository": "release-signature-other-repository",
  "other digest": "release-signature-other-digest",
  malformed: "release-signature-invalid",
  "other key": "release-signature-other-key",
} as const satisfies Record<Exclude<Judgement["verdict"], "valid">, FindingCode>;

const means = {
  "other repository": "the signature is for an image of another repository",
  "other digest": "the signature is for another image",
  malformed: "the signature does not have the form of one",
  "other key": "no signature was made with the trusted key",
} as const;

const cures = {
  "other repository": "Name the image as it was signed, and name the mirror with --mirror.",
  "other digest": "Do not use the image. Read it from its source, or copy it again.",
  malformed: "Copy the image again, with its signatures. Do not use it unless you verified it in another way.",
  "other key": "Do not use the image unless you know who signed it; then name the public key with --key.",
} as const;

/**
 * Verifies that an image is signed: one valid signature is enough. Signatures are looked for where sigstore stores them: in the tag
 * `sha256-DIGEST.sig`, and in the manifests that refer to the image.
 *
 * @returns the repository that the signature names; undefined if its form names none.
 * @throws FindingError "release-signature-…": each code has one meaning.
 */
export async function verifyImageSignature(
  source: ImageSource,
  expected: ExpectedSignature,
): Promise<string | undefined> {
  const where = `${source.name}: the image ${expected.digest}`;
  let judgements: Judgement[];
  try {
    judgements = await judgementsOf(source, expected);
  } catch (error) {
    if (!(error instanceof FindingError)) throw error;
    const isMalformed = error.finding.code === "release-image-invalid";
    throw imageError(
      isMalformed ? "release-signature-invalid" : "release-signature-unread",
      `${where}: its signature could not be ${isMalformed ? "used" : "read"}. ${error.message}`,
    );
  }
  const valid = judgements.find((one) => one.verdict === "valid");
  if (valid !== undefined) return valid.repository;
  const verdicts = Object.keys(codes) as (keyof typeof codes)[];
  for (const verdict of verdicts) {
    const found = judgements.find((one) => one.verdict === verdict);
    if (found !== undefined && "detail" in found)
      throw imageError(
        codes[verdict],
        `${where} is not trusted: ${means[verdict]}. ${found.detail === "" ? "" : `${found.detail}. `}The trusted key is ${expected.key.name}. ${cures[verdict]}`,
      );
  }
  throw imageError(
    "release-signature-missing",
    `${where} has no signature: neither the tag ${signatureTag(expected.digest)} nor a referrer exists. Releases from before the middle of 2024 have none in the registry, and a mirror or a converted copy may lack it. Copy the signature with the image; or, if you verified the image in another way, use --insecure-skip-verify.`,
  );
}

/** The judgements of all signatures up to the first valid one. */
async function judgementsOf(source: ImageSource, expected: ExpectedSignature): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  let rest = maxSignatures;
  const add = (judged: Judgement | undefined) => {
    if (judged !== undefined) judgements.push(judged);
    rest -= 1;
    if (rest < 0)
      throw imageError(
        "release-image-invalid",
        `${source.name} has more than ${maxSignatures} signatures of one image.`,
      );
    return judged?.verdict === "valid";
  };
  for await (const judged of simpleSignatures(source, expected)) if (add(judged)) return judgements;
  try {
    for await (const judged of bundles(source, expected)) if (add(judged)) return judgements;
  } catch (error) {
    // A signature that was read says more than one that was not.
    if (judgements.length === 0 || !(error instanceof FindingError)) throw error;
  }
  return judgements;
}

async function* simpleSignatures(source: ImageSource, expected: ExpectedSignature): AsyncGenerator<Judgement> {
  const manifest = await source.manifest(signatureTag(expected.digest));
  if (manifest === undefined) return;
  for (const layer of layersOf(source, manifest)) {
    if (layer.mediaType !== simpleSigningType) continue;
    const payload = await wholeBlob(source, layer, { max: maxSignature, what: "a signature" });
    yield judgeSimpleSigning(payload, layer.annotation(signatureAnnotation), expected);
  }
}

async function* bundles(source: ImageSource, expected: ExpectedSignature): AsyncGenerator<Judgement | undefined> {
  for (const referrer of (await source.referrers(expected.digest)).filter(maySign)) {
    const manifest = await source.manifest(referrer.digest);
    if (manifest === undefined) yield undefined;
    else
      for (const layer of layersOf(source, manifest)) {
        const isBundle = layer.mediaType === bundleType;
        const what = { max: maxSignature, what: "a signature" };
        yield isBundle ? judgeBundle(await wholeBlob(source, layer, what), expected) : undefined;
      }
  }
}

/** Whether a referrer may be a signature: a list may say that it is a statement about something else. */
function maySign({ artifactType, annotation }: Descriptor): boolean {
  return [bundleType, ""].includes(artifactType) && [signPredicate, ""].includes(annotation(predicateAnnotation));
}

function layersOf(source: ImageSource, { bytes }: RawManifest): Descriptor[] {
  const value = readJsonBytes(source.name, "the manifest of a signature", bytes);
  const layers = listAt(value, ["layers"]).map(readDescriptor);
  if (layers.includes(undefined))
    throw imageError("release-image-invalid", `${source.name}: the manifest of a signature is not valid.`);
  return layers as Descriptor[];
}

/** Where sigstore stores the signatures of an image. */
export function signatureTag(digest: string): string {
  return `${digest.replace(":", "-")}.sig`;
}
