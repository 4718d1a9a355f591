import { lstatSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * The first parent of a path below a directory that is not a directory itself: a file, or a symbolic link, through
 * which a write could leave the directory. Undefined if every existing parent is a directory.
 */
export function blockedParent(directory: string, path: string): string | undefined {
  const steps = posix.dirname(path).split("/");
  for (let depth = 1; depth <= steps.length; depth++) {
    const parent = steps.slice(0, depth).join("/");
    if (parent === ".") continue;
    const stat = lstatSync(join(directory, parent), { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) return parent;
  }
  return undefined;
}
