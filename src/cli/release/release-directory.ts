import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../core/hash.ts";
import { readJson } from "../../core/json.ts";
import { isMap, textAt, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { compareText, decodeUtf8, quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isReleaseFeatureGate, packageFeatureGate } from "../../requests/feature-gates.ts";
import { type IndexedManifest, maxIndexLength, readIndex } from "../../requests/manifests-index.ts";
import { capabilitiesOf, type ReleaseFilter } from "../../requests/release-filter.ts";
import { isReleaseObject, releaseObject } from "../../requests/release-object.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { listDirectory, statOf } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { requestsDirectory } from "../files/request-files.ts";
import { UsageError } from "../terminal/errors.ts";

/*
 * What a directory of requests says about its release beside the requests. `ccf extract-release` writes it; the
 * output of `oc adm release extract` for whole payloads has the metadata, too.
 */

/** The file with the version of a release, as it is in its payload. */
export const metadataFile = "release-metadata";
/** The file with all manifests of a release. */
export const indexFile = "manifests-index.json";
/** The file with the names of the namespaces that a release creates. */
export const namespacesFile = "namespaces.json";
/** The file that says which image a directory is from, and how it was verified. */
export const sourceFile = "release-source.json";
/** Whether a file of a directory is about the release, and not one of its manifests. */
export function isReleaseFile(path: string): boolean {
  return [indexFile, namespacesFile, sourceFile].includes(basename(path));
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
  /** The namespaces that the release creates; undefined if the directory does not list them. */
  readonly namespaces: readonly string[] | undefined;
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
  const indexes = directoriesBelow(directory).filter((path) => existsSync(join(path, indexFile)));
  if (indexes.length > 1)
    throw new UsageError(`${named} contains more than one ${quote(indexFile)}; name the directory of one release`);
  const [at] = indexes;
  if (at === undefined) return { version, index: undefined, namespaces: undefined };
  const index = indexIn(named, join(at, indexFile));
  refuseIncomplete(named, at);
  const path = join(at, namespacesFile);
  const namespaces = namespacesIn(textIn(named, path));
  if (namespaces === undefined)
    throw new UsageError(`${named}: ${quote(path)} does not list namespaces; extract the release again`);
  return { version, index, namespaces };
}

/**
 * Refuses a directory that is not as `ccf extract-release` wrote it: the command was interrupted, files were not copied, or one was
 * edited. What is missing would silently not count.
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

/** The digest of a file in {@link sourceFile}. */
export function digestOf(text: string): string {
  return `sha256:${sha256(text).toString("hex")}`;
}

// Undefined if the text is not the list.
function namespacesIn(text: string): readonly string[] | undefined {
  const reading = readJson(text);
  const names = "problem" in reading ? undefined : valueAt(reading.value, ["namespaces"]);
  if (!Array.isArray(names) || names.some((name) => typeof name !== "string")) return undefined;
  return names as readonly string[];
}

/** The same facts about a release that is not in a directory. */
export function factsOf({
  version,
  files,
}: {
  readonly version: string;
  readonly files: ReadonlyMap<string, string>;
}): ReleaseFacts {
  const index = readIndex(files.get(indexFile) ?? "");
  const namespaces = namespacesIn(files.get(namespacesFile) ?? "");
  return { version, index: typeof index === "string" ? undefined : index, namespaces };
}

/** Reads the manifests of `--previous-release DIR`. @throws UsageError if the directory does not contain the file. */
export function readPreviousRelease(directory: string): readonly IndexedManifest[] {
  const named = `--previous-release ${quote(directory)}`;
  const path = join(directory, indexFile);
  if (statOf(path)?.isFile() !== true)
    throw new UsageError(
      `${named} does not contain ${quote(indexFile)}; "ccf extract-release VERSION --output-dir DIR" writes it`,
    );
  const index = indexIn(named, path);
  refuseIncomplete(named, directory);
  return index;
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

/** `spec.release.version` of a release: major and minor version. */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
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

/** The filter of a cluster for a release that it may not run yet: nothing but the configuration says what the cluster enables. */
export function filterFor(
  { version: _, ...filter }: ReleaseFilter,
  { version }: Pick<ReleaseFacts, "version">,
): ReleaseFilter {
  return version === undefined ? filter : { ...filter, version: minorOf(version) };
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
  { namespaces, index = [] }: Pick<ReleaseFacts, "namespaces" | "index">,
): ReadonlyMap<string, string> {
  const gates = packageFeatureGate(items.filter(isReleaseFeatureGate), filter);
  const objects: readonly (readonly [path: string, about: string, object: ValueMap | undefined])[] = [
    [gatesPath, "The feature gates of the release of these requests.", gates],
    [
      releasePath,
      "The namespaces that the release of these requests creates, and its capabilities.",
      namespaces === undefined ? undefined : releaseObject({ namespaces, capabilities: capabilitiesIn(index) }),
    ],
  ];
  return new Map(
    objects.flatMap(([path, about, object]) =>
      object === undefined ? [] : [[path, `# ${about} No tool applies this object to a cluster.\n${emitYaml(object)}`]],
    ),
  );
}

function capabilitiesIn(index: readonly IndexedManifest[]): string[] {
  return [...new Set(index.flatMap(({ annotations }) => capabilitiesOf(annotations)))];
}

/** Whether an object of a package is one of {@link filesAbout}, or a manifest in its place. */
export function isAboutRelease(item: Item): boolean {
  return (
    item.path?.startsWith(`${requestsDirectory}/`) === true && (isReleaseFeatureGate(item) || isReleaseObject(item))
  );
}
