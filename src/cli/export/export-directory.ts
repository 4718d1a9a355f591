import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quote } from "../../core/text.ts";
import { isInside } from "../files/is-inside.ts";
import { UsageError } from "../terminal/errors.ts";

/**
 * The real path of the directory that an export writes to; it need not exist. It must stand apart from the package: a
 * render would read what is in it, and an export would write among what people keep.
 */
export function exportDirectory(path: string, packageDirectory: string): string {
  const target = realPath(path);
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`--output-dir ${quote(path)} is not a directory`);
  }
  const source = realpathSync(packageDirectory);
  if (isInside(source, target) || isInside(target, source)) {
    throw new UsageError(
      `--output-dir ${quote(path)} must be apart from the package, neither in it nor around it; name another directory`,
    );
  }
  return target;
}

// What is not there yet has no symbolic links.
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
