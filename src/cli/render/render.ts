import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { toResult } from "../../krm/results.ts";
import { writeContent } from "../../krm/stdio.ts";
import type { FlagsOf } from "../definition.ts";
import { changedPaths, type FileChange } from "../files/file-change.ts";
import { afterInterruption } from "../files/interruption.ts";
import { readPackage } from "../files/package-files.ts";
import { requirePackage } from "../files/require-package.ts";
import type { WriteTarget } from "../files/stage.ts";
import { writeFiles } from "../files/write-files.ts";
import { writeProblems } from "../files/write-problems.ts";
import { changeLines, countFiles } from "../terminal/change-lines.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeChanges, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import type { renderCommand as definition } from "./definition.ts";
import { manifestStream } from "./manifests.ts";
import { packageArguments, renderCommand } from "./render-command.ts";
import { type Plan, planRender } from "./render-plan.ts";

/**
 * `ccf render DIR`: exit code 0 for success, 2 with `--check` if a file would change, 1 for failure.
 *
 * @param forTool adds to the output of `--stdout` what the tool that applies the manifests needs.
 */
export function render(
  values: FlagsOf<typeof definition>,
  directory = ".",
  forTool = (stream: string) => stream,
): number {
  if (values.stdout && (values.check || values.output === "json"))
    throw new UsageError("--stdout prints manifests; do not combine it with --check or -o json");
  const allowed: ReadonlySet<string> = new Set(values.allow);
  const writes = !values.check && !values.stdout;
  const pkg = readPackage(directory);
  requirePackage(pkg, (below) => commandFor(below, values));
  const target: WriteTarget = { directory, command: "render" };
  const command = renderCommand(directory, values["only-ours"], values["rename-from"], allowed);
  const earlier = afterInterruption("render-interrupted", target, writes, command);
  const plan = planRender(pkg, {
    onlyOurs: values["only-ours"],
    renameFrom: values["rename-from"],
    allowed,
    answerPrunes: values.stdout,
  });
  const problems = hasError(plan.findings) ? [] : writeProblems(target, plan.changes);
  const findings = [...earlier, ...plan.findings, ...problems].map((finding) =>
    values.stdout ? completeOnly(finding) : finding,
  );
  writeFindings(findings);
  const failed = hasError(findings);
  const verdict = failed ? 1 : values.check && plan.changes.length + earlier.length > 0 ? 2 : 0;
  if (values.stdout) {
    if (!failed) printManifests(forTool(manifestStream(pkg, plan.changes)));
    return verdict;
  }
  if (!failed && writes) writeFiles(target, [{ changes: plan.changes }]);
  if (values.output === "json") writeJson(report(plan, findings, failed));
  else if (!failed && values.check) writeChanges(summary(plan.changes, true, command));
  else if (!failed) writeNotes(1, summary(plan.changes, false, command));
  return verdict;
}

// The same command for another directory, without the rename, because a rename concerns one package.
function commandFor(directory: string, flags: Readonly<Record<"check" | "stdout" | "only-ours", boolean>>): string {
  const mode = flags.check ? ["--check"] : flags.stdout ? ["--stdout"] : [];
  return ["ccf render", ...mode, ...packageArguments(directory, flags["only-ours"])].join(" ");
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

function report({ functions: ran, changes }: Plan, findings: readonly Finding[], failed: boolean): ValueMap {
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
