import { lstatSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * The first directory on the way to a path below another one that is none: a file, or a symbolic link, through which a write
 * would leave it. Undefined where the way is free.
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
