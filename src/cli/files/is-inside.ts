import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is a directory or is inside it. Both must be real paths, without symbolic links. */
export function isInside(directory: string, path: string): boolean {
  const route = relative(directory, path);
  return route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}
