import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { digestOf } from "../../core/hash.ts";
import { readJson } from "../../core/json.ts";
import { isMap, textAt, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { compareText, decodeUtf8, quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isReleaseFeatureGate, packageFeatureGate, withStatedGates } from "../../requests/feature-gates.ts";
import { type IndexedManifest, isIncluded, maxIndexLength, readIndex } from "../../requests/manifests-index.ts";
import { capabilitiesOf, type ReleaseFilter } from "../../requests/release-filter.ts";
import { isReleaseObject, type ReleaseNames, releaseObject } from "../../requests/release-object.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { listDirectory } from "../files/directory.ts";
import { statOf } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { readRequestDirectory, requestsDirectory } from "../files/request-files.ts";
import { stageDirectory } from "../files/stage.ts";
import { UsageError } from "../terminal/errors.ts";
import type { PreviousRelease } from "./capabilities.ts";

/*
 * What a directory of requests says about its release beside the requests. `ccf extract-release` writes it; the
 * output of `oc adm release extract` for whole payloads has the metadata, too.
 */

/** The file with the version of a release, as it is in its payload. */
export const metadataFile = "release-metadata";
/** The file with all manifests of a release. */
export const indexFile = "manifests-index.json";
/** The file that says which image a directory is from, and how it was verified. */
export const sourceFile = "release-source.json";
/** Whether a file of a directory is about the release, and not one of its manifests. */
export function isReleaseFile(path: string): boolean {
  return [indexFile, sourceFile].includes(basename(path));
}

/** The file of a package with the feature gates of its release. */
export const gatesPath = `${requestsDirectory}/feature-gates.yaml`;
/** The file of a package with the names of its release: namespaces and capabilities. */
export const releasePath = `${requestsDirectory}/release.yaml`;

/** What is known about the release of a directory of requests. */
export interface ReleaseFacts {
  /** Such as `4.22.3`; undefined if the directory does not say it. */
  readonly version: string | undefined;
  /** All manifests of the release; undefined if the directory does not list them. */
  readonly index: readonly IndexedManifest[] | undefined;
}

/**
 * Reads what a directory, or one below it, says about its release.
 *
 * @param named the option with its value, for messages.
 * @throws UsageError if it is about two releases, or if a file cannot be used.
 */
export function readReleaseFacts(named: string, directory: string): ReleaseFacts {
  const found = directoriesBelow(directory).filter((path) => existsSync(join(path, metadataFile)));
  const versions = new Map(found.map((path) => [versionIn(named, join(path, metadataFile)), path]));
  const [version, ...others] = [...versions.keys()].sort(compareText);
  if (others.length > 0)
    throw new UsageError(`${named} contains two releases, ${quote(version)} and ${quote(others[0])}; name one of them`);
  const extracted = directoriesBelow(directory).filter(isExtracted);
  if (extracted.length > 1)
    throw new UsageError(`${named} contains more than one extracted release; name the directory of one release`);
  const [at] = extracted;
  if (at === undefined) return { version, index: undefined };
  refuseIncomplete(named, at);
  return { version, index: indexIn(named, join(at, indexFile)) };
}

// A part of what `ccf extract-release` wrote, or of a run that was interrupted, shows whose directory it is.
function isExtracted(directory: string): boolean {
  const marks = [indexFile, sourceFile, stageDirectory("extract-release")];
  return marks.some((name) => existsSync(join(directory, name)));
}

/**
 * Refuses a directory that lacks something that `ccf extract-release` wrote: the command was interrupted, files were not copied, or
 * one was edited. What is missing would silently not count. Files that were added are read like any other.
 */
function refuseIncomplete(named: string, directory: string): void {
  const path = join(directory, sourceFile);
  if (statOf(path)?.isFile() !== true)
    throw new UsageError(
      `${named}: ${quote(directory)} has no ${quote(sourceFile)}, so the release is not complete; extract it again`,
    );
  const files = valueAt(jsonIn(named, path), ["files"]);
  if (!isMap(files) || Object.keys(files).some((name) => !/^[\w.+-]+$/.test(name)))
    throw new UsageError(`${named}: ${quote(path)} does not list files; extract the release again`);
  for (const [name, digest] of Object.entries(files)) {
    const file = join(directory, name);
    const problem =
      statOf(file)?.isFile() !== true
        ? "is missing"
        : digestOf(textIn(named, file)) !== digest
          ? "was changed after the release was extracted"
          : undefined;
    if (problem !== undefined)
      throw new UsageError(`${named}: ${quote(file)} ${problem}; extract the release again, into an empty directory`);
  }
}

/** The same facts about a release that is not in a directory. */
export function factsOfExtract({
  version,
  files,
}: {
  readonly version: string;
  readonly files: ReadonlyMap<string, string>;
}): ReleaseFacts {
  const index = readIndex(files.get(indexFile) ?? "");
  return { version, index: typeof index === "string" ? undefined : index };
}

/** Reads the release of `--previous-release DIR`. @throws UsageError if it is not an extracted release, or not whole. */
export function readPreviousRelease(directory: string): PreviousRelease {
  const named = `--previous-release ${quote(directory)}`;
  if (statOf(directory)?.isDirectory() !== true) throw new UsageError(`${named} is not a directory`);
  const { version, index } = readReleaseFacts(named, directory);
  if (index === undefined)
    throw new UsageError(
      `${named} does not contain ${quote(indexFile)}; "ccf extract-release VERSION --output-dir DIR" writes it`,
    );
  const { items } = readRequestDirectory(named, directory);
  return { version, manifests: index, gates: items.filter(isReleaseFeatureGate) };
}

/** The deepest directory that is searched, below the named one. */
const maxDepth = 3;

function directoriesBelow(directory: string, depth = 0): string[] {
  if (depth === maxDepth) return [directory];
  const below = listDirectory(directory).entries.filter((entry) => entry.isDirectory());
  const names = below.map(({ name }) => name).sort(compareText);
  return [directory, ...names.flatMap((name) => directoriesBelow(join(directory, name), depth + 1))];
}

function versionIn(named: string, path: string): string {
  const value = jsonIn(named, path);
  const version = textAt(value, ["version"]);
  if (textAt(value, ["kind"]) !== "cincinnati-metadata-v0" || !isVersion(version))
    throw new UsageError(`${named}: ${quote(path)} is not the metadata of a release; extract the release again`);
  return version;
}

/** Whether a text is the version of a release: `4.22.3`, `4.22.0-rc.1`, `4.22.0-okd-scos.7`. */
export function isVersion(text: string): boolean {
  return (
    text.length <= 128 &&
    /^(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,3})\.(?:0|[1-9]\d{0,5})(?:[-+][0-9A-Za-z.+-]+)?$/.test(text)
  );
}

