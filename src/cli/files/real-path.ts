import { realpathSync } from "node:fs";

/** The real path of a path; the path itself if it does not exist or cannot be examined. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
