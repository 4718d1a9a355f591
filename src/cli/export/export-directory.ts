import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quote } from "../../core/text.ts";
import { isInside } from "../files/paths.ts";
import { UsageError } from "../terminal/errors.ts";

/**
 * The real path of the directory that an export writes to; it need not exist. Neither the directory nor the package may
 * contain the other: a render would read the exported files, or an export would write among the user's files.
 */
export function exportDirectory(path: string, packageDirectory: string): string {
  const target = realPath(path);
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`--output-dir ${quote(path)} is not a directory`);
  }
  const source = realpathSync(packageDirectory);
  if (isInside(source, target) || isInside(target, source)) {
    throw new UsageError(
      `--output-dir ${quote(path)} must not be inside the package or contain it; name another directory`,
    );
  }
  return target;
}

// The part of a path that does not exist has no symbolic links.
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
