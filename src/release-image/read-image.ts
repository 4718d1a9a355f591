import { FindingError } from "../core/finding.ts";
import { openDockerArchive } from "./file/docker-archive.ts";
import { invalid, openEntries, smallFile } from "./file/file-entries.ts";
import { Layout } from "./file/layout.ts";
import { readReleaseManifests } from "./layers/release-manifests.ts";
import { type ImageManifest, manifestFor } from "./manifest.ts";
import { candidatesOf, type Mirror } from "./mirrors.ts";
import { imageError } from "./problem.ts";
import { type ImageReference, isTag, readReference, referenceText, repositoryName } from "./reference.ts";
import { readPullSecrets } from "./registry/pull-secret.ts";
import { type RegistryAccess, Repository } from "./registry/registry.ts";
import { Network } from "./registry/request.ts";
import { type Signature, verifyImageSignature } from "./signature/signature.ts";
import { keyFor, type TrustedKey } from "./signature/signing-key.ts";
import type { ImageSource, RawManifest } from "./source.ts";

/** How an image is read. */
export interface ImageOptions {
  /** The architecture, as Go names it: which manifest of an index is read. "multi" stands for amd64, because manifests are equal. */
  readonly arch: string;
  /** Other places of the image. They do not apply to files. */
  readonly mirrors: readonly Mirror[];
  /** The file with pull secrets; undefined for those of podman and docker. */
  readonly registryConfig: string | undefined;
  /** A key that must have signed the image, as PEM, instead of the built-in one. */
  readonly publicKey: string | undefined;
  /** Whether signatures are not looked for. */
  readonly skipVerify: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** Called with a line for each step. */
  progress(text: string): void;
}

