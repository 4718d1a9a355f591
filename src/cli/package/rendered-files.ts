import { validators } from "../../../functions/validators.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { wasInterrupted } from "../files/stage.ts";
import { changedPaths, countFiles, type FileChange } from "../files/write-files.ts";
import { renderCommandLine } from "../terminal/arguments.ts";
import { type ExportedFile, exportFiles } from "./export-files.ts";
import type { Package } from "./package-files.ts";
import { planRender } from "./render-plan.ts";

/** The files of a package as its sources render them. */
export interface RenderedFiles {
  readonly files: ExportedFile[];
  readonly findings: Finding[];
  /** An interrupted write left its stage, or files that {@link Unrendered.accepts} accepted. */
  readonly isUnfinished: boolean;
}

/** What is said and done if a package differs from what its sources render. */
export interface Unrendered {
  /** The consequence, such as "nothing was exported". */
  readonly so: string;
  /** What to do after a render. */
  readonly cure: string;
  /** Whether the command finishes the render itself. */
  accepts?(changes: readonly FileChange[]): boolean;
}

/** The files of a package, or why they differ from what its sources render. Only a render reports notes. */
export function renderedFiles(pkg: Package, onlyOurs: boolean, { so, cure, accepts }: Unrendered): RenderedFiles {
  const { directory } = pkg;
  // A partly written render must not count as an edit: this throws if a render is running.
  const isInterrupted = wasInterrupted({ directory, command: "render" });
  const plan = planRender(pkg, { onlyOurs, validators });
  const findings = plan.findings.filter(({ severity }) => severity !== "info");
  const isChanged = plan.changes.length > 0;
  const isUnfinished = isInterrupted || isChanged;
  if (hasError(findings)) return { files: [], findings, isUnfinished };
  if (isChanged && accepts?.(plan.changes) !== true) {
    const run = `Run "${renderCommandLine(directory, onlyOurs)}", review the changes, and ${cure}`;
    return { files: [], findings: [...findings, notRendered(plan.changes, so, run)], isUnfinished };
  }
  return { files: exportFiles(plan), findings, isUnfinished };
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
