import { type Finding, hasError } from "../../core/finding.ts";
import type { Package } from "../files/package-files.ts";
import { wasInterrupted } from "../files/stage.ts";
import { notRendered } from "../render/not-rendered.ts";
import { renderCommand } from "../render/render-command.ts";
import { planRender } from "../render/render-plan.ts";
import { type ExportedFile, exportFiles } from "./export-files.ts";

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
  const plan = planRender(pkg, { onlyOurs });
  const findings = plan.findings.filter(({ severity }) => severity !== "info");
  if (hasError(findings)) return { files: [], findings };
  if (plan.changes.length > 0) {
    const run = `Run "${renderCommand(directory, onlyOurs)}", review the changes, and ${cure}`;
    return { files: [], findings: [...findings, notRendered(plan.changes, so, run)] };
  }
  return { files: exportFiles(plan), findings };
}
