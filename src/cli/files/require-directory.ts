import { quote } from "../../core/text.ts";
import { UsageError } from "../terminal/errors.ts";
import { statOf } from "./stat-of.ts";

/**
 * Stops where a path of the command line is not a directory.
 * @throws UsageError
 */
export function requireDirectory(path: string): void {
  const found = statOf(path);
  if (found?.isDirectory() === true) return;
  const why = found === undefined ? "it does not exist" : "it is a file; name the directory that holds it";
  throw new UsageError(`${quote(path)} is not a directory: ${why}`);
}
