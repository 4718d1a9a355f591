import { type Finding, finding } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { changedPaths, countFiles, type FileChange } from "../files/write-files.ts";

const maxNamed = 8;

/**
 * The finding that a package differs from what it renders.
 *
 * @param so the consequence, such as "nothing was exported".
 * @param cure the fix, as a sentence without its period.
 */
export function notRendered(changes: readonly FileChange[], so: string, cure: string): Finding {
  const { added, changed, removed } = changedPaths(changes);
  const all = [
    ...changed.map((path) => `${quoteWhole(path)} differs`),
    ...removed.map((path) => `${quoteWhole(path)} is no longer needed`),
    ...added.map((path) => `${quoteWhole(path)} is missing`),
  ];
  const more = all.length > maxNamed ? `, and ${countFiles(all.length - maxNamed)} more` : "";
  const message = `The package differs from what its sources render, so ${so}: ${all.slice(0, maxNamed).join(", ")}${more}. ${cure}.`;
  return finding("error", "package-not-rendered", message);
}
