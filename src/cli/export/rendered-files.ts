import { type Finding, hasError } from "../../core/finding.ts";
import type { Package } from "../files/package-files.ts";
import { wasInterrupted } from "../files/stage.ts";
import { notRendered } from "../render/not-rendered.ts";
import { renderCommand } from "../render/render-command.ts";
import { planRender } from "../render/render-plan.ts";
import { type ExportedFile, exportFiles } from "./export-files.ts";

/**
 * The files that a package holds, or why they are not what its sources ask for. Notes are a render's to make.
 *
 * @param so what follows where it is not as it is rendered, and `cure`, what to do once it is.
 */
export function renderedFiles(
  pkg: Package,
  onlyOurs: boolean,
  { so, cure }: { readonly so: string; readonly cure: string },
): { files: ExportedFile[]; findings: Finding[] } {
  const { directory } = pkg;
  // What a render has half written is not to be taken for an edit.
  wasInterrupted({ directory, command: "render" });
  const plan = planRender(pkg, { onlyOurs });
  const findings = plan.findings.filter(({ severity }) => severity !== "info");
  if (hasError(findings)) return { files: [], findings };
  if (plan.changes.length > 0) {
    const run = `Run "${renderCommand(directory, onlyOurs)}", review what it changes, and ${cure}`;
    return { files: [], findings: [...findings, notRendered(plan.changes, so, run)] };
  }
  return { files: exportFiles(plan), findings };
}
