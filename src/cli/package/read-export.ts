import { lstatSync } from "node:fs";
import { join } from "node:path";
import { clouds } from "../../clouds/index.ts";
import type { Finding } from "../../core/finding.ts";
import { decodeUtf8 } from "../../core/text.ts";
import { filesBelow } from "../files/directory.ts";
import { fileFinding, statOf } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { FindingsError, throwErrors } from "../terminal/errors.ts";
import { type ExportList, listedDigest, listPath, readList } from "./export-files.ts";

/** Whether a directory is that of an export. */
export function isExport(directory: string): boolean {
  return lstatSync(join(directory, listPath), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * The files of an export by path: those of its list, all of them, and nothing else in the directories of clouds.
 *
 * @throws FindingsError if a file is not what was exported, or was added.
 */
export function readExport(directory: string): ReadonlyMap<string, string> {
  const list = readList(decodeUtf8(readBytes(join(directory, listPath))) ?? "");
  if (list === undefined)
    throw new FindingsError([
      fileFinding("error", "export-list-invalid", listPath, "is not the list of an export; export the package again."),
    ]);
  const files = new Map<string, string>();
  const edited = [...list].flatMap(([path, digests]) => {
    const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
    const bytes = stat?.isFile() === true ? readBytes(join(directory, path)) : undefined;
    const text = bytes === undefined ? undefined : decodeUtf8(bytes);
    if (bytes === undefined || text === undefined || digests.length !== 1 || digests[0] !== listedDigest(bytes))
      return [editedFinding(path, "is not the file that was exported")];
    files.set(path, text);
    return [];
  });
  throwErrors([...edited, ...addedTo(directory, list)]);
  return files;
}

function addedTo(directory: string, list: ExportList): Finding[] {
  return clouds
    .filter(({ name }) => statOf(join(directory, name))?.isDirectory() === true)
    .flatMap(({ name }) => filesBelow(join(directory, name)).map(({ path }) => `${name}/${path}`))
    .filter((path) => !list.has(path))
    .map((path) => editedFinding(path, "was added after the export"));
}

function editedFinding(path: string, what: string) {
  const message = `${what}. Make the change in the package, and export it again.`;
  return fileFinding("error", "export-file-edited", path, message);
}
