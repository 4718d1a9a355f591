import { sha256 } from "../../core/sha256.ts";
import { compareText } from "../../core/text.ts";
import { isExportPath } from "./export-files.ts";

/** The list of exported files, in the format of sha256sum. Auditors check it, and the next export relies on it. */
export const listPath = "SHA256SUMS";

/** The digests that a file may have, by path: one, or more during an export. */
export type ExportList = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads a list; undefined if it contains anything that no export writes, for example a path outside the directory. */
export function readList(text: string): ExportList | undefined {
  const list = new Map<string, Set<string>>();
  if (text !== "" && !text.endsWith("\n")) return undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const [, digest = "", path = ""] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (!isExportPath(path)) return undefined;
    list.set(path, (list.get(path) ?? new Set()).add(digest));
  }
  return list;
}

/** The text of a list, sorted: equal lists have equal texts. */
export function writeList(list: ExportList): string {
  const lines = [...list].flatMap(([path, digests]) => [...digests].map((digest) => ({ path, digest })));
  lines.sort((a, b) => compareText(a.path, b.path) || compareText(a.digest, b.digest));
  return lines.map(({ path, digest }) => `${digest}  ${path}\n`).join("");
}

/** The union of two lists. */
export function bothLists(exportList: ExportList, other: ExportList): ExportList {
  const paths = new Set([...exportList.keys(), ...other.keys()]);
  return new Map(
    [...paths].map((path) => [path, new Set([...(exportList.get(path) ?? []), ...(other.get(path) ?? [])])]),
  );
}

/** The digest of a file's bytes, in the form of a list. */
export function digestOf(content: Uint8Array | string): string {
  return sha256(content).toString("hex");
}
