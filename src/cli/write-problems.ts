import { accessSync, constants, lstatSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Finding } from "../core/finding.ts";
import { blockedParent } from "./blocked-parent.ts";
import type { FileChange } from "./file-change.ts";
import { fileFinding } from "./package-files.ts";

/**
 * What stands in the way of writing changes, asked before the first one is written: a symbolic link or a file where a
 * directory is needed (a write could leave the package), something at a path that was not read as part of it, a file
 * that somebody else changed since it was read, a file or directory that may not be written.
 */
export function writeProblems(directory: string, changes: readonly FileChange[]): Finding[] {
  return changes.flatMap((change) => problemOf(directory, change) ?? []);
}

function problemOf(directory: string, { path, before, after }: FileChange): Finding | undefined {
  const target = join(directory, path);
  const blocked = after === undefined ? undefined : blockedParent(directory, path);
  if (blocked !== undefined) {
    const message = `needs the directory "${blocked}", and that is a file or a symbolic link; move it away.`;
    return fileFinding("error", "path-taken", path, message);
  }
  const stat = lstatSync(target, { throwIfNoEntry: false });
  if (before === undefined && stat !== undefined) {
    const message =
      "is needed, but there is something that is not part of the package; move it away, or take it out of .krmignore.";
    return fileFinding("error", "path-taken", path, message);
  }
  if (before !== undefined && (!stat?.isFile() || readFileSync(target, "utf8") !== before)) {
    return fileFinding("error", "file-changed", path, "was changed by somebody else during the run; render again.");
  }
  const obstacle = [...(stat === undefined ? [] : [path]), nearestParent(directory, path)].find(
    (one) => !isWritable(join(directory, one)),
  );
  if (obstacle === undefined) return undefined;
  return fileFinding(
    "error",
    "file-not-writable",
    obstacle,
    "may not be written; change its permissions, or render as its owner.",
  );
}

function nearestParent(directory: string, path: string): string {
  let parent = posix.dirname(path);
  while (parent !== "." && lstatSync(join(directory, parent), { throwIfNoEntry: false }) === undefined)
    parent = posix.dirname(parent);
  return parent;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
