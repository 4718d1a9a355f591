import type { FlagsOf } from "../definition.ts";
import { countFiles, fileChangeLines } from "../files/write-files.ts";
import { isFleet } from "../fleet/flags.ts";
import { readPackage } from "../package/package-files.ts";
import type { RenderPlan } from "../package/render-plan.ts";
import { finish, prepareOne, printManifests, renderCode, renderingJson, writtenLines } from "../package/rendering.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeChanges, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import type { renderCommand as definition } from "./definition.ts";

/** `ccf render DIR...`: exit code 0 for success, 2 with `--check` if a file would change, 1 for failure. */
export async function render(values: FlagsOf<typeof definition>, directories: readonly string[]): Promise<number> {
  if (values.stdout && (values.check || values.output === "json"))
    throw new UsageError("--stdout prints manifests; do not combine it with --check or -o json");
  if (isFleet(directories, values)) return (await import("./render-fleet.ts")).renderFleet(values, directories);
  const rendering = await prepareOne(values, readPackage(directories[0] ?? "."));
  if (values.stdout) return printManifests(rendering);
  const { plan, findings, failed, command } = rendering;
  writeFindings(findings);
  finish(values, rendering);
  if (values.output === "json") writeJson(renderingJson(rendering));
  else if (!failed && values.check) writeChanges(summary(plan, true, command));
  else if (!failed) writeNotes(1, summary(plan, false, command));
  return renderCode(values, rendering);
}

function summary(plan: RenderPlan, checked: boolean, command: string): string[] {
  const { changes } = plan;
  if (!checked || changes.length === 0) return writtenLines(plan);
  return [...fileChangeLines(changes), `Not up to date: ${countFiles(changes.length)} would change. Run: ${command}`];
}
