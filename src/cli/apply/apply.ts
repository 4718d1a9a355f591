import { digestOfAll, isChange, type Plan, planApply } from "../../apply/plan.ts";
import { inParallel } from "../../apply/requests.ts";
import type { Target } from "../../apply/resource.ts";

import type { Outcome } from "../../apply/run.ts";
import { planJson } from "../../apply/show.ts";
import { hasError } from "../../core/finding.ts";
import { counted } from "../../core/plural.ts";
import type { ValueMap } from "../../core/resource.ts";
import { carryOut, Interruption, isComplete } from "../cloud/carry-out.ts";
import { accessOf, type Read, readJobs, readTargets } from "../cloud/each-target.ts";
import { expectPlans } from "../cloud/expected.ts";
import { asFinding, type Opened } from "../cloud/open-package.ts";
import { showPlans } from "../cloud/show-plan.ts";
import type { FlagsOf } from "../definition.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { shellWord } from "../terminal/arguments.ts";
import { failureJson, UsageError } from "../terminal/errors.ts";
import { beQuiet, write, writeFindings, writeJson, writeJsonLines, writeNotes } from "../terminal/output.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import type { applyCommand as definition } from "./definition.ts";
import { storeAssigned } from "./store-assigned.ts";

type Values = FlagsOf<typeof definition>;
type Planned = Extract<Read<Plan>, { value: Plan }>;

/**
 * `ccf apply DIR...`: exit code 0 if the cloud matches the packages, 2 with `--dry-run` if anything would change, 1 if
 * anything failed, was refused or could not be read.
 */
export async function apply(values: Values, directories: readonly string[]): Promise<number> {
  const { output, expect } = values;
  const isDry = values["dry-run"];
  if (output === "commands" && !isDry) throw new UsageError("-o commands prints a plan to read; use it with --dry-run");
  if (isDry && values.yes) throw new UsageError("--dry-run changes nothing; do not combine it with --yes");
  const reads = await planAll(values, directories);
  show(values, reads);
  const planned = reads.filter((read): read is Planned => "value" in read);
  const plans = planned.map(({ value }) => value);
  const unexpected = expect === undefined ? [] : expectPlans(expect, plans);
  writeFindings(unexpected);
  if (hasError(unexpected)) return 1;
  const isFailed = planned.length < reads.length;
  if (isDry) return isFailed || !plans.every((plan) => isComplete(plan, nothing)) ? 1 : plans.some(hasChanges) ? 2 : 0;
  if (plans.some(hasChanges) && !(await isConfirmed(values, planned))) return 1;
  const code = await carryOutAll(values, reads, planned);
  return isFailed ? 1 : code;
}

function show({ "dry-run": isDry, output, quiet, yes }: Values, reads: readonly Read<Plan>[]): void {
  // With --quiet --yes, standard output has only what a later command reads.
  if (!isDry && (output === "json" || (quiet && yes))) {
    for (const read of reads) if ("failure" in read && output !== "json") write(2, read.failure.lines);
    return;
  }
  showPlans(reads, output);
  const plans = reads.flatMap((read) => ("value" in read ? [read.value] : []));
  if (plans.length > 1 && output === "text") write(1, [`Digest of all ${plans.length} plans: ${digestOfAll(plans)}`]);
}

function planAll(values: Values, directories: readonly string[]): Promise<Read<Plan>[]> {
  const { prune, adopt, allow } = values;
  const how = { ...values, command: "apply", fetch: !values["no-fetch"], access: accessOf(values) };
  return readTargets(selectPackages(directories, values), how, ({ target }, state) => {
    checkAdopted(adopt, target);
    checkRemoved(values["remove-tag"], target);
    return planApply(target, state, { prune, adopt, allow });
  });
}

const nothing: Outcome = { done: [], failed: [], skipped: [], isStopped: false };

function hasChanges({ steps }: Plan): boolean {
  return steps.some(isChange);
}

