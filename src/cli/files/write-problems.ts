import { accessSync, constants, lstatSync } from "node:fs";
import { join, posix } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { blockedParent } from "./blocked-parent.ts";
import type { FileChange } from "./file-change.ts";
import { fileFinding } from "./package-files.ts";
import { readText } from "./read-bytes.ts";
import type { WriteTarget } from "./stage.ts";

/**
 * What stands in the way of writing changes, asked before the first one is written: a symbolic link or a file where a
 * directory is needed (a write could leave the target), something at a path that was not read before, a file
 * that somebody else changed since it was read, a file or directory that may not be written.
 */
export function writeProblems(target: WriteTarget, changes: readonly FileChange[]): Finding[] {
  // Thousands of files are in a few directories.
  const parents = new Map<string, Parent>();
  const parentOf = (path: string): Parent => {
    const name = posix.dirname(path);
    const parent = parents.get(name) ?? readParent(target.directory, path);
    parents.set(name, parent);
    return parent;
  };
  return changes.flatMap((change) => problemOf(target, change, parentOf(change.path)) ?? []);
}

/** What is on the way to the files of a directory. */
interface Parent {
  readonly blocked: string | undefined;
  readonly nearest: string;
  readonly isWritable: boolean;
}

function readParent(directory: string, path: string): Parent {
  const blocked = blockedParent(directory, path);
  const nearest = blocked ?? nearestParent(directory, path);
  return { blocked, nearest, isWritable: isWritable(join(directory, nearest)) };
}

function problemOf(
  { directory, command }: WriteTarget,
  { path, before, after }: FileChange,
  parent: Parent,
): Finding | undefined {
  const file = join(directory, path);
  if (after !== undefined && parent.blocked !== undefined) return wayBlocked(path, parent.blocked);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (before === undefined && stat !== undefined) {
    const message =
      "is needed, but there is something that is not part of the package; move it away, or take it out of .krmignore.";
    return fileFinding("error", "path-taken", path, message);
  }
  if (before !== undefined && (!stat?.isFile() || readText(file) !== before)) {
    const message = `was changed by somebody else during the run; ${command} again.`;
    return fileFinding("error", "file-changed", path, message);
  }
  const isOwnFault = stat !== undefined && !isWritable(file);
  const obstacle = isOwnFault ? path : parent.isWritable ? undefined : parent.nearest;
  if (obstacle === undefined) return undefined;
  return fileFinding(
    "error",
    "file-not-writable",
    obstacle,
    `may not be written; change its permissions, or ${command} as its owner.`,
  );
}

/** What stands in the way to a path, where something does. */
export function blockedProblem(directory: string, path: string): Finding | undefined {
  const blocked = blockedParent(directory, path);
  return blocked === undefined ? undefined : wayBlocked(path, blocked);
}

function wayBlocked(path: string, blocked: string): Finding {
  const message = `needs the directory "${blocked}", and that is a file or a symbolic link; move it away.`;
  return fileFinding("error", "path-taken", path, message);
}

function nearestParent(directory: string, path: string): string {
  let parent = posix.dirname(path);
  while (parent !== "." && lstatSync(join(directory, parent), { throwIfNoEntry: false }) === undefined)
    parent = posix.dirname(parent);
  return parent;
}

/** Says whether a file or directory may be written. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
