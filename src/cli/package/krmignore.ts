import { lstatSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import { type Finding, finding } from "../../core/finding.ts";
import { conflictIn, decodeUtf8, quote } from "../../core/text.ts";
import { readBytes } from "../files/read-bytes.ts";
import { FindingsError } from "../terminal/errors.ts";

/** The rules of a .krmignore. */
export interface KrmIgnore {
  /** @param path relative to the directory of the .krmignore, with slashes, and one at the end for a directory. */
  ignores(path: string): boolean;
  /** The line that excludes a file, ready for a message. */
  lineFor(path: string): string;
}

/** No rules. */
export const nothingIgnored: KrmIgnore = { ignores: () => false, lineFor: () => "no line" };

/** Far above what a package needs. The time of each file grows with the patterns, and that of a pattern with its wildcards. */
const maxBytes = 64 * 1024;
const maxPatterns = 1000;
const maxWildcards = 3;

/**
 * Reads the .krmignore of a directory. As in kpt, its rules apply to the directory and those below it, up to a directory
 * with a Kptfile, which has its own. They distinguish upper and lower case. A .krmignore in any other directory has no
 * meaning.
 *
 * @throws FindingsError if it is unknown what it excludes.
 */
export function readKrmIgnore(directory: string): KrmIgnore {
  const path = join(directory, ".krmignore");
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return nothingIgnored;
  if (!found.isFile())
    throw unknown("file-unreadable", "is a symbolic link or not a regular file", "replace it with the file itself");
  if (found.size > maxBytes)
    throw unknown("krmignore-too-large", `has more than ${maxBytes} bytes`, "use fewer or shorter patterns");
  const text = decodeUtf8(readBytes(path));
  if (text === undefined) throw unknown("file-unreadable", "is not UTF-8", "save it as UTF-8");
  const conflict = conflictIn(text);
  if (conflict !== undefined) {
    const message = `${quote(".krmignore")} contains a merge conflict, line ${conflict.line}. ${conflict.cure}.`;
    throw new FindingsError([fileError("file-unreadable", message)]);
  }
  const lines = text.split(/\r?\n/).map((pattern, index) => ({ pattern, mark: `line ${index + 1}` }));
  const patterns = lines.filter(({ pattern }) => pattern.trim() !== "" && !pattern.startsWith("#"));
  if (patterns.length > maxPatterns)
    throw unknown("krmignore-too-large", `has more than ${maxPatterns} patterns`, "use fewer patterns");
  const complex = patterns.find(({ pattern }) => pattern.split("/").some((part) => wildcardsOf(part) > maxWildcards));
  if (complex !== undefined)
    throw unknown(
      "krmignore-too-large",
      `has the pattern ${quote(complex.pattern)} with more than ${maxWildcards} "*" in one name`,
      "use a simpler pattern",
    );
  const rules = ignore({ ignoreCase: false, allowRelativePaths: true }).add(patterns);
  return {
    ignores: (path) => rules.ignores(path),
    lineFor: (path) => {
      const { pattern, mark } = rules.checkIgnore(path).rule ?? {};
      return `${mark}: ${quote(pattern)}`;
    },
  };
}

function wildcardsOf(part: string): number {
  return part.split("*").length - 1;
}

function unknown(code: "file-unreadable" | "krmignore-too-large", problem: string, cure: string): FindingsError {
  const message = `${quote(".krmignore")} ${problem}, so it is unknown which files it excludes; ${cure}.`;
  return new FindingsError([fileError(code, message)]);
}

function fileError(code: "file-unreadable" | "krmignore-too-large", message: string): Finding {
  return { ...finding("error", code, message), file: { path: ".krmignore", index: 0 } };
}
