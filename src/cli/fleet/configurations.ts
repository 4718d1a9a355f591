import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Resource } from "../../core/resource.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { documents, isProblem } from "../../yaml/source.ts";
import { decodeUtf8 } from "../../yaml/text.ts";
import { identityFile } from "../files/package-files.ts";
import { readBytes } from "../files/read-bytes.ts";
import { readPipeline } from "../render/kptfile.ts";

/*
 * Reads the ClusterIdentity of a package, and nothing else of it, if it is where the package says.
 */

/**
 * The configurations that the Kptfile of a package names or, if it names none, the first object in the usual file. None if one
 * of them is not there.
 */
export function configsOf(directory: string): readonly Item[] {
  const kptfile = firstIn(directory, "Kptfile");
  const named = kptfile === undefined ? [] : configPathsOf(kptfile);
  const configs = (named.length === 0 ? [identityFile] : named).map((path) => firstIn(directory, path));
  return configs.every((config) => config !== undefined) ? configs : [];
}

/** The paths of the configurations that a Kptfile names. */
export function configPathsOf(kptfile: Resource): string[] {
  return [...new Set(readPipeline(kptfile).steps.flatMap(({ configPath }) => configPath ?? []))];
}

/** The first object in a file of a package; undefined if the file is not there or cannot be read as YAML. */
export function firstIn(directory: string, path: string): Item | undefined {
  const file = join(directory, path);
  // As for every file of a package, links are not followed.
  if (path.startsWith("../") || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const text = decodeUtf8(readBytes(file));
  const source = text === undefined ? undefined : parseDocuments(text);
  if (source === undefined || isProblem(source) || source.unread.size > 0) return undefined;
  const [node] = documents(source);
  return node === undefined ? undefined : readItem(source, node, { path, index: 0 });
}