/** What was read of a release. */
export interface ReleaseImage {
  /**
   * The name as it was asked for, without tag and digest: `quay.io/openshift-release-dev/ocp-release`. Of a file, the repository that the
   * verified signature names, otherwise the one that the file names, otherwise "".
   */
  readonly name: string;
  readonly tag: string | undefined;
  /** Of the manifest of the architecture. A docker-archive has none: then it is that of the configuration. */
  readonly digest: string;
  /** Of the index, if the image is one. */
  readonly index: string | undefined;
  readonly architecture: string;
  /** The repository that answered, which may be a mirror; or the path of the file. */
  readonly from: string;
  readonly signature: Signature;
  /** The files of `release-manifests/`, by name without a directory. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * Reads the image of a release from a registry. Its signature is verified before any layer is read.
 *
 * @throws FindingError with a code of `findings.ts`.
 */
export async function readReleaseImage(reference: ImageReference, options: ImageOptions): Promise<ReleaseImage> {
  const name = repositoryName(reference);
  const key = options.skipVerify ? undefined : keyFor(reference, options.publicKey);
  const secrets = readPullSecrets(options.registryConfig, options.environment);
  const access = { network: new Network(options.environment), secrets, environment: options.environment };
  const { source, raw } = await firstOf(reference, options, access);
  const manifest = await manifestFor(source, raw, archOf(options));
  const { signature } = await verified(source, manifest, { key, name }, options);
  const files = await readReleaseManifests(source, manifest.layers, options.progress);
  const { architecture, index } = manifest;
  const { tag } = reference;
  return { name, tag, digest: manifest.raw.digest, index, architecture, from: source.name, signature, files };
}

/**
 * Reads the image of a release from a file: an OCI layout (a tar archive or a directory), or a docker-archive. A file does not prove
 * which repository its image is from, so it must be signed, or `skipVerify` must be set. Only a layout can contain signatures, and only
 * a copy in the original format has the digest that was signed.
 *
 * @throws FindingError with a code of `findings.ts`.
 */
export async function readReleaseFile(path: string, options: ImageOptions): Promise<ReleaseImage> {
  const key = options.skipVerify ? undefined : keyFor(undefined, options.publicKey);
  const entries = openEntries(path);
  const [mark, index] = [await smallFile(path, entries, "oci-layout"), await smallFile(path, entries, "index.json")];
  if (mark !== undefined && index !== undefined)
    return readLayout(path, new Layout(path, entries, index), key, options);
  const list = await smallFile(path, entries, "manifest.json");
  if (list === undefined) throw invalid(path, "it is neither an OCI layout nor a docker-archive");
  const { source, layers, ...archive } = await openDockerArchive(path, entries, list);
  if (key !== undefined)
    throw imageError(
      "release-signature-missing",
      `${source.name} is a docker-archive, which contains neither the signed manifest nor a signature. Use an OCI layout with the signature; or, if you verified the image in another way, use --insecure-skip-verify.`,
    );
  const files = await readReleaseManifests(source, layers, options.progress);
  const { digest, architecture } = archive;
  const signature = { verified: "none", why: "skipped" } as const;
  return { ...namesIn(archive.name), digest, index: undefined, architecture, from: path, signature, files };
}

async function readLayout(
  path: string,
  layout: Layout,
  key: TrustedKey | undefined,
  options: ImageOptions,
): Promise<ReleaseImage> {
  const image = layout.image(archOf(options));
  const raw = await layout.manifest(image.digest);
  if (raw === undefined) throw invalid(path, `the manifest ${image.digest} is not in it`);
  const manifest = await manifestFor(layout, raw, archOf(options));
  const { signature, repository } = await verified(layout, manifest, { key, name: undefined }, options);
  const files = await readReleaseManifests(layout, manifest.layers, options.progress);
  const { name, tag } = namesIn(image.name);
  const { architecture, index } = manifest;
  const { digest } = manifest.raw;
  return { name: repository ?? name, tag, digest, index, architecture, from: path, signature, files };
}

async function verified(
  source: ImageSource,
  { raw: { digest, bytes: manifest } }: ImageManifest,
  { key, name }: { readonly key: TrustedKey | undefined; readonly name: string | undefined },
  { skipVerify, progress }: ImageOptions,
): Promise<{ readonly signature: Signature; readonly repository: string | undefined }> {
  const why = skipVerify ? "skipped" : "no policy";
  if (key === undefined) return { signature: { verified: "none", why }, repository: undefined };
  progress(`Verifying the signature of ${digest}`);
  const repository = await verifyImageSignature(source, { key, digest, manifest, name });
  return { signature: { verified: "key", key: key.name }, repository };
}

/** The first place that has the image. */
async function firstOf(
  reference: ImageReference,
  { mirrors, progress }: ImageOptions,
  access: RegistryAccess,
): Promise<{ readonly source: Repository; readonly raw: RawManifest }> {
  const candidates = candidatesOf(reference, mirrors);
  const skipped: FindingError[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const source = new Repository(candidate, access);
    progress(`Reading ${referenceText(candidate)}`);
    try {
      const raw = await source.manifest(candidate.digest ?? candidate.tag ?? "");
      if (raw !== undefined) return { source, raw };
      throw imageError(
        "release-image-missing",
        `The image ${referenceText(candidate)} does not exist. Check the version, and the name of the image.`,
      );
    } catch (error) {
      if (!(error instanceof FindingError) || !isAbsence(error)) throw error;
      if (index < candidates.length - 1) {
        skipped.push(error);
        continue;
      }
      throw ofAll([...skipped, error]);
    }
  }
  throw new Error("an image has no place");
}

/** The error about several places: a place that requires a login comes first, because it has the image, or may have it. */
function ofAll(errors: readonly FindingError[]): FindingError {
  const isDenied = ({ finding: { code } }: FindingError) => code.startsWith("pull-secret-");
  const main = errors.find(isDenied) ?? errors.at(-1);
  const others = errors.filter((error) => error !== main).map(({ message }) => message);
  if (main === undefined) throw new Error("an image has no place");
  return others.length === 0
    ? main
    : imageError(main.finding.code, `${main.message} Other places: ${others.join(" ")}`);
}

/** Whether the next place is asked after an error. Content that is wrong is not one that is missing. */
function isAbsence({ finding: { code } }: FindingError): boolean {
  const codes = ["release-image-missing", "registry-not-reached", "registry-answer-invalid"];
  return [...codes, "pull-secret-missing", "pull-secret-refused"].includes(code);
}

/** The names that a file has for its image, which nothing proves. */
function namesIn(text: string): { readonly name: string; readonly tag: string | undefined } {
  const found = readReference(text);
  if (typeof found !== "string") return { name: repositoryName(found), tag: found.tag };
  return { name: "", tag: isTag(text) ? text : undefined };
}

function archOf({ arch }: ImageOptions): string {
  return arch === "multi" ? "amd64" : arch;
}
