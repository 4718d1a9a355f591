import { type Finding, hasError } from "../../core/finding.ts";
import { readPackage } from "../files/package-files.ts";
import { requirePackage } from "../files/require-package.ts";
import type { WriteTarget } from "../files/stage.ts";
import { writeFiles } from "../files/write-files.ts";
import { afterInterruption, writeProblems } from "../files/write-problems.ts";
import { FindingsError, throwErrors } from "../terminal/errors.ts";
import { planFinal } from "./plan-final.ts";
import { planUpdate } from "./plan-update.ts";
import { type Release, refuseNested } from "./release.ts";
import { changesOf, type UpdatePlan } from "./update-plan.ts";

/** How packages are updated. */
export interface UpdateOptions {
  /** The value of `--from`. */
  readonly from: string | undefined;
  readonly release: Release | undefined;
  readonly final: boolean;
  readonly writes: boolean;
  /** The command line that does the same for another package, or for all packages below a directory, and writes. */
  command(directory: string, recursive?: boolean): string;
}

/** The update of one package: written, or only planned. */
export interface UpdatedPackage {
  readonly plan: UpdatePlan;
  readonly findings: readonly Finding[];
  /** Whether a file changed, or would change. */
  readonly isChanged: boolean;
}

/**
 * Updates one package.
 *
 * @param apart packages inside it that are updated by themselves
 * @throws FindingsError and others if it stays as it is.
 */
export function updatePackage(
  directory: string,
  options: UpdateOptions,
  apart: readonly string[] = [],
): UpdatedPackage {
  const { from, release, final, writes, command } = options;
  if (from !== undefined) refuseNested(from, directory);
  const pkg = readPackage(directory, apart);
  requirePackage(pkg, (below) => command(below), command(directory, true));
  throwErrors(pkg.findings);
  const target: WriteTarget = { directory, command: "update-requests" };
  const earlierFindings = afterInterruption("update-interrupted", target, writes, command(directory));
  const plan = final || release === undefined ? planFinal(pkg, release) : planUpdate(pkg, release);
  const changes = changesOf(plan);
  const findings = writeProblems(target, changes);
  if (hasError(findings)) throw new FindingsError(findings);
  if (writes) writeFiles(target, plan.steps);
  return {
    plan,
    findings: [...earlierFindings, ...pkg.findings],
    isChanged: changes.length + earlierFindings.length > 0,
  };
}
