import { posix } from "node:path";
import { allByKey } from "../../core/lookup.ts";
import { changedPaths, type FileChange } from "../files/file-change.ts";

const maxListed = 12;

/** Changes for people: a line for each file or, if there are many files, for each directory. */
export function changeLines(changes: readonly FileChange[]): string[] {
  return Object.entries(changedPaths(changes)).flatMap(([kind, paths]) => {
    const listed = paths.length <= maxListed ? paths : byDirectory(paths);
    return listed.map((path) => `${kind.padEnd(8)} ${path}`);
  });
}

function byDirectory(paths: readonly string[]): string[] {
  return [...allByKey(paths, posix.dirname)].flatMap(([directory, group]) =>
    group.length === 1 ? group : [`${directory}/ (${countFiles(group.length)})`],
  );
}

/** `1 file`, `2 files`. */
export function countFiles(count: number): string {
  return `${count} file${count === 1 ? "" : "s"}`;
}
