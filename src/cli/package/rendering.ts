import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { toResult } from "../../krm/results.ts";
import type { FlagsOf } from "../definition.ts";
import type { WriteTarget } from "../files/stage.ts";
import { afterInterruption, changedPaths, writeFiles, writeProblems } from "../files/write-files.ts";
import type { renderCommand as definition } from "../render/definition.ts";
import { packageArguments, renderCommand } from "../terminal/arguments.ts";
import { type Package, requirePackage } from "./package-files.ts";
import type { Plan, PlanOptions } from "./render-plan.ts";

export type RenderFlags = FlagsOf<typeof definition>;

/** A render that has not been written yet. */
export interface Rendering {
  readonly target: WriteTarget;
  readonly pkg: Package;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  readonly failed: boolean;
  /** An earlier run was interrupted. */
  readonly isUnfinished: boolean;
  /** The command line that does the same and writes. */
  readonly command: string;
}

/**
 * Plans the render of a package.
 *
 * @param planOf plans the changes with the options of the command line
 * @param fleetFindings findings about other packages of the run
 */
export function prepare(
  values: RenderFlags,
  pkg: Package,
  planOf: (options: Omit<PlanOptions, "validators">) => Plan,
  fleetFindings: readonly Finding[] = [],
): Rendering {
  const { directory } = pkg;
  const allowed: ReadonlySet<string> = new Set(values.allow);
  const writes = !values.check && !values.stdout;
  // Only one package can be printed, and who prints does not want to write.
  const all = values.stdout ? undefined : commandFor(directory, values, true);
  requirePackage(pkg, (below) => commandFor(below, values), all);
  const target: WriteTarget = { directory, command: "render" };
  const command = renderCommand(directory, values["only-ours"], values["rename-from"], allowed);
  const earlierFindings = afterInterruption("render-interrupted", target, writes, command);
  const plan = planOf({ onlyOurs: values["only-ours"], allowed, answerPrunes: values.stdout });
  const targetFindings = hasError(plan.findings) ? [] : writeProblems(target, plan.changes);
  const findings = [...earlierFindings, ...fleetFindings, ...plan.findings, ...targetFindings].map((finding) =>
    values.stdout ? completeOnly(finding) : finding,
  );
  return { target, pkg, plan, findings, failed: hasError(findings), isUnfinished: earlierFindings.length > 0, command };
}

/** Writes the changes of a render without errors, unless it only checks. */
export function finish(values: RenderFlags, { target, plan, failed }: Rendering): void {
  if (!failed && !values.check) writeFiles(target, [{ changes: plan.changes }]);
}

/** The exit code of a render. */
export function codeOf({ check }: RenderFlags, { plan, failed, isUnfinished }: Rendering): 0 | 1 | 2 {
  return failed ? 1 : check && (plan.changes.length > 0 || isUnfinished) ? 2 : 0;
}

// The same command for another directory, without the rename, because a rename concerns one package.
function commandFor(
  directory: string,
  flags: Readonly<Record<"check" | "stdout" | "only-ours", boolean>>,
  recursive = false,
): string {
  const mode = flags.check ? ["--check"] : flags.stdout ? ["--stdout"] : [];
  return ["ccf render", ...mode, ...packageArguments(directory, flags["only-ours"], recursive)].join(" ");
}

// Skipped objects would be missing from the output, and a tool that applies the output would delete them in the
// cluster.
function completeOnly(finding: Finding): Finding {
  return finding.code === "file-skipped" ? { ...finding, severity: "error" } : finding;
}

/** What `-o json` prints of a render. */
export function renderingJson({ plan: { functions: ran, changes }, findings, failed }: Rendering): ValueMap {
  return { functions: ran, ...changedPaths(failed ? [] : changes), findings: findings.map(toResult) };
}
