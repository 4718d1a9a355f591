import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { quoteWhole } from "../../core/text.ts";
import { UsageError } from "../terminal/errors.ts";

/** What of an absolute path is there already, and the real path of that: the directory in which the rest would be made. */
export function nearestDirectory(path: string): { readonly there: string; readonly real: string } {
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  if (!statSync(there).isDirectory()) throw new UsageError(`${quoteWhole(there)} is not a directory`);
  return { there, real: realpathSync(there) };
}
