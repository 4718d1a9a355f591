import { existsSync, mkdirSync } from "node:fs";
import { type Finding, hasError } from "../../core/finding.ts";
import type { WriteTarget } from "../files/stage.ts";
import { afterInterruption, type FileChange, writeFiles, writeProblems } from "../files/write-files.ts";
import type { ExportedFile } from "../package/export-files.ts";
import { planExport } from "./export-plan.ts";

/** How to write an export. */
export interface WriteHow {
  /** Whether nothing is written. */
  readonly check: boolean;
  /** The command that writes it, for messages. */
  readonly command: string;
  /** The cluster whose export may be replaced. */
  readonly replace?: string | undefined;
}

/** What was written or would be. */
export interface WrittenExport {
  readonly changes: readonly FileChange[];
  /** Findings about a run that was interrupted. */
  readonly earlier: readonly Finding[];
  /** Findings about the directory. If one is an error, nothing was written. */
  readonly findings: readonly Finding[];
}

/** Writes the files of an export to its directory. */
export function writeExport(
  directory: string,
  files: readonly ExportedFile[],
  { check, command, replace }: WriteHow,
): WrittenExport {
  const target: WriteTarget = { directory, command: "export" };
  const earlier = afterInterruption("export-interrupted", target, !check, command);
  const plan = planExport(directory, files, replace);
  const findings = [...plan.findings];
  // A directory that does not exist contains nothing that could prevent the export.
  if (!hasError(findings) && existsSync(directory)) findings.push(...writeProblems(target, plan.changes));
  if (hasError(findings)) return { changes: [], earlier, findings };
  if (!check) {
    mkdirSync(directory, { recursive: true });
    writeFiles(target, plan.steps);
  }
  return { changes: plan.changes, earlier, findings };
}
