import { join } from "node:path";
import type { Inspector } from "../../clouds/inspector.ts";
import { inspectors, readRendered } from "../../clouds/inspectors.ts";
import { bundlesAmong, bundlesOfFiles, type RenderedBundle, type RenderedCluster } from "../../clouds/rendered.ts";
import { decodeUtf8, quote } from "../../core/text.ts";
import { alternatives } from "../../core/words.ts";
import type { Item } from "../../krm/item.ts";
import { filesBelow } from "../files/directory.ts";
import { fileFinding, requireDirectory, statOf } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { FindingsError, skippedAsErrors, throwErrors, UsageError } from "../terminal/errors.ts";
import { isExportPath } from "./export-files.ts";
import { type Package, readPackage, refuseExcluded } from "./package-files.ts";
import { isExport } from "./read-export.ts";

/** A rendered cluster as it is in a directory; nothing is rendered again. */
export interface RenderedDirectory {
  readonly inspector: Inspector;
  readonly cluster: RenderedCluster;
  readonly bundles: readonly RenderedBundle[];
  /** The manifests and, in a package, also their sources. */
  readonly items: readonly Item[];
  /** The package; undefined for an export. */
  readonly pkg: Package | undefined;
}

/**
 * Reads a rendered package, or the directory of an export.
 *
 * @param apart packages inside it that a command processes by themselves, relative to it, with slashes
 * @throws FindingsError if a file of it may contain an object that was not read: an answer would say less than the directory.
 */
export function readRenderedDirectory(directory: string, apart: readonly string[] = []): RenderedDirectory {
  // lstat throws for a path below a file, even with throwIfNoEntry.
  requireDirectory(directory);
  const isExported = isExport(directory);
  const pkg = isExported ? undefined : readPackage(directory, apart);
  throwErrors(pkg?.findings ?? []);
  const items = pkg === undefined ? manifestsOf(directory) : pkg.files.flatMap((file) => file.items);
  const bundles = isExported ? bundlesOfFiles(exportedFiles(directory)) : bundlesAmong(items);
  const found = readRendered(bundles);
  if (found?.cluster.account === undefined) {
    if (pkg !== undefined) refuseExcluded(pkg);
    const below = (pkg?.subpackages ?? []).map((path) => quote(join(directory, path)));
    const instead = below.length === 0 ? "" : `; name a package in it: ${below.join(", ")}`;
    throw new UsageError(
      `${quote(directory)} contains neither a package rendered for ${titles} nor an export${instead}`,
    );
  }
  return { ...found, bundles, items, pkg };
}

/** The clouds for which packages are rendered. */
const titles = alternatives(inspectors.map(({ title }) => title));

/** The objects in a directory of an export; by default those for the installer. */
export function manifestsOf(directory: string, top = "manifests"): Item[] {
  const manifests = join(directory, top);
  const isThere = statOf(manifests)?.isDirectory() === true;
  if (!isThere) return [];
  const { files, findings } = readPackage(manifests);
  throwErrors(skippedAsErrors(findings));
  return files.flatMap((file) => file.items);
}

function exportedFiles(directory: string): ReadonlyMap<string, string> {
  const found = filesBelow(directory).filter(({ path }) => isExportPath(path) && !path.startsWith("manifests/"));
  const special = found.filter(({ entry }) => !entry.isFile());
  const message = "is a symbolic link or not a regular file, and was not read; export the package again.";
  if (special.length > 0)
    throw new FindingsError(special.map(({ path }) => fileFinding("error", "file-unreadable", path, message)));
  const paths = found.map(({ path }) => path);
  return new Map(paths.map((path) => [path, decodeUtf8(readBytes(join(directory, path))) ?? ""]));
}
