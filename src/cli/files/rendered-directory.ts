import { lstatSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { clusterFactsPaths } from "../../clouds/aws/rendered/former-scripts.ts";
import { type RenderedCluster, type RenderedFiles, readRendered } from "../../clouds/aws/rendered/rendered.ts";
import { generatedBy, isMap, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { decodeUtf8 } from "../../yaml/decode.ts";
import { isExportPath } from "../export/export-files.ts";
import { listPath } from "../export/export-list.ts";
import { UsageError } from "../terminal/errors.ts";
import { readPackage } from "./package-files.ts";
import { readBytes } from "./read-bytes.ts";
import { requireDirectory } from "./require-directory.ts";
import { statOf } from "./stat-of.ts";

/** What a directory holds of a cluster that was rendered, as it stands there: nothing is computed anew. */
export interface RenderedDirectory {
  readonly cluster: RenderedCluster;
  /** Manifests and, in a package, what they were made from. */
  readonly items: readonly Item[];
}

/** Reads a rendered package, or the directory of an export. */
export function readRenderedDirectory(directory: string): RenderedDirectory {
  // In what is no directory, not even a missing file can be looked for.
  requireDirectory(directory);
  const isExport = lstatSync(join(directory, listPath), { throwIfNoEntry: false })?.isFile() === true;
  const pkg = isExport ? undefined : readPackage(directory);
  const items = pkg === undefined ? manifestsOf(directory) : pkg.files.flatMap((file) => file.items);
  const cluster = readRendered(isExport ? exportedFiles(directory) : bundledFiles(items));
  if (cluster === undefined) {
    const below = (pkg?.subpackages ?? []).map((path) => quote(join(directory, path)));
    const instead = below.length === 0 ? "" : `; name a package in it: ${below.join(", ")}`;
    throw new UsageError(
      `${quote(directory)} holds neither a package that was rendered for AWS nor an export of one${instead}`,
    );
  }
  return { cluster, items };
}

/** The objects of an export that go to the cluster. */
export function manifestsOf(directory: string): Item[] {
  const manifests = join(directory, "manifests");
  const isThere = statOf(manifests)?.isDirectory() === true;
  return isThere ? readPackage(manifests).files.flatMap((file) => file.items) : [];
}

function exportedFiles(directory: string): RenderedFiles {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => path.startsWith("aws/") && isExportPath(path));
  return new Map(paths.map((path) => [path, decodeUtf8(readBytes(join(directory, path))) ?? ""]));
}

// As an export lays them out: the files of the cluster's bundle beside the directories, the others each as one.
function bundledFiles(items: readonly Item[]): RenderedFiles {
  const files = new Map<string, string>();
  for (const item of items) {
    if (item.kind !== "ConfigMap" || item.path === undefined || !item.annotations.has(generatedBy)) continue;
    const data = valueAt(item.value(), ["data"]);
    const directory = clusterFactsPaths.includes(item.path) ? "aws" : item.path.replace(/\.yaml$/, "");
    for (const [name, text] of Object.entries(isMap(data) ? data : {}))
      if (typeof text === "string") files.set(`${directory}/${name}`, text);
  }
  return files;
}
