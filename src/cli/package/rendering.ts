import { generators } from "../../../functions/generators.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { toResult } from "../../krm/results.ts";
import { writeContent } from "../../krm/stdio.ts";
import { exclusionFields } from "../../requests/release-filter.ts";
import type { WriteTarget } from "../files/stage.ts";
import {
  afterInterruption,
  changedPaths,
  countFiles,
  fileChangeLines,
  writeFiles,
  writeProblems,
} from "../files/write-files.ts";
import { packageArguments, renderCommandLine } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { isPrinted, writeFindings } from "../terminal/output.ts";
import { readPipeline } from "./kptfile.ts";
import { manifestStream } from "./manifests.ts";
import { type Package, requirePackage } from "./package-files.ts";
import { type PlanOptions, planRender, type RenderPlan } from "./render-plan.ts";

/** The flags of `ccf render` that concern each package. */
export interface RenderFlags {
  readonly check: boolean;
  readonly stdout: boolean;
  readonly "only-ours": boolean;
  readonly "rename-from": string | undefined;
  readonly allow: readonly string[];
}

/** A render that has not been written yet. */
export interface Rendering {
  readonly target: WriteTarget;
  readonly pkg: Package;
  readonly plan: RenderPlan;
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
  planOf: (options: Omit<PlanOptions, "validators">) => RenderPlan,
  fleetFindings: readonly Finding[] = [],
): Rendering {
  const { directory } = pkg;
  const allowed: ReadonlySet<string> = new Set(values.allow);
  const writes = !values.check && !values.stdout;
  // Only one package can be printed, and who prints does not want to write.
  const all = values.stdout ? undefined : commandFor(directory, values, true);
  requirePackage(pkg, (below) => commandFor(below, values), all);
  const target: WriteTarget = { directory, command: "render" };
  const command = renderCommandLine(directory, values["only-ours"], values["rename-from"], allowed);
  const earlierFindings = afterInterruption("render-interrupted", target, writes, command);
  const plan = planOf({ onlyOurs: values["only-ours"], allowed, answerPrunes: values.stdout });
  const targetFindings = hasError(plan.findings) ? [] : writeProblems(target, plan.changes);
  const findings = [...earlierFindings, ...fleetFindings, ...plan.findings, ...targetFindings].map((finding) =>
    values.stdout ? completeOnly(finding) : finding,
  );
  return { target, pkg, plan, findings, failed: hasError(findings), isUnfinished: earlierFindings.length > 0, command };
}

/**
 * Plans the render of a package by itself. Most are rendered by the generators alone: everything else is loaded only if it is
 * needed.
 */
export async function prepareOne(values: RenderFlags, pkg: Package): Promise<Rendering> {
  const validators = runsOthers(pkg) ? (await import("../../../functions/validators.ts")).validators : [];
  const renameFrom = values["rename-from"];
  if (renameFrom === undefined) return prepare(values, pkg, (options) => planRender(pkg, { ...options, validators }));
  const { planRenamed } = await import("./rename.ts");
  return prepare(values, pkg, (options) => planRenamed(pkg, renameFrom, { ...options, validators }));
}

function runsOthers({ files }: Package): boolean {
  return files
    .flatMap(({ items }) => items)
    .filter(({ path }) => path === "Kptfile")
    .some((kptfile) => readPipeline(kptfile).steps.some(({ fn }) => !generators.some(({ name }) => name === fn.name)));
}

/** Writes the changes of a render without errors, unless it only checks. */
export function finish(values: RenderFlags, { target, plan, failed }: Rendering): void {
  if (!failed && !values.check) writeFiles(target, [{ changes: plan.changes }]);
}

/** The exit code of a render. */
export function renderCode({ check }: RenderFlags, { plan, failed, isUnfinished }: Rendering): 0 | 1 | 2 {
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

/**
 * Prints the manifests for the cluster, or the errors and nothing else.
 *
 * @param forTool adds what the tool that applies the manifests needs.
 * @returns the exit code
 */
export function printManifests(
  { pkg, plan, findings, failed }: Rendering,
  forTool = (stream: string) => stream,
): 0 | 1 {
  writeFindings(findings);
  if (failed) return 1;
  const stream = forTool(manifestStream(pkg, plan.changes));
  // A tool that prunes would read an empty output as a request to delete everything.
  if (stream === "")
    throw new UsageError(
      "the package contains no manifests for a cluster; --stdout prints no empty output, because a tool that applies it would delete everything",
    );
  writeContent(stream.endsWith("\n") ? stream : `${stream}\n`);
  return 0;
}

/** Readers who count more requests than identities learn here why. A run that changes nothing does not repeat it. */
function excludedLine(findings: readonly Finding[]): string[] {
  const { length } = findings.filter((finding) => finding.code in exclusionFields && !isPrinted(finding));
  if (length === 0) return [];
  const requests = length === 1 ? "1 request is" : `${length} requests are`;
  return [`${requests} excluded from this cluster: --verbose says which, and why.`];
}

/** What a render wrote, as lines. */
export function writtenLines({ changes, findings }: Pick<RenderPlan, "changes" | "findings">): string[] {
  if (changes.length === 0) return ["Up to date: no file changes."];
  const count = countFiles(changes.length);
  return [...fileChangeLines(changes), ...excludedLine(findings), `${count} written. A second run changes nothing.`];
}