function indexIn(named: string, path: string): readonly IndexedManifest[] {
  const text = textIn(named, path);
  const index = text.length > maxIndexLength ? "is too large" : readIndex(text);
  if (typeof index === "string") throw new UsageError(`${named}: ${quote(path)} ${index}; extract the release again`);
  return index;
}

function jsonIn(named: string, path: string): Value {
  const reading = readJson(textIn(named, path));
  if ("problem" in reading)
    throw new UsageError(`${named}: ${quote(path)} ${reading.problem}; extract the release again`);
  return reading.value;
}

function textIn(named: string, path: string): string {
  if (statOf(path)?.isFile() !== true) throw new UsageError(`${named}: ${quote(path)} is not a file`);
  const text = decodeUtf8(readBytes(path));
  if (text === undefined) throw new UsageError(`${named}: ${quote(path)} is not UTF-8`);
  return text;
}

/**
 * The files, by path, with which a package has what its release says: the feature gates of the cluster's feature set and profile,
 * and the names of namespaces and capabilities. What the release does not say is missing, and then unknown.
 *
 * @param items the objects of the release.
 */
export function filesAbout(
  items: readonly Item[],
  filter: ReleaseFilter,
  { index }: Pick<ReleaseFacts, "index">,
): ReadonlyMap<string, string> {
  const gates = packageFeatureGate(items.filter(isReleaseFeatureGate), filter);
  const names = index === undefined ? undefined : releaseObject(namesIn(index, withStatedGates(filter, items)));
  const objects: readonly (readonly [path: string, about: string, object: ValueMap | undefined])[] = [
    [gatesPath, "The feature gates of the release of these requests.", gates],
    [releasePath, "The namespaces that the release of these requests creates, and its capabilities.", names],
  ];
  return new Map(
    objects.flatMap(([path, about, object]) =>
      object === undefined ? [] : [[path, `# ${about} No tool applies this object to a cluster.\n${emitYaml(object)}`]],
    ),
  );
}

// A namespace that the cluster perhaps does not get is not one that an installation can rely on.
function namesIn(index: readonly IndexedManifest[], filter: ReleaseFilter): ReleaseNames {
  const isNamespace = ({ group, kind }: IndexedManifest) => group === "" && kind === "Namespace";
  const own = index.filter((manifest) => isNamespace(manifest) && isIncluded(manifest, filter));
  const unique = (names: readonly string[]) => [...new Set(names)];
  return {
    namespaces: unique(own.map(({ name }) => name)),
    capabilities: unique(index.flatMap(({ annotations }) => capabilitiesOf(annotations))),
  };
}

/** Refuses files of requests with the names that a package needs. @throws UsageError */
export function refuseTakenNames(named: string, paths: Iterable<string>): void {
  const taken = [...paths].find((path) => [gatesPath, releasePath].includes(path.toLowerCase()));
  if (taken !== undefined)
    throw new UsageError(
      `${named} contains requests in a file that a package needs for something else, ${quote(taken)}; rename the file`,
    );
}

/** Whether an object of a package is one of {@link filesAbout}, or a manifest in its place. */
export function isAboutRelease(item: Item): boolean {
  return (
    item.path?.startsWith(`${requestsDirectory}/`) === true && (isReleaseFeatureGate(item) || isReleaseObject(item))
  );
}
