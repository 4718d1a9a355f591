import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { quoteWhole } from "../../core/text.ts";
import { UsageError } from "../terminal/errors.ts";

/**
 * The nearest existing parent of an absolute path, or the path itself, with its real path: the rest would be created in
 * it.
 */
export function nearestDirectory(path: string): { readonly there: string; readonly real: string } {
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  if (!statSync(there).isDirectory()) throw new UsageError(`${quoteWhole(there)} is not a directory`);
  return { there, real: realpathSync(there) };
}
