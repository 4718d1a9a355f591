import { type Stats, statSync } from "node:fs";

/** What a path of the command line leads to; undefined where nothing is there, or where nobody can look (`FILE/x`). */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
