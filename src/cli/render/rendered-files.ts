import { validators } from "../../../functions/validators.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { type ExportedFile, exportFiles } from "../export/export-files.ts";
import type { Package } from "../files/package-files.ts";
import { wasInterrupted } from "../files/stage.ts";
import { changedPaths, countFiles, type FileChange } from "../files/write-files.ts";
import { renderCommand } from "../terminal/arguments.ts";
import { planRender } from "./render-plan.ts";

/**
 * The files of a package, or why they differ from what its sources render. Only a render reports notes.
 *
 * @param so the consequence if the package differs; `cure`, what to do after a render.
 */
export function renderedFiles(
  pkg: Package,
  onlyOurs: boolean,
  { so, cure }: { readonly so: string; readonly cure: string },
): { files: ExportedFile[]; findings: Finding[] } {
  const { directory } = pkg;
  // A partly written render must not count as an edit: this throws if a render is running.
  wasInterrupted({ directory, command: "render" });
  const plan = planRender(pkg, { onlyOurs, validators });
  const findings = plan.findings.filter(({ severity }) => severity !== "info");
  if (hasError(findings)) return { files: [], findings };
  if (plan.changes.length > 0) {
    const run = `Run "${renderCommand(directory, onlyOurs)}", review the changes, and ${cure}`;
    return { files: [], findings: [...findings, notRendered(plan.changes, so, run)] };
  }
  return { files: exportFiles(plan), findings };
}

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
