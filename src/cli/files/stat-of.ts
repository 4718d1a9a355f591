import { type Stats, statSync } from "node:fs";

/** The target of a path from the command line; undefined if it does not exist or cannot be examined (`FILE/x`). */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
