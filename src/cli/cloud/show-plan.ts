import { asPlan, planCommands, planJson, planMarkdown, planText, type Telling } from "../../apply/show.ts";
import type { ValueMap } from "../../core/resource.ts";
import { summary } from "../fleet/each-package.ts";
import type { Selection } from "../fleet/select-packages.ts";
import { failureJson } from "../terminal/errors.ts";
import { failureLines, write, writeChanges, writeJson, writeJsonLines } from "../terminal/output.ts";
import type { PlannedRead, Read } from "./each-target.ts";
import { plansMarkdown } from "./plans-markdown.ts";

/**
 * Prints what was read and planned for packages, in one of the formats of the commands.
 *
 * @param isMany whether the command line selects packages: each is named by its directory.
 * @param more what JSON contains besides.
 * @param telling how people are told.
 */
export function showPlans(
  reads: readonly Read[],
  output: string,
  isMany: boolean,
  more: (read: Read) => ValueMap = () => ({}),
  telling: Telling = asPlan,
): void {
  if (output !== "json") {
    for (const read of reads) if ("failure" in read) writeFailure(read, isMany);
    const planned = reads.flatMap((read) => ("value" in read ? [read] : []));
    if (output === "markdown" && isMany) write(1, plansMarkdown(planned.map(planOf), telling));
    else for (const read of planned) showPlan(read, output, isMany, telling);
    return;
  }
  const values = reads.map((read): ValueMap => {
    const { directory } = read;
    if ("failure" in read) return { package: directory, ...failureJson(read.failure) };
    return { package: directory, cluster: read.opened.title, ...planJson(read.value), ...more(read) };
  });
  writeReports(values, isMany);
}

function planOf({ directory, value }: PlannedRead) {
  return { directory, plan: value };
}

function showPlan(
  { directory, opened, value: plan }: PlannedRead,
  output: string,
  isMany: boolean,
  telling: Telling,
): void {
  const title = isMany ? directory : opened.title;
  if (output === "text") writeChanges(planText(plan, title, telling));
  else if (output === "markdown") write(1, planMarkdown(plan, title, telling));
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
