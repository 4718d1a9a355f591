import { FindingError, finding } from "../../core/finding.ts";
import { printable, quote } from "../../core/text.ts";
import { type Mirror, readMirror, readMirrors } from "../../release-image/mirrors.ts";
import {
  type ImageOptions,
  type ReleaseImage,
  readReleaseFile,
  readReleaseImage,
} from "../../release-image/read-image.ts";
import { parseReleaseName, withoutArchitecture } from "../../release-image/reference.ts";
import { readInputFile } from "../files/input-file.ts";
import { bytesOf, objectsOf } from "../files/read-objects.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import { isVersion } from "./release-directory.ts";
import { type Extract, extractFrom } from "./release-payload.ts";

/*
 * The only module of commands that loads the code for registries. Commands load it when they read an image, with `import()`.
 */

/** The values of the flags that say how an image is read. */
export interface ImageFlags {
  readonly okd: boolean;
  readonly mirror: readonly string[];
  readonly "mirror-set": string | undefined;
  readonly "registry-config": string | undefined;
  readonly key: string | undefined;
  readonly "insecure-skip-verify": boolean;
}

/** Which image is read, and what of it. */
export interface WantedImage {
  /** A version or an image; or a file that contains one. */
  readonly from: { readonly release: string } | { readonly file: string };
  /** As Go names it. */
  readonly arch: string;
  /** The kind of `spec.providerSpec` of the cloud whose requests are wanted; undefined for all. */
  readonly providerKind: string | undefined;
}

/** A release that was read from an image. */
export interface ReadRelease {
  readonly image: ReleaseImage;
  readonly extract: Extract;
}

/**
 * Reads a release from a registry or a file, and verifies its signature.
 *
 * @throws FindingError if it cannot be read, is not verified, or is another version than the one that is wanted.
 * @throws UsageError if flags contradict each other, or name a file that cannot be read.
 */
export async function readExtract({ from, arch, providerKind }: WantedImage, flags: ImageFlags): Promise<ReadRelease> {
  const { key, okd, "insecure-skip-verify": skipVerify } = flags;
  if (key !== undefined && skipVerify)
    throw new UsageError("--key and --insecure-skip-verify contradict each other; omit one of them");
  const options: ImageOptions = {
    arch,
    mirrors: mirrorsIn(flags),
    registryConfig: flags["registry-config"],
    publicKey: key === undefined ? undefined : readInputFile("--key", key),
    skipVerify,
    environment: process.env,
    progress: (text) => writeNotes(2, [text]),
  };
  if ("file" in from) {
    if (okd) throw new UsageError("--okd has no effect with --from-file; omit it");
    if (options.mirrors.length > 0) throw new UsageError("--mirror has no effect with --from-file; omit it");
    const image = await readReleaseFile(from.file, options);
    sayUnverified(image);
    return { image, extract: extractFrom(image.files, quote(from.file), providerKind) };
  }
  const image = await readReleaseImage(parseReleaseName(from.release, { okd, arch }), options);
  sayUnverified(image);
  const extract = extractFrom(image.files, printable(`${image.name}@${image.digest}`), providerKind);
  const asked = versionIn(isVersion(from.release) ? from.release : (image.tag ?? ""));
  if (asked !== undefined && extract.version !== asked)
    throw new FindingError(finding("error", "release-version-differs", differs(asked, image, extract)));
  return { image, extract };
}

// Also with --quiet: a flag in a script is easily forgotten.
function sayUnverified({ name, from, signature }: ReleaseImage): void {
  if (signature.verified === "key") return;
  const image = quote(name === "" ? from : name);
  const message =
    signature.why === "skipped"
      ? `The signature of ${image} was not looked for, because of --insecure-skip-verify: its content can be anything. Verify it in another way, or omit the flag.`
      : `The signature of ${image} was not looked for, because no key is known for this repository. If it is a mirror of Red Hat's releases, name the version, and the mirror with --mirror. If its images are signed with another key, use --key.`;
  writeFindings([finding("warning", "release-not-verified", message)]);
}

/** The version that a tag of a release names: `4.20.3-x86_64`, `4.20.3`; undefined for any other tag. */
function versionIn(tag: string): string | undefined {
  const version = withoutArchitecture(tag);
  return isVersion(version) ? version : undefined;
}

function differs(asked: string, { from, digest }: ReleaseImage, { version }: Extract): string {
  return `the image of ${quote(asked)} in ${quote(from)} (${digest}) is the release ${quote(version)}. Check the mirror, or name the image by its digest.`;
}

function mirrorsIn({ mirror, "mirror-set": file }: ImageFlags): Mirror[] {
  const named = mirror.map(readMirror);
  if (file === undefined) return named;
  const { items } = objectsOf(file, bytesOf(`--mirror-set ${quote(file)}`, file), "file");
  const [first, ...others] = items;
  if (first === undefined || others.length > 0)
    throw new UsageError(`--mirror-set ${quote(file)} must contain exactly one object`);
  return [...named, ...readMirrors(first.value(), file)];
}

/** How an image was verified, for people. */
export function verifiedLine({ signature }: ReleaseImage): string {
  if (signature.verified === "key") return `Verified: signed with the key ${printable(signature.key)}.`;
  return signature.why === "skipped"
    ? "Not verified, because of --insecure-skip-verify."
    : "Not verified: no key is known for this repository.";
}