async function carryOutAll(
  { jobs, output }: Values,
  reads: readonly Read<Plan>[],
  planned: readonly Planned[],
): Promise<number> {
  const stop = new Interruption();
  const pairs = await inParallel(planned, readJobs(jobs), async (read) => {
    const prefix = planned.length > 1 ? `${read.directory}: ` : "";
    return [read, await carryOut(read.opened, read.value, stop, prefix)] as const;
  });
  stop.end();
  const outcomes = new Map(pairs);
  if (output === "json") {
    writeReports(reads, outcomes);
    // What a render says would follow the JSON.
    beQuiet(true);
  }
  let code = 0;
  for (const [{ opened, value }, outcome] of pairs) {
    const isDone = isComplete(value, outcome);
    code = Math.max(code, isDone ? await stored(opened, output) : 1);
    if (isDone && output === "text") writeNotes(1, [doneLine(opened, value), ...nextSteps(opened)]);
  }
  return code;
}

async function stored(opened: Opened, output: string): Promise<number> {
  try {
    return await storeAssigned(opened, output);
  } catch (error) {
    throw asFinding(error);
  }
}

/** Asks before the first change. @throws UsageError if no user can answer. */
async function isConfirmed({ yes }: Values, planned: readonly Planned[]): Promise<boolean> {
  if (yes) return true;
  if (!canAsk()) throw new UsageError("nothing was changed: without a terminal, --yes is required");
  const changing = planned.filter(({ value }) => hasChanges(value));
  const count = changing.reduce((sum, { value }) => sum + value.steps.filter(isChange).length, 0);
  const [only, ...more] = changing;
  const where = more.length === 0 ? (only?.value.place ?? "") : counted(changing.length, "package");
  const question = `Apply ${counted(count, "change")} to ${where}? [y/N]`;
  return confirm(question, (answer) => /^y(es)?$/i.test(answer), "Nothing was changed.");
}

/** A name that no resource has would be a typing error that has no effect. */
function checkAdopted(adopt: readonly string[], { wanted }: Target): void {
  const unknown = adopt.find((name) => !wanted.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new UsageError(`--adopt ${unknown}: no resource of the package has this name. Nothing was changed`);
}

/** The next run would add the tag again. */
function checkRemoved(removed: readonly string[], { place, statesTag }: Target): void {
  const [first] = removed;
  if (first !== undefined && statesTag === undefined)
    throw new UsageError(`--remove-tag ${first}: not supported for ${place}. Nothing was changed`);
  const stated = removed.find((key) => statesTag?.(key));
  if (stated !== undefined)
    throw new UsageError(
      `--remove-tag ${stated}: the package still has this tag. Remove it from the ClusterIdentity, and render first. Nothing was changed`,
    );
}

function doneLine({ title }: Opened, { steps }: Plan): string {
  const held = steps.filter((step) => step.held).length;
  const rest = held === 0 ? "" : `, except for ${counted(held, "resource")} that only --prune removes`;
  return `${title}: the cloud matches the package${rest}.`;
}

function nextSteps({ target, directory }: Opened): readonly string[] {
  return target.next?.(shellWord(directory)) ?? [];
}

function writeReports(reads: readonly Read<Plan>[], outcomes: ReadonlyMap<Planned, Outcome>): void {
  const values = reads.map((read): ValueMap => {
    if (!("value" in read)) return { package: read.directory, ...failureJson(read.failure) };
    const { done, failed, skipped } = outcomes.get(read) ?? nothing;
    const outcome = {
      done: done.map(({ id }) => id),
      failed: failed.map(({ step, problem }) => ({ id: step.id, problem })),
      skipped: skipped.map(({ id }) => id),
    };
    return { package: read.directory, cluster: read.opened.title, ...planJson(read.value), outcome };
  });
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) writeJson(only);
  else writeJsonLines(values);
}
