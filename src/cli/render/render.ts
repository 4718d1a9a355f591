import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { toResult } from "../../krm/results.ts";
import { writeContent } from "../../krm/stdio.ts";
import type { FlagsOf } from "../definition.ts";
import { type Package, readPackage } from "../files/package-files.ts";
import { requirePackage } from "../files/require-package.ts";
import type { WriteTarget } from "../files/stage.ts";
import {
  afterInterruption,
  changedPaths,
  changeLines,
  countFiles,
  type FileChange,
  writeFiles,
  writeProblems,
} from "../files/write-files.ts";
import { compareClusters } from "../fleet/compare-clusters.ts";
import { clusterIn, eachPackage, writeState, writeStates } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeChanges, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import type { renderCommand as definition } from "./definition.ts";
import { manifestStream } from "./manifests.ts";
import { packageArguments, renderCommand } from "./render-command.ts";
import { type Plan, planRender } from "./render-plan.ts";

type Values = FlagsOf<typeof definition>;

/**
 * `ccf render DIR...`: exit code 0 for success, 2 with `--check` if a file would change, 1 for failure.
 *
 * @param forTool adds to the output of `--stdout` what the tool that applies the manifests needs.
 */
export function render(
  values: Values,
  directories: readonly string[],
  forTool = (stream: string) => stream,
): number | Promise<number> {
  if (values.stdout && (values.check || values.output === "json"))
    throw new UsageError("--stdout prints manifests; do not combine it with --check or -o json");
  if (isFleet(directories, values)) return renderAll(values, directories);
  const rendering = prepare(values, directories[0] ?? ".");
  const { pkg, plan, findings, failed, command } = rendering;
  writeFindings(findings);
  if (values.stdout) {
    if (!failed) printManifests(forTool(manifestStream(pkg, plan.changes)));
    return failed ? 1 : 0;
  }
  finish(values, rendering);
  if (values.output === "json") writeJson(report(rendering));
  else if (!failed && values.check) writeChanges(summary(plan.changes, true, command));
  else if (!failed) writeNotes(1, summary(plan.changes, false, command));
  return codeOf(values, rendering);
}

async function renderAll(values: Values, directories: readonly string[]): Promise<number> {
  if (values.stdout || values["rename-from"] !== undefined)
    throw new UsageError(`${values.stdout ? "--stdout" : "--rename-from"} is for one package; name only one directory`);
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection);
  const code = await eachPackage(selection, { ...values, states: writeStates, comparison }, (place) => {
    const rendering = prepare(values, place.directory, place.inside, comparison.of(place));
    finish(values, rendering);
    const { pkg, plan, findings, isUnfinished, command } = rendering;
    const code = codeOf(values, rendering);
    const count = countFiles(plan.changes.length);
    const isChanged = plan.changes.length > 0 || isUnfinished;
    const line = values.check ? `${count} would change. Run: ${command}` : `${count} written`;
    return {
      code,
      state: writeState(isChanged, !values.check),
      lines: code === 1 || !isChanged ? [] : [line],
      findings,
      report: report(rendering),
      cluster: clusterIn(pkg.files.flatMap(({ items }) => items)),
    };
  });
  const isAllowed = ({ code }: Finding) => code === "package-removed" && values.allow.includes("removal");
  return values.check && code === 0 && !selection.uncheckedFindings.every(isAllowed) ? 2 : code;
}

/** A render that has not been written yet. */
interface Rendering {
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

/** @param fleetFindings findings about other packages of the run. */
function prepare(
  values: Values,
  directory: string,
  apart: readonly string[] = [],
  fleetFindings: readonly Finding[] = [],
): Rendering {
  const allowed: ReadonlySet<string> = new Set(values.allow);
  const writes = !values.check && !values.stdout;
  const pkg = readPackage(directory, apart);
  // Only one package can be printed, and who prints does not want to write.
  const all = values.stdout ? undefined : commandFor(directory, values, true);
  requirePackage(pkg, (below) => commandFor(below, values), all);
  const target: WriteTarget = { directory, command: "render" };
  const command = renderCommand(directory, values["only-ours"], values["rename-from"], allowed);
  const earlierFindings = afterInterruption("render-interrupted", target, writes, command);
  const plan = planRender(pkg, {
    onlyOurs: values["only-ours"],
    renameFrom: values["rename-from"],
    allowed,
    answerPrunes: values.stdout,
  });
  const targetFindings = hasError(plan.findings) ? [] : writeProblems(target, plan.changes);
  const findings = [...earlierFindings, ...fleetFindings, ...plan.findings, ...targetFindings].map((finding) =>
    values.stdout ? completeOnly(finding) : finding,
  );
  return { target, pkg, plan, findings, failed: hasError(findings), isUnfinished: earlierFindings.length > 0, command };
}

function finish(values: Values, { target, plan, failed }: Rendering): void {
  if (!failed && !values.check) writeFiles(target, [{ changes: plan.changes }]);
}

function codeOf({ check }: Values, { plan, failed, isUnfinished }: Rendering): 0 | 1 | 2 {
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

// A tool that prunes would read an empty output as a request to delete everything.
function printManifests(stream: string): void {
  if (stream === "")
    throw new UsageError(
      "the package contains no manifests for a cluster; --stdout prints no empty output, because a tool that applies it would delete everything",
    );
  writeContent(stream.endsWith("\n") ? stream : `${stream}\n`);
}

function report({ plan: { functions: ran, changes }, findings, failed }: Rendering): ValueMap {
  return { functions: ran, ...changedPaths(failed ? [] : changes), findings: findings.map(toResult) };
}

function summary(changes: readonly FileChange[], checked: boolean, command: string): string[] {
  if (changes.length === 0) return ["Up to date: no file changes."];
  const count = countFiles(changes.length);
  const last = checked
    ? `Not up to date: ${count} would change. Run: ${command}`
    : `${count} written. A second run changes nothing.`;
  return [...changeLines(changes), last];
}
