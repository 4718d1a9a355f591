import { isAbsolute, relative, sep } from "node:path";

/** Says whether a path is a directory or leads to something in it; both must be real paths, without symbolic links. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
