import { isMap, listAt, textAt, type Value, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { imageError } from "./problem.ts";
import { type ImageReference, readReference, repositoryName } from "./reference.ts";

/** Other places of the images of a source, in the order in which they are asked. */
export interface Mirror {
  /** A host, or the beginning of a name that ends at a "/" of it; `*.example.com` for all hosts of a domain; undefined for any image. */
  readonly source: string | undefined;
  /** What replaces the source; if the source is undefined, the whole name. */
  readonly mirrors: readonly string[];
  /** Whether the source itself is never asked. */
  readonly neverContactSource: boolean;
}

/** A place where an image may be. */
export type Candidate = ImageReference;

/**
 * The mirror of `--mirror SOURCE=TARGET` or `--mirror TARGET`; the second is the repository of the release itself.
 *
 * @throws FindingError "mirror-invalid"
 */
export function readMirror(text: string): Mirror {
  const at = text.indexOf("=");
  const [source, target] = at < 0 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)];
  const cure =
    "Use --mirror SOURCE=TARGET or --mirror TARGET, such as --mirror quay.io/openshift-release-dev=registry.example.com:5000/releases.";
  if (source !== undefined && !isPrefix(source))
    throw invalid(`--mirror: ${quote(source)} is not the beginning of an image's name. ${cure}`);
  const isTarget = source === undefined ? isRepository(target) : isPrefix(target) && !target.startsWith("*");
  if (!isTarget) throw invalid(`--mirror: ${quote(target)} is not a repository with its registry. ${cure}`);
  return { source, mirrors: [target], neverContactSource: false };
}

/**
 * The mirrors of an ImageDigestMirrorSet (OpenShift API, config.openshift.io/v1). A cluster uses it only for images by digest; here
 * it also applies to a version, of which only the tag is known: the mirror must then have the tag.
 *
 * @param value the YAML document.
 * @param path of the file, for messages.
 * @throws FindingError "mirror-invalid"
 */
export function readMirrors(value: Value, path: string): Mirror[] {
  const file = quote(path);
  if (
    textAt(value, ["kind"]) !== "ImageDigestMirrorSet" ||
    !textAt(value, ["apiVersion"]).startsWith("config.openshift.io/")
  )
    throw invalid(
      `${file} is not an ImageDigestMirrorSet. Use the file that \`oc mirror\` writes, or --mirror SOURCE=TARGET.`,
    );
  const list = valueAt(value, ["spec", "imageDigestMirrors"]);
  if (!Array.isArray(list)) throw invalid(`${file} has no list spec.imageDigestMirrors. Add the mirrors to it.`);
  return list.map((one: Value, index) => {
    const where = `${file}, spec.imageDigestMirrors[${index}]`;
    const source = textAt(one, ["source"]);
    if (!isMap(one) || !isPrefix(source))
      throw invalid(`${where}: "source" must be the beginning of an image's name. Correct it.`);
    const mirrors = listAt(one, ["mirrors"]);
    const wrong = mirrors.find((target) => typeof target !== "string" || target.startsWith("*") || !isPrefix(target));
    if (wrong !== undefined)
      throw invalid(`${where}: the mirror ${quote(wrong)} is not the beginning of an image's name. Correct it.`);
    const policy = textAt(one, ["mirrorSourcePolicy"]);
    if (!["", "AllowContactingSource", "NeverContactSource"].includes(policy))
      throw invalid(
        `${where}: the mirrorSourcePolicy ${quote(policy)} is unknown. Use AllowContactingSource or NeverContactSource.`,
      );
    return { source, mirrors: mirrors as string[], neverContactSource: policy === "NeverContactSource" };
  });
}

/**
 * Where an image is looked for, in this order: the mirrors of the longest source that its name begins with, then the source. Only
 * the digest is asked for if it is known, as a cluster does; otherwise the tag.
 *
 * @throws FindingError "mirror-invalid" if a mirror and the rest of the name are not a valid name.
 */
export function candidatesOf(reference: ImageReference, mirrors: readonly Mirror[]): readonly Candidate[] {
  const name = repositoryName(reference);
  const matching = mirrors
    .map((mirror) => ({ mirror, length: lengthOfMatch(mirror.source, name) }))
    .filter(({ length }) => length >= 0);
  const longest = Math.max(...matching.filter(({ mirror }) => mirror.source !== undefined).map(({ length }) => length));
  const used = matching.filter(({ mirror, length }) => mirror.source === undefined || length === longest);
  const asked = { ...reference, tag: reference.digest === undefined ? reference.tag : undefined };
  const places = used.flatMap(({ mirror, length }) =>
    mirror.mirrors.map((target) => placeOf(mirror.source === undefined ? target : `${target}${name.slice(length)}`)),
  );
  const all = used.some(({ mirror }) => mirror.neverContactSource) ? places : [...places, reference];
  if (all.length === 0)
    throw invalid(
      `The source of ${name} must not be contacted (NeverContactSource), and no mirror is named. Name a mirror.`,
    );
  const names = all.map(repositoryName);
  return all
    .filter((one, index) => names.indexOf(repositoryName(one)) === index)
    .map(({ registry, repository }) => ({ registry, repository, tag: asked.tag, digest: asked.digest }));
}

function placeOf(name: string): ImageReference {
  const found = readReference(name);
  if (typeof found === "string") throw invalid(`The name of the mirror is not valid. ${found}. Correct the mirror.`);
  return found;
}

/** How much of a name a source matches, in characters; -1 if it does not match. As in containers-registries.conf(5), "prefix". */
function lengthOfMatch(source: string | undefined, name: string): number {
  if (source === undefined) return 0;
  if (source.startsWith("*.")) {
    const [host = ""] = name.split("/");
    return host.endsWith(source.slice(1)) ? host.length : -1;
  }
  return name === source || name.startsWith(`${source}/`) ? source.length : -1;
}

/** Whether a text is a host, or the beginning of a name up to a "/". */
function isPrefix(text: string): boolean {
  const plain = text.startsWith("*.") ? text.slice(2) : text;
  return isRepository(plain.includes("/") ? plain : `${plain}/name`);
}

function isRepository(text: string): boolean {
  const found = readReference(text);
  return typeof found !== "string" && found.tag === undefined && found.digest === undefined;
}

function invalid(problem: string) {
  return imageError("mirror-invalid", problem);
}
