import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Template } from "../../clouds/inspector.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import type { FlagsOf } from "../definition.ts";
import { changedPaths, type FileChange } from "../files/file-change.ts";
import { afterInterruption } from "../files/interruption.ts";
import { readPackage } from "../files/package-files.ts";
import { requirePackage } from "../files/require-package.ts";
import type { WriteTarget } from "../files/stage.ts";
import { writeFiles } from "../files/write-files.ts";
import { writeProblems } from "../files/write-problems.ts";
import { packageArguments } from "../render/render-command.ts";
import { changeLines, countFiles } from "../terminal/change-lines.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeChanges, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { adminPolicyFindings } from "./admin-policy.ts";
import type { exportCommand as definition } from "./definition.ts";
import { exportDirectory } from "./export-directory.ts";
import type { ExportedFile } from "./export-files.ts";
import { planExport } from "./export-plan.ts";
import { withTemplate } from "./export-template.ts";
import { missingCluster } from "./missing-cluster.ts";
import { notExported } from "./not-exported.ts";
import { renderedFiles } from "./rendered-files.ts";

/** The options of the command line. */
interface Request {
  readonly packageDirectory: string;
  /** As the user typed it. */
  readonly output: string;
  readonly onlyOurs: boolean;
  readonly check: boolean;
  /** The owner of another export that may be overwritten. */
  readonly replace: string | undefined;
  readonly armTemplate: boolean;
}

/** What an export found and, if it found no errors, wrote or would write. */
interface Result {
  readonly files: readonly ExportedFile[];
  readonly changes: readonly FileChange[];
  readonly findings: readonly Finding[];
  /** An earlier export was interrupted, and this one did not finish its work. */
  readonly unfinished: boolean;
  /** The template among the files, if the user asked for it. */
  readonly template: Template | undefined;
}

/**
 * `ccf export DIR --output-dir OUT`: exit code 0 for success, 2 with `--check` if a file would change, 1 for failure.
 */
export function exportPackage(values: FlagsOf<typeof definition>, packageDirectory = "."): number {
  const output = values["output-dir"] ?? "";
  if (output === "") throw new UsageError("--output-dir is required; it names the directory to write");
  const { replace } = values;
  const armTemplate = values["arm-template"];
  const request = {
    packageDirectory,
    output,
    onlyOurs: values["only-ours"],
    check: values.check,
    replace,
    armTemplate,
  };
  const result = carryOut(request);
  const failed = hasError(result.findings);
  writeFindings(result.findings);
  if (values.output === "json") writeJson(report(result, failed));
  else if (!failed && values.check) writeChanges(summary(request, result));
  else if (!failed) writeNotes(1, summary(request, result));
  if (failed) return 1;
  return values.check && (result.changes.length > 0 || result.unfinished) ? 2 : 0;
}

function carryOut(request: Request): Result {
  const { packageDirectory, output, onlyOurs, check, replace, armTemplate } = request;
  const unrendered = { so: "nothing was exported", cure: "export again" };
  const pkg = readPackage(packageDirectory);
  // Each package has a separate export.
  requirePackage(pkg, (below) =>
    exportCommand({ ...request, packageDirectory: below, output: join(output, basename(below)) }),
  );
  const { files: rendered, findings } = renderedFiles(pkg, onlyOurs, unrendered);
  findings.push(...adminPolicyFindings(rendered), ...missingCluster(rendered));
  const isComplete = !hasError(findings);
  const {
    files,
    template,
    findings: ofTemplate,
  } = armTemplate && isComplete
    ? withTemplate(rendered, "--arm-template")
    : { files: rendered, template: undefined, findings: [] };
  findings.push(...ofTemplate);
  const nothing = { files, changes: [], unfinished: false, template };
  if (hasError(findings)) return { ...nothing, findings };
  const target: WriteTarget = { directory: exportDirectory(output, packageDirectory), command: "export" };
  const earlier = afterInterruption("export-interrupted", target, !check, exportCommand(request));
  findings.push(...notExported(pkg, files));
  const plan = planExport(target.directory, files, replace);
  const problems = [...plan.findings];
  // A directory that does not exist contains nothing that could prevent the export.
  if (!hasError(problems) && existsSync(target.directory)) problems.push(...writeProblems(target, plan.changes));
  const all = [...earlier, ...findings, ...sortFindings(problems)];
  if (hasError(problems)) return { ...nothing, findings: all };
  if (!check) {
    mkdirSync(target.directory, { recursive: true });
    writeFiles(target, plan.steps);
  }
  return { files, changes: plan.changes, findings: all, unfinished: check && earlier.length > 0, template };
}

function report({ changes, findings }: Result, failed: boolean): ValueMap {
  return { ...changedPaths(failed ? [] : changes), findings: findings.map(toResult) };
}

function summary(request: Request, { files, changes, template }: Result): string[] {
  const { output, check } = request;
  const wordOf = (path: string) => shellWord(`${output.replace(/\/+$/, "")}/${path}`);
  const apply = files.find(({ path }) => path.endsWith("/apply.sh"))?.path;
  const commands = [
    ...(template === undefined ? [] : [template.command(wordOf(template.path))]),
    ...(apply === undefined ? [] : [`${wordOf(apply)} --dry-run`]),
  ];
  const next = commands.map((command, index) => `${index === 0 ? "Next" : "Then"}: ${command}`);
  if (changes.length === 0) return ["Up to date: no file changes.", ...(check ? [] : next)];
  const count = countFiles(changes.length);
  if (check) return [...changeLines(changes), `Not up to date: ${count} would change. Run: ${exportCommand(request)}`];
  return [...changeLines(changes), `${count} written. A second run changes nothing.`, ...next];
}

function exportCommand({ packageDirectory, output, onlyOurs, replace, armTemplate }: Request): string {
  return [
    "ccf export",
    ...packageArguments(packageDirectory, onlyOurs),
    "--output-dir",
    shellWord(output),
    ...(replace === undefined ? [] : ["--replace", shellWord(replace)]),
    ...(armTemplate ? ["--arm-template"] : []),
  ].join(" ");
}
