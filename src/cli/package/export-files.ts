import { posix } from "node:path";
import { cloudOfPath, clouds } from "../../clouds/index.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { clusterFile } from "../../clouds/rendered.ts";
import { moduleDirectory } from "../../clouds/terraform.ts";
import { sha256 } from "../../core/hash.ts";
import { generatedBy, textAt, type ValueMap } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { authenticationPath, isConfigObject } from "../../openshift/config-objects.ts";
import { workloadsFunction } from "../../workloads/pipeline.ts";
import { documents } from "../../yaml/source.ts";
import { manifestOf } from "./manifests.ts";
import type { GeneratedFile, RenderPlan } from "./render-plan.ts";

/** A file of an export. Its contents were rendered; nothing was copied from Git unchecked. */
export interface ExportedFile {
  /** Relative to the export's directory, with slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * The plain files of a rendered package: the files in its bundle ConfigMaps, files derived from them, and
 * the manifests for the installer.
 */
export function exportFiles({ generated: made, kept }: Pick<RenderPlan, "generated" | "kept">): ExportedFile[] {
  const generated = [...made, ...kept.filter(isPreserved).map(preservedFile)];
  const bundled = generated.filter(isBundle).flatMap(bundledFiles);
  const files = new Map(bundled.map(({ path, text }) => [path, text]));
  return [
    ...bundled,
    ...[...derivedFiles(files)].map(([path, text]) => exported({ path, text })),
    ...generated
      .filter((file) => !isBundle(file) && !isForWorkload(file))
      .map((file) => exported({ path: manifestPath(file), text: file.text })),
    ...kept
      .filter((item) => isConfigObject(item, "Authentication"))
      // The installer reads only this file name.
      .map((item) => exported({ path: authenticationPath, text: textOf(item) })),
  ];
}

// A Secret, or a bundle ConfigMap, that stays as it was rendered, because nothing states whether its request is included. Without
// it, the export would take away the identity in the cloud.
function isPreserved(item: Item): boolean {
  return item.annotations.has(generatedBy) && !isConfigObject(item, "Authentication");
}

function preservedFile(item: Item): GeneratedFile {
  return { path: item.path ?? "", object: item.value() as ValueMap, text: textOf(item) };
}

/** The files of an export that are derived from those in bundle ConfigMaps, by path. */
function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const own = new Set([...files.keys()].map((path) => cloudOfPath(path)?.name));
  const derived = inspectors.flatMap((inspector) =>
    own.has(inspector.name) ? [...inspector.exports.derivedFiles(files)] : [],
  );
  return new Map(derived);
}

/** Where an export contains a manifest for the running cluster, which the installer does not read. */
export function laterPath(path: string): string {
  return path.replace(/^manifests\//, "operators/");
}

// The installer would wait for the namespace of a team, and pods come later: the package in Git applies what gives them an identity.
function isForWorkload(file: GeneratedFile): boolean {
  return makerOf(file) === workloadsFunction;
}

// The namespace of an OLM operator does not exist during an installation, and the installer waits for every manifest.
function manifestPath(file: GeneratedFile): string {
  return makerOf(file) === "configure-operators" ? laterPath(file.path) : file.path;
}

// The name of the function that generated a file.
function makerOf({ object }: GeneratedFile): string {
  return textAt(object, ["metadata", "annotations", generatedBy]).split("/")[0] ?? "";
}

function isBundle({ object }: GeneratedFile): boolean {
  return object["kind"] === "ConfigMap";
}

// Files of the whole cluster are placed next to the directories of its parts.
function bundledFiles({ path, object }: GeneratedFile): ExportedFile[] {
  const data = object["data"] as ValueMap;
  const directory = Object.hasOwn(data, clusterFile) ? posix.dirname(path) : path.replace(/\.yaml$/, "");
  return Object.entries(data).map(([key, text]) => {
    if (!isFileName(key) || typeof text !== "string")
      throw new Error(`${path} contains a key that is not a file name: ${key}`);
    return exported({ path: `${directory}/${key}`, text });
  });
}

function exported({ path, text }: { path: string; text: string }): ExportedFile {
  if (!isExportPath(path)) throw new Error(`an export must not contain the file ${path}`);
  return { path, text };
}

function isFileName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name);
}

/** The top-level directories of an export. */
export const exportTops = [...clouds.map(({ name }) => name), "manifests", "operators", moduleDirectory];

/** Whether a path can be in an export: none of its segments is ".." or hidden, or needs quotes anywhere. */
export function isExportPath(path: string): boolean {
  const [top = "", ...below] = path.split("/");
  return exportTops.includes(top) && below.length > 0 && below.every(isFileName);
}

// If the file contains only this object, every byte is kept. Otherwise the lines of the object are taken.
function textOf(item: Item): string {
  if (documents(item.source).length === 1) return item.source.text;
  return manifestOf(item);
}

/** The list of exported files, in the format of sha256sum. Auditors check it, and the next export relies on it. */
export const listPath = "SHA256SUMS";

/** The digests that a file may have, by path: one, or more during an export. */
export type ExportList = ReadonlyMap<string, readonly string[]>;

/** Reads a list; undefined if it contains anything that no export writes, for example a path outside the directory. */
export function readList(text: string): ExportList | undefined {
  const list = new Map<string, string[]>();
  if (text !== "" && !text.endsWith("\n")) return undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const [, digest = "", path = ""] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (!isExportPath(path)) return undefined;
    const known = list.get(path) ?? [];
    if (!known.includes(digest)) list.set(path, [...known, digest]);
  }
  return list;
}

/** The text of a list, sorted: equal lists have equal texts. */
export function writeList(list: ExportList): string {
  const paths = [...list.keys()].sort(compareText);
  const linesOf = (path: string) =>
    [...(list.get(path) ?? [])].sort(compareText).map((digest) => `${digest}  ${path}\n`);
  return paths.map((path) => linesOf(path).join("")).join("");
}

/** The union of two lists. */
export function bothLists(exportList: ExportList, other: ExportList): ExportList {
  const both = new Map(exportList);
  for (const [path, digests] of other) {
    const known = both.get(path);
    both.set(path, known === undefined ? digests : [...new Set([...known, ...digests])]);
  }
  return both;
}

/** The digest of a file's bytes, in the form of a list. */
export function listedDigest(content: Uint8Array | string): string {
  return sha256(content).toString("hex");
}
