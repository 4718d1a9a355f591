import { asPlan, planCommands, planJson, planMarkdown, planText, type Telling } from "../../apply/show.ts";
import type { ValueMap } from "../../core/resource.ts";
import { summary } from "../fleet/each-package.ts";
import type { Selection } from "../fleet/select-packages.ts";
import { failureJson } from "../terminal/errors.ts";
import { failureLines, write, writeChanges, writeJson, writeJsonLines } from "../terminal/output.ts";
import type { PlannedRead, Read } from "./each-target.ts";
import type { PackagePlan } from "./plan-groups.ts";
import { plansMarkdown } from "./plans-markdown.ts";
import { plansText } from "./plans-text.ts";

/** How plans are printed. */
export interface PlanOutput {
  readonly output: string;
  /** Whether the command line selects packages: each is named by its directory. */
  readonly isMany: boolean;
  /** What JSON contains besides. */
  readonly more?: (read: Read) => ValueMap;
  /** How people are told. */
  readonly telling?: Telling;
  /** Whether text has the digest that `--expect` takes. */
  readonly withDigest?: boolean;
}

/** Prints what was read and planned for packages, in one of the formats of the commands. */
export function showPlans(reads: readonly Read[], how: PlanOutput): void {
  const { output, isMany, more = () => ({}), telling = asPlan, withDigest = false } = how;
  if (output !== "json") {
    for (const read of reads) if ("failure" in read) writeFailure(read, isMany);
    const planned = reads.flatMap((read) => ("value" in read ? [read] : []));
    if (output === "text" && isMany) writeChanges(plansText(planned.map(planOf), telling, withDigest));
    else if (output === "markdown" && isMany) write(1, plansMarkdown(planned.map(planOf), telling));
    else for (const read of planned) showPlan(read, how);
    return;
  }
  const values = reads.map((read): ValueMap => {
    const { directory } = read;
    if ("failure" in read) return { package: directory, ...failureJson(read.failure) };
    return { package: directory, cluster: read.opened.title, ...planJson(read.value), ...more(read) };
  });
  writeReports(values, isMany);
}

function planOf({ directory, value }: PlannedRead): PackagePlan {
  return { directory, plan: value };
}

function showPlan(
  { directory, opened, value: plan }: PlannedRead,
  { output, isMany, telling = asPlan, withDigest = false }: PlanOutput,
): void {
  if (output === "text") writeChanges(planText(plan, opened.title, telling, withDigest));
  else if (output === "markdown") write(1, planMarkdown(plan, opened.title, telling));
  else write(1, [...(isMany ? [`# ${directory}`] : []), ...planCommands(opened.target, plan)]);
}

/** Prints why a package could not be read or planned. */
export function writeFailure({ directory, failure }: Extract<Read, { failure: object }>, isMany: boolean): void {
  write(2, [...(isMany ? [`${directory}:`] : []), ...failureLines(failure)]);
}

/** Prints an object for each package: for several, each on one line. */
export function writeReports(values: readonly ValueMap[], isMany: boolean): void {
  const [only] = values;
  if (only !== undefined && !isMany) writeJson(only);
  else writeJsonLines(values);
}

/** Prints how many packages have each state, as the last line. */
export function writeCounts(
  selection: Selection,
  output: string,
  states: readonly string[],
  found: readonly string[],
): void {
  const counts = new Map<string, number>();
  for (const state of found) counts.set(state, (counts.get(state) ?? 0) + 1);
  write(output === "text" ? 1 : 2, [summary(selection, states, counts)]);
}
