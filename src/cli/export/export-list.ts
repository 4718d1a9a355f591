import { sha256 } from "../../core/hash.ts";
import { compareText } from "../../core/text.ts";
import { isExportPath } from "./export-files.ts";

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
export function digestOf(content: Uint8Array | string): string {
  return sha256(content).toString("hex");
}
