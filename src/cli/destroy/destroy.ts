import { namingProblem } from "../../apply/named.ts";
import { isChange, type Plan } from "../../apply/plan.ts";
import { isLeft, planDestroy } from "../../apply/plan-destroy.ts";
import { counted } from "../../core/words.ts";
import { carryOut, nothing, outcomeJson, Running } from "../cloud/carry-out.ts";
import { accessOf, type PlannedRead, readTargets } from "../cloud/each-target.ts";
import { planOfPrevious } from "../cloud/hosted-documents.ts";
import { showPlans } from "../cloud/show-plan.ts";
import type { FlagsOf } from "../definition.ts";
import { onePackage } from "../fleet/flags.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeJson, writeNotes } from "../terminal/output.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import type { destroyCommand as definition } from "./definition.ts";

type Values = FlagsOf<typeof definition>;

/**
 * `ccf destroy DIR`: exit code 0 if everything that the package created is gone, 2 with `--dry-run` if something would be
 * removed, 1 if anything failed or was not removed. What stays by design, and what is not the package's, does not count.
 */
export async function destroy(values: Values, directory = "."): Promise<number> {
  const { output, yes, quiet } = values;
  const isDry = values["dry-run"];
  if (output === "commands" && !isDry) throw new UsageError("-o commands prints a plan to read; use it with --dry-run");
  const how = {
    command: "destroy",
    jobs: "1",
    quiet,
    fetch: !values["no-fetch"],
    access: accessOf(values),
    skips: false,
  };
  const { reads } = await readTargets(selectPackages([directory], onePackage), how, ({ target }, state) =>
    values.previous
      ? planOfPrevious(target, state, how.fetch, values["include-foreign"])
      : planDestroy(target, state, values["include-foreign"]),
  );
  const [read] = reads;
  if (read === undefined) throw new Error("no package was selected");
  if (isDry || output !== "json" || "failure" in read) showPlans([read], { output, isMany: false });
  if ("failure" in read) return 1;
  const { value: plan } = read;
  checkIncluded(values["include-foreign"], plan);
  const isUnknown = plan.steps.some(({ action }) => action === "unknown");
  if (isDry || isUnknown) {
    if (isUnknown && !isDry) write(2, ["error: nothing was removed, because something could not be read."]);
    return isUnknown ? 1 : plan.steps.some(isChange) ? 2 : 0;
  }
  if (plan.steps.some(isChange) && !(await isConfirmed(yes, read))) return 1;
  return remove(read, values);
}

/** A name of nothing would be a typing error that has no effect. */
function checkIncluded(included: readonly string[], { steps }: Plan): void {
  const foreign = steps.flatMap(({ inside = [] }) => inside.filter(({ isForeign }) => isForeign));
  const problem = namingProblem("--include-foreign", included, [foreign], "foreign part of the package's resources");
  if (problem !== undefined) throw new UsageError(`${problem}. Nothing was removed`);
}

async function remove(read: PlannedRead, values: Values): Promise<number> {
  const { output } = values;
  const { opened, value: plan } = read;
  const hasWork = plan.steps.some(isChange);
  const running = new Running([plan], values);
  const outcome = hasWork ? await carryOut(opened, plan, running, "") : nothing;
  running.end();
  const isDone = outcome.failed.length === 0 && outcome.skipped.length === 0;
  const left = plan.steps.filter((step) => isLeft(opened.target, step)).length;
  if (output === "json") writeJson(outcomeJson(read, outcome));
  else if (isDone && hasWork) writeNotes(1, [doneLine(opened.title, plan)]);
  else if (isDone && left === 0) writeNotes(1, ["Nothing to remove."]);
  const what = `${counted(left, "resource")} of the package ${left === 1 ? "stays, or is" : "stay, or are"} not known`;
  if (left > 0) write(2, [`error: ${opened.title}: ${what}. The plan gives the reasons.`]);
  return isDone && left === 0 ? 0 : 1;
}

function doneLine(title: string, { steps }: Plan): string {
  const kept = steps.filter(({ action }) => action === "keep").length;
  const rest = kept === 0 ? "" : `, except for ${counted(kept, "resource")} that ${kept === 1 ? "stays" : "stay"}`;
  return `${title}: what the package created is removed${rest}.`;
}

async function isConfirmed(yes: string | undefined, { opened, value }: PlannedRead): Promise<boolean> {
  const { title } = opened;
  if (yes !== undefined) {
    if (yes === title) return true;
    throw new UsageError(`--yes must be the name of the cluster, ${title}. Nothing was removed`);
  }
  if (!canAsk()) throw new UsageError(`nothing was removed: without a terminal, --yes ${title} is required`);
  const question = `Remove this from ${value.place}? Enter the name of the cluster, ${title}`;
  return confirm(question, (answer) => answer === title, "Nothing was removed.");
}
