import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cloudOfPath } from "../../clouds/index.ts";
import { inspectors, readRendered } from "../../clouds/inspectors.ts";
import { bundlesOfFiles, clusterFile } from "../../clouds/rendered.ts";
import type { Finding } from "../../core/finding.ts";
import { shellWord } from "../../core/shell.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { fileFinding, isInside } from "../files/paths.ts";
import { readBytes, readText } from "../files/read-bytes.ts";
import { type ExportedFile, type ExportList, listedDigest, listPath } from "../package/export-files.ts";
import { UsageError } from "../terminal/errors.ts";

/**
 * The real path of the directory that an export writes to; it need not exist. Neither the directory nor the package may
 * contain the other: a render would read the exported files, or an export would write among the user's files.
 */
export function exportDirectory(path: string, packageDirectory: string): string {
  const target = realPath(path);
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`--output-dir ${quote(path)} is not a directory`);
  }
  const source = realpathSync(packageDirectory);
  if (isInside(source, target) || isInside(target, source)) {
    throw new UsageError(
      `--output-dir ${quote(path)} must not be inside the package or contain it; name another directory`,
    );
  }
  return target;
}

// The part of a path that does not exist has no symbolic links.
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}

/** The file of each cloud that tells in which account and for which resources an export is. */
export const ownerPaths: readonly string[] = inspectors.map(({ name }) => `${name}/${clusterFile}`);

function accountNounOf(ownerPath: string): string {
  return cloudOfPath(ownerPath)?.accountNoun ?? "account";
}

/** The value of `--replace` if the owner of the export is unknown. */
const unknown = "unknown";

/**
 * The owner of the cloud resources of an export, as `<account>/<prefix>/<region>`. The issuer is not
 * included, because a cluster may move to another issuer but never to another region.
 */
function ownerIn(path: string, text: string): string {
  const cluster = readRendered(bundlesOfFiles(new Map([[path, text]])))?.cluster;
  const parts = [cluster?.account, cluster?.resourcePrefix, cluster?.region];
  return parts.includes(undefined) ? unknown : parts.join("/");
}

/**
 * Reports an earlier export that this export must not replace: it belongs to another cluster, or its owner is unknown.
 *
 * @param replace the owner whose export the user wants to overwrite, as in the message.
 */
export function otherOwner(
  directory: string,
  files: readonly ExportedFile[],
  list: ExportList,
  replace: string | undefined,
): Finding | undefined {
  if (![...list.keys()].some((path) => existsIn(directory, path))) return undefined;
  const own = files.find(({ path }) => ownerPaths.includes(path));
  const owner = own === undefined ? undefined : ownerIn(own.path, own.text);
  const ownerPath = ownerPaths.find((path) => list.has(path)) ?? own?.path ?? "";
  const previous = earlierOwner(directory, list, ownerPath, own);
  if (previous === owner) return undefined;
  const refused = (message: string) => fileFinding("error", "export-of-another-cluster", ownerPath, message);
  const name = previous ?? unknown;
  if (name === replace) return undefined;
  const cure = `name another directory, or set --replace ${shellWord(name)} to overwrite it.`;
  if (name === unknown)
    return refused(`${whyUnknown(directory, list, ownerPath)}, so the cluster of this export is unknown; ${cure}`);
  const ours = owner === undefined ? "has no such file" : `is for ${quoteWhole(owner)}`;
  return refused(
    `shows that this export is for ${quoteWhole(name)} (${accountNounOf(ownerPath)}, resource prefix and region), but the package ${ours}; ${cure}`,
  );
}

function whyUnknown(directory: string, list: ExportList, ownerPath: string): string {
  const stat = lstatSync(join(directory, ownerPath), { throwIfNoEntry: false });
  if (stat === undefined) return "is missing";
  if (!stat.isFile()) return "is not a regular file";
  const listed = list.get(ownerPath);
  if (listed === undefined) return `is not in ${listPath}`;
  const wasEdited = !listed.includes(listedDigest(readBytes(join(directory, ownerPath))));
  return wasEdited
    ? "was changed after the export"
    : `does not name the ${accountNounOf(ownerPath)}, the resource prefix and the region`;
}

function existsIn(directory: string, path: string): boolean {
  return lstatSync(join(directory, path), { throwIfNoEntry: false }) !== undefined;
}

/** The owner of the earlier export; undefined if its list does not contain the owner file. */
function earlierOwner(
  directory: string,
  list: ExportList,
  ownerPath: string,
  own: ExportedFile | undefined,
): string | undefined {
  const listed = list.get(ownerPath);
  if (listed === undefined) return undefined;
  const stat = lstatSync(join(directory, ownerPath), { throwIfNoEntry: false });
  // If the file was removed or edited, its digest in the list can still show that the export is this package's.
  const found = stat?.isFile() === true ? readText(join(directory, ownerPath)) : undefined;
  if (found !== undefined && listed.includes(listedDigest(found))) return ownerIn(ownerPath, found);
  return own !== undefined && listed.includes(listedDigest(own.text)) ? ownerIn(own.path, own.text) : unknown;
}
