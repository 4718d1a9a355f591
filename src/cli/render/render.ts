import { generators } from "../../../functions/generators.ts";
import type { Finding } from "../../core/finding.ts";
import { writeContent } from "../../krm/stdio.ts";
import { exclusionFields } from "../../requests/release-filter.ts";
import { changeLines, countFiles } from "../files/write-files.ts";
import { isFleet } from "../fleet/flags.ts";
import { readPipeline } from "../package/kptfile.ts";
import { manifestStream } from "../package/manifests.ts";
import { type Package, readPackage } from "../package/package-files.ts";
import { type Plan, planRender } from "../package/render-plan.ts";
import { codeOf, finish, prepare, type RenderFlags, type Rendering, renderingJson } from "../package/rendering.ts";
import { UsageError } from "../terminal/errors.ts";
import { isPrinted, writeChanges, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";

/**
 * `ccf render DIR...`: exit code 0 for success, 2 with `--check` if a file would change, 1 for failure.
 *
 * @param forTool adds to the output of `--stdout` what the tool that applies the manifests needs.
 */
export async function render(
  values: RenderFlags,
  directories: readonly string[],
  forTool = (stream: string) => stream,
): Promise<number> {
  if (values.stdout && (values.check || values.output === "json"))
    throw new UsageError("--stdout prints manifests; do not combine it with --check or -o json");
  if (isFleet(directories, values)) return (await import("./render-fleet.ts")).renderFleet(values, directories);
  const rendering = await prepareOne(values, readPackage(directories[0] ?? "."));
  const { pkg, plan, findings, failed, command } = rendering;
  writeFindings(findings);
  if (values.stdout) {
    if (!failed) printManifests(forTool(manifestStream(pkg, plan.changes)));
    return failed ? 1 : 0;
  }
  finish(values, rendering);
  if (values.output === "json") writeJson(renderingJson(rendering));
  else if (!failed && values.check) writeChanges(summary(plan, true, command));
  else if (!failed) writeNotes(1, summary(plan, false, command));
  return codeOf(values, rendering);
}

// Most packages are rendered by the generators alone. Everything else is loaded only if it is needed.
async function prepareOne(values: RenderFlags, pkg: Package): Promise<Rendering> {
  const validators = runsOthers(pkg) ? (await import("../../../functions/validators.ts")).validators : [];
  const renameFrom = values["rename-from"];
  if (renameFrom === undefined) return prepare(values, pkg, (options) => planRender(pkg, { ...options, validators }));
  const { planRenamed } = await import("../package/rename.ts");
  return prepare(values, pkg, (options) => planRenamed(pkg, renameFrom, { ...options, validators }));
}

function runsOthers({ files }: Package): boolean {
  return files
    .flatMap(({ items }) => items)
    .filter(({ path }) => path === "Kptfile")
    .some((kptfile) => readPipeline(kptfile).steps.some(({ fn }) => !generators.some(({ name }) => name === fn.name)));
}

// A tool that prunes would read an empty output as a request to delete everything.
function printManifests(stream: string): void {
  if (stream === "")
    throw new UsageError(
      "the package contains no manifests for a cluster; --stdout prints no empty output, because a tool that applies it would delete everything",
    );
  writeContent(stream.endsWith("\n") ? stream : `${stream}\n`);
}

/** Readers who count more requests than identities learn here why. A run that changes nothing does not repeat it. */
function excludedLine(findings: readonly Finding[]): string[] {
  const { length } = findings.filter((finding) => finding.code in exclusionFields && !isPrinted(finding));
  if (length === 0) return [];
  const requests = length === 1 ? "1 request is" : `${length} requests are`;
  return [`${requests} excluded from this cluster: --verbose says which, and why.`];
}

function summary(plan: Plan, checked: boolean, command: string): string[] {
  const { changes } = plan;
  if (!checked || changes.length === 0) return writtenLines(plan);
  return [...changeLines(changes), `Not up to date: ${countFiles(changes.length)} would change. Run: ${command}`];
}

/** What a render wrote, as lines. */
export function writtenLines({ changes, findings }: Pick<Plan, "changes" | "findings">): string[] {
  if (changes.length === 0) return ["Up to date: no file changes."];
  const count = countFiles(changes.length);
  return [...changeLines(changes), ...excludedLine(findings), `${count} written. A second run changes nothing.`];
}
