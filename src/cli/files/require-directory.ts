import { quote } from "../../core/text.ts";
import { UsageError } from "../terminal/errors.ts";
import { statOf } from "./stat-of.ts";

/**
 * Requires that a path of the command line is a directory.
 * @throws UsageError
 */
export function requireDirectory(path: string): void {
  const found = statOf(path);
  if (found?.isDirectory() === true) return;
  const why = found === undefined ? "it does not exist" : "it is a file; name the directory that contains it";
  throw new UsageError(`${quote(path)} is not a directory: ${why}`);
}
