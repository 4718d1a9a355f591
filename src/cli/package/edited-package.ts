import { compareText } from "../../core/text.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { isProblem } from "../../yaml/source.ts";
import { type PackageFile, readItems } from "../files/read-objects.ts";
import type { FileChange } from "../files/write-files.ts";
import type { Package } from "./package-files.ts";

/** A change of a file's text. */
export interface TextEdit extends FileChange {
  readonly after: string;
}

/** The package as if the edits were on disk, so that the functions see them. */
export function editedPackage(pkg: Package, edits: readonly TextEdit[]): Package {
  const files = new Map(pkg.files.map((file) => [file.path, file]));
  for (const { path, after } of edits) files.set(path, fileOf(path, after));
  return { ...pkg, files: [...files.values()].sort((a, b) => compareText(a.path, b.path)) };
}

function fileOf(path: string, text: string): PackageFile {
  const source = parseDocuments(text);
  if (isProblem(source)) throw new Error(`${path} cannot be read after it was edited: ${source.reason}`);
  return { path, source, items: readItems(path, source, []) };
}

/** The edits and the changes of a render of the edited package, as changes of the package on disk, sorted by path. */
export function changesSince(edits: readonly TextEdit[], rendered: readonly FileChange[]): FileChange[] {
  const changes = new Map<string, FileChange>(rendered.map((change) => [change.path, change]));
  for (const edit of edits) {
    const next = changes.get(edit.path);
    changes.set(edit.path, next === undefined ? edit : { ...next, before: edit.before });
  }
  return [...changes.values()].sort((a, b) => compareText(a.path, b.path));
}
