import { entryOf } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { isDigest } from "./blob.ts";
import { imageError } from "./problem.ts";

/** The name of an image, of which a tag or a digest is known, or both. */
export interface ImageReference {
  /** The host, with the port if it is not that of https: `quay.io`. */
  readonly registry: string;
  /** The path in the registry: `openshift-release-dev/ocp-release`. */
  readonly repository: string;
  readonly tag: string | undefined;
  /** `sha256:` and 64 hexadecimal digits in lowercase. */
  readonly digest: string | undefined;
}

/** The end of the tag of a release, by the name that Go has for an architecture (`oc adm release info`, the tags on quay.io). */
const tagEnds = { amd64: "x86_64", arm64: "aarch64", ppc64le: "ppc64le", s390x: "s390x", multi: "multi" } as const;

const versionForm = /^\d{1,5}\.\d{1,5}\.\d{1,5}(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?$/;

// The grammar of names in the OCI Distribution Specification, "Pulling manifests", and of hosts in a URL.
const hostForm = /^(?:localhost|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const repositoryForm = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const tagForm = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** The longest name that is read, in characters. */
const maxLength = 512;

const examples = "4.20.3, or as an image such as quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64";

/**
 * The image of a release, by its version or by its name. A name must contain its registry: no default is added.
 *
 * @param text `4.20.3`, with `okd` `4.22.0-okd-scos.7`, or `REGISTRY/REPOSITORY[:TAG][@sha256:DIGEST]`.
 * @param options.arch the architecture, as Go names it, for the tag of a version.
 * @throws FindingError "release-name-invalid", and nothing else.
 */
export function parseReleaseName(
  text: string,
  { okd, arch }: { readonly okd: boolean; readonly arch: string },
): ImageReference {
  if (text.length > maxLength) throw invalid(`The name of a release is longer than ${maxLength} characters`);
  if (versionForm.test(text)) return ofVersion(text, okd, arch);
  const problem = versionProblem(text);
  if (problem !== undefined) throw invalid(problem);
  const found = readReference(text);
  if (typeof found === "string") throw invalid(found);
  if (found.tag === undefined && found.digest === undefined)
    throw invalid(`The image ${quote(text)} has neither a tag nor a digest`);
  return found;
}

/** A reference, which may have neither tag nor digest; or what is wrong with it: a sentence without a period. */
export function readReference(text: string): ImageReference | string {
  if (text.length > maxLength) return `The name of an image is longer than ${maxLength} characters`;
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0];
  if (scheme !== undefined) return `${quote(text)} begins with ${quote(scheme)}, which is not part of an image's name`;
  const [name = "", digest, ...more] = text.split("@");
  if (more.length > 0) return `${quote(text)} contains "@" twice`;
  const slash = name.indexOf("/");
  // A host has one spelling: otherwise the name decides which key and which pull secret apply.
  const registry = slash < 0 ? "" : name.slice(0, slash).toLowerCase().replace(/:443$/, "");
  if (!hostForm.test(registry) || !URL.canParse(`https://${registry}`) || !/[.:]|^localhost$/.test(registry))
    return `The image ${quote(text)} does not begin with the host of its registry`;
  const [repository = "", tag, ...others] = name.slice(slash + 1).split(":");
  if (!repositoryForm.test(repository) || others.length > 0)
    return `${quote(name.slice(slash + 1))} is not a valid repository: it consists of lowercase letters, digits, ".", "_", "-", and "/"`;
  if (tag !== undefined && !isTag(tag)) return `${quote(tag)} is not a valid tag`;
  if (digest !== undefined && !isDigest(digest))
    return `${quote(digest)} is not a digest: it must be "sha256:" and 64 hexadecimal digits in lowercase`;
  return { registry, repository, tag, digest };
}

/** Whether a text can be a tag. */
export function isTag(text: string): boolean {
  return tagForm.test(text);
}

/** The tag of a release without the architecture at its end: `4.20.3` of `4.20.3-x86_64`. */
export function withoutArchitecture(tag: string): string {
  const end = Object.values(tagEnds).find((one) => tag.endsWith(`-${one}`));
  return end === undefined ? tag : tag.slice(0, -end.length - 1);
}

/** The name without tag and digest: `quay.io/openshift-release-dev/ocp-release`. */
export function repositoryName({ registry, repository }: Pick<ImageReference, "registry" | "repository">): string {
  return `${registry}/${repository}`;
}

/** A reference as it is written. */
export function referenceText(reference: ImageReference): string {
  const { tag, digest } = reference;
  return `${repositoryName(reference)}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

function ofVersion(version: string, okd: boolean, arch: string): ImageReference {
  const isOkd = /-okd-scos\./.test(version);
  if (okd && !isOkd) {
    const older = /okd/.test(version) ? ". Older releases of OKD are in quay.io/openshift/okd: name the image" : "";
    throw invalid(`${quote(version)} is not a version of OKD such as 4.22.0-okd-scos.7${older}`);
  }
  if (isOkd && !okd) throw invalid(`${quote(version)} is a version of OKD`, "Add --okd.");
  if (isOkd) return { registry: "quay.io", repository: "okd/scos-release", tag: version, digest: undefined };
  const end = entryOf<string>(tagEnds, arch);
  if (end === undefined)
    throw invalid(`The architecture ${quote(arch)} is unknown`, `Use one of ${Object.keys(tagEnds).join(", ")}.`);
  return {
    registry: "quay.io",
    repository: "openshift-release-dev/ocp-release",
    tag: `${version}-${end}`,
    digest: undefined,
  };
}

/** What is wrong with a text that was meant as a version. */
function versionProblem(text: string): string | undefined {
  if (text === "") return "The name of the release is empty";
  if (versionForm.test(text.slice(1)) && /^v/i.test(text)) return `${quote(text)} begins with "v"`;
  if (/^v?\d+\.\d+$/i.test(text)) return `${quote(text)} has no patch version`;
  if (/^(?:latest|(?:stable|fast|candidate|eus)(?:-\d+\.\d+)?)$/i.test(text))
    return `${quote(text)} does not name one release, because it changes`;
  if (!text.includes("/")) return `${quote(text)} is neither a version nor an image`;
  return undefined;
}

function invalid(problem: string, cure = `Name the release as a version such as ${examples}.`) {
  return imageError("release-name-invalid", `${problem}. ${cure}`);
}
