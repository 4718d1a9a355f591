import { validators } from "../../../functions/validators.ts";
import type { AssignedIds } from "../../apply/resource.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import { shellWord } from "../../core/shell.ts";
import { counted } from "../../core/words.ts";
import type { Opened } from "../cloud/open-package.ts";
import type { WriteTarget } from "../files/stage.ts";
import { planAndWrite, type WriteStep, writeProblems } from "../files/write-files.ts";
import { changesSince, editedPackage } from "../package/edited-package.ts";
import { readPackage } from "../package/package-files.ts";
import { idDocument, planIds } from "../package/plan-ids.ts";
import { planRender } from "../package/render-plan.ts";
import { writtenLines } from "../package/rendering.ts";
import { FindingsError } from "../terminal/errors.ts";
import { write, writeFindings, writeNotes } from "../terminal/output.ts";

/**
 * Stores the IDs that the cloud assigned in the package, together with what the render then changes, such as the Secrets.
 * Those of an export are printed, because they belong into its package.
 *
 * @returns the exit code
 * @throws FindingsError and others if nothing or not everything was written: the next run writes the rest.
 */
export async function storeAssigned(opened: Opened, output: string): Promise<0 | 1> {
  const { target, directory, isExport, isUnfinished } = opened;
  const assigned = await target.assigned?.();
  if (assigned === undefined || (assigned.isStored && !isUnfinished)) return 0;
  const { name, annotations, ids } = assigned;
  if (isExport) {
    if (output === "text") write(1, idDocument({ name, annotations }, ids).trimEnd().split("\n"));
    writeNotes(2, [
      `Store these ${counted(ids.size, "client ID")} in the package with "ccf set-identities DIR --from FILE", and render it.`,
    ]);
    return 0;
  }
  const writeTarget: WriteTarget = { directory, command: "apply" };
  const { lines, findings } = planAndWrite(writeTarget, () => planStore(writeTarget, opened, assigned));
  writeFindings(findings);
  writeNotes(1, lines);
  return 0;
}

interface Store {
  readonly steps: readonly WriteStep[];
  /** What was done, and what comes next. */
  readonly lines: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * The IDs come first. If the run is killed before everything is in place, the package contains what the rest is rendered
 * from, and the next run accepts it.
 */
function planStore(target: WriteTarget, { directory, inside }: Opened, { annotations, ids }: AssignedIds): Store {
  const pkg = readPackage(directory, inside);
  const given = { annotations, ids: Object.fromEntries(ids) };
  const stored = planIds(pkg, { file: undefined, read: () => given, allowed: new Set() });
  refuseErrors(stored.findings);
  const plan = planRender(editedPackage(pkg, stored.edits), { onlyOurs: false, validators });
  refuseErrors([...stored.findings, ...plan.findings]);
  const changes = changesSince(stored.edits, plan.changes);
  const findings = [...stored.findings, ...plan.findings, ...writeProblems(target, changes)];
  refuseErrors(findings);
  const isOfIds = (path: string) => stored.edits.some((edit) => edit.path === path);
  const steps = [
    { changes: changes.filter(({ path }) => isOfIds(path)) },
    { changes: changes.filter(({ path }) => !isOfIds(path)) },
  ];
  const next = `Next: commit the changes in ${shellWord(directory)}, and apply its manifests to the cluster.`;
  return { steps, findings, lines: [stored.said, ...writtenLines({ ...plan, changes }), next] };
}

function refuseErrors(findings: readonly Finding[]): void {
  if (hasError(findings)) throw new FindingsError(findings.filter(({ severity }) => severity !== "info"));
}
