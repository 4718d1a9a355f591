import { namingProblem } from "../../apply/named.ts";
import { adoptable, isChange, type Plan, planApply } from "../../apply/plan.ts";
import { inParallel } from "../../apply/requests.ts";
import type { Target } from "../../apply/resource.ts";
import type { Outcome } from "../../apply/run.ts";
import { hasError } from "../../core/finding.ts";
import { shellWord } from "../../core/shell.ts";
import { counted } from "../../core/words.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { carryOut, isComplete, nothing, outcomeJson, Running } from "../cloud/carry-out.ts";
import { accessOf, type PlannedRead, type Read, type Reads, readJobs, readTargets } from "../cloud/each-target.ts";
import { expectFacts, expectPlans } from "../cloud/expected.ts";
import { asFinding, type Opened } from "../cloud/open-package.ts";
import { showPlans, writeCounts, writeFailure, writeReports } from "../cloud/show-plan.ts";
import type { FlagsOf } from "../definition.ts";
import { failed, showUnchecked } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { type Selection, selectPackages } from "../fleet/select-packages.ts";
import { failureOf, UsageError } from "../terminal/errors.ts";
import { beQuiet, failureLines, write, writeFindings, writeNotes } from "../terminal/output.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import type { applyCommand as definition } from "./definition.ts";
import { storeAssigned } from "./store-assigned.ts";

type Values = FlagsOf<typeof definition>;

/**
 * `ccf apply DIR...`: exit code 0 if the cloud matches the packages, 2 with `--dry-run` if anything would change, 1 if
 * anything failed, was refused or could not be read.
 */
export async function apply(values: Values, directories: readonly string[]): Promise<number> {
  const { output, expect } = values;
  const isDry = values["dry-run"];
  if (output === "commands" && !isDry) throw new UsageError("-o commands prints a plan to read; use it with --dry-run");
  if (isDry && values.yes) throw new UsageError("--dry-run changes nothing; do not combine it with --yes");
  const selection = selectPackages(directories, values);
  const isMany = isFleet(directories, values);
  const { reads, skipped } = await planAll(values, selection, isMany);
  checkAdopted(values.adopt, reads);
  if (isMany) showUnchecked(selection, values);
  writeNotes(2, skipped.map(skippedLine));
  show(values, reads, isMany);
  const planned = reads.filter((read): read is PlannedRead => "value" in read);
  const plans = planned.map(({ value }) => value);
  const unexpected = expect === undefined ? [] : expectPlans(expect, plans);
  writeFindings(unexpected);
  if (hasError(unexpected)) return 1;
  if (!isDry && plans.some(hasChanges) && !(await isConfirmed(values, planned))) return 1;
  const states = isDry ? reads.map(dryState) : await carryOutAll(values, reads, planned, isMany);
  if (isMany)
    writeCounts(
      selection,
      output,
      ["in sync", "would change", "applied", skippedState],
      [...states, ...skipped.map(() => skippedState)],
    );
  if (!isDry) writeHeld(values, planned);
  if (states.includes(failed) || hasError(selection.uncheckedFindings)) return 1;
  return states.includes("would change") ? 2 : 0;
}

/** What the last line about several packages, and the exit code, say of a package. */
type PackageState = "in sync" | "would change" | "applied" | typeof failed;

/** What the last line says of a package that another program applies. */
const skippedState = "skipped";

function skippedLine(directory: string): string {
  return `${directory}: skipped, because "spec.applier" is "Terraform".`;
}

function dryState(read: Read): PackageState {
  if (!("value" in read) || !isComplete(read.value, nothing)) return failed;
  return hasChanges(read.value) ? "would change" : "in sync";
}

function show({ "dry-run": isDry, output, quiet, yes, expect }: Values, reads: readonly Read[], isMany: boolean): void {
  // With --quiet --yes, standard output has only what a later command reads.
  if (!isDry && (output === "json" || (quiet && yes))) {
    for (const read of reads) if ("failure" in read && output !== "json") writeFailure(read, isMany);
    return;
  }
  showPlans(reads, { output, isMany, withDigest: isDry || expect !== undefined });
}

function planAll(values: Values, selection: Selection, isMany: boolean): Promise<Reads> {
  const { prune, adopt, allow } = values;
  const how = { ...values, command: "apply", fetch: !values["no-fetch"], access: accessOf(values), skips: isMany };
  const before = (opened: Opened) => expectFacts(values["expect-facts"], opened);
  return readTargets(
    selection,
    how,
    ({ target }, state) => {
      checkRemoved(values["remove-tag"], target);
      return planApply(target, state, { prune, adopt, allow });
    },
    { before, after: () => undefined },
  );
}

function hasChanges({ steps }: Plan): boolean {
  return steps.some(isChange);
}

async function carryOutAll(
  { jobs, output, quiet, verbose }: Values,
  reads: readonly Read[],
  planned: readonly PlannedRead[],
  isMany: boolean,
): Promise<PackageState[]> {
  const running = new Running(
    planned.map(({ value }) => value),
    { quiet, verbose },
  );
  const pairs = await inParallel(planned, readJobs(jobs), async (read) => {
    const prefix = isMany ? `${read.directory}: ` : "";
    return [read, await carryOut(read.opened, read.value, running, prefix)] as const;
  });
  running.end();
  const outcomes = new Map(pairs);
  if (output === "json") {
    writeReports(
      reads.map((read) => outcomeJson(read, "value" in read ? outcomes.get(read) : undefined)),
      isMany,
    );
    // What a render says would follow the JSON.
    beQuiet(true);
  }
  const states: PackageState[] = [];
  for (const read of reads) {
    const outcome = "value" in read ? outcomes.get(read) : undefined;
    states.push("value" in read && outcome !== undefined ? await finish(read, outcome, output, isMany) : failed);
  }
  return states;
}

