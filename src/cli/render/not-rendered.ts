import { type Finding, finding } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { changedPaths, type FileChange } from "../files/file-change.ts";
import { countFiles } from "../terminal/change-lines.ts";

const maxNamed = 8;

/**
 * The finding that a package is not as it is rendered.
 *
 * @param so what follows from it, such as "nothing of it is exported".
 * @param cure what to do, to the end of the sentence.
 */
export function notRendered(changes: readonly FileChange[], so: string, cure: string): Finding {
  const { added, changed, removed } = changedPaths(changes);
  const all = [
    ...changed.map((path) => `${quoteWhole(path)} differs`),
    ...removed.map((path) => `${quoteWhole(path)} is no longer asked for`),
    ...added.map((path) => `${quoteWhole(path)} is missing`),
  ];
  const more = all.length > maxNamed ? `, and ${countFiles(all.length - maxNamed)} more` : "";
  const message = `The package is not as it is rendered, and ${so}: ${all.slice(0, maxNamed).join(", ")}${more}. ${cure}.`;
  return finding("error", "package-not-rendered", message);
}