/** Stores what the cloud assigned, and says what was done. */
async function finish(read: PlannedRead, outcome: Outcome, output: string, isMany: boolean): Promise<PackageState> {
  const { opened, value, directory } = read;
  const name = isMany ? directory : opened.title;
  if (!isComplete(value, outcome)) {
    const left = value.steps.filter(({ action }) => action === "refuse" || action === "unknown").length;
    const what = `${counted(left, "resource")} ${left === 1 ? "was" : "were"} refused or could not be read`;
    if (left > 0)
      write(2, [
        `error: ${name}: ${what}. The plan gives the reasons. The command did not change ${left === 1 ? "it" : "them"}.`,
      ]);
    return failed;
  }
  const code = await stored(opened, output, isMany);
  if (output === "text") writeNotes(1, [doneLine(name, value), ...nextSteps(opened)]);
  if (code !== 0) return failed;
  return hasChanges(value) ? "applied" : "in sync";
}

// The other packages go on, and what was done is still said.
async function stored(opened: Opened, output: string, isMany: boolean): Promise<0 | 1> {
  try {
    return await storeAssigned(opened, output);
  } catch (problem) {
    const error = asFinding(problem);
    // Whatever else is wrong was found before the first write.
    const what = isSystemError(error)
      ? "files of the package may lack client IDs"
      : "this run did not store the client IDs in the package";
    write(2, [
      ...(isMany ? [`${opened.directory}:`] : []),
      ...failureLines(failureOf(error, "ccf apply --help")),
      `error: ${isMany ? opened.directory : opened.title}: ${what}. Fix the cause, and run the same command again. It reads the IDs from the cloud, and writes what is missing.`,
    ]);
    return 1;
  }
}

/** Asks before the first change. @throws UsageError if no user can answer. */
async function isConfirmed({ yes }: Values, planned: readonly PlannedRead[]): Promise<boolean> {
  if (yes) return true;
  if (!canAsk()) throw new UsageError("nothing was changed: without a terminal, --yes is required");
  const changing = planned.filter(({ value }) => hasChanges(value));
  const count = changing.reduce((sum, { value }) => sum + value.steps.filter(isChange).length, 0);
  const [only, ...more] = changing;
  const where = more.length === 0 ? (only?.value.place ?? "") : counted(changing.length, "package");
  const question = `Apply ${counted(count, "change")} to ${where}? [y/N]`;
  return confirm(question, (answer) => /^y(es)?$/i.test(answer), "Nothing was changed.");
}

/** A value that names nothing would be a typing error that has no effect, and one that names too much would adopt all of it. */
function checkAdopted(adopt: readonly string[], reads: readonly Read[]): void {
  const packages = reads.flatMap(({ opened }) => (opened === undefined ? [] : [adoptable(opened.target.wanted)]));
  if (packages.length === 0) return;
  // What a package wants is not known if it could not be opened.
  const all = reads.length === 1 ? "the package" : "these packages";
  const what = packages.length === reads.length ? all : "the packages that could be opened";
  const problem = namingProblem("--adopt", adopt, packages, `resource of ${what} that can be adopted by itself`);
  if (problem !== undefined) throw new UsageError(`${problem}. Nothing was changed`);
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

/** What stays is granted, so the last line says it. */
function writeHeld({ output, quiet }: Values, planned: readonly PlannedRead[]): void {
  const keeping = planned.filter(({ value }) => value.steps.some(({ held }) => held));
  const count = keeping.reduce((sum, { value }) => sum + value.steps.filter(({ held }) => held).length, 0);
  if (count === 0) return;
  const names = keeping.map(({ directory }) => shellWord(directory));
  const shown = names.length > maxNamed ? `${names.slice(0, maxNamed).join(" ")} ...` : names.join(" ");
  const what = `${counted(count, "resource")} that the ${keeping.length === 1 ? "package does" : "packages do"} not have`;
  write(output === "text" && !quiet ? 1 : 2, [
    `${what} ${count === 1 ? "stays" : "stay"} in the cloud. To remove ${count === 1 ? "it" : "them"}, review: ccf apply --dry-run --prune ${shown}`,
  ]);
}

/** How many packages a command in a message names. */
const maxNamed = 5;

function doneLine(title: string, { steps }: Plan): string {
  const held = steps.filter((step) => step.held).length;
  const kept = steps.filter(({ action }) => action === "keep").length;
  const rest = [
    ...(held === 0 ? [] : [`${counted(held, "resource")} that only --prune removes`]),
    ...(kept === 0 ? [] : [`${counted(kept, "difference")} that ccf apply does not change`]),
  ];
  return `${title}: the cloud matches the package${rest.length === 0 ? "" : `, except for ${rest.join(" and ")}`}.`;
}

function nextSteps({ target, directory }: Opened): readonly string[] {
  return target.next?.(shellWord(directory)) ?? [];
}
