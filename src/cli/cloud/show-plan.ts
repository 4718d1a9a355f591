import type { Plan } from "../../apply/plan.ts";
import { planCommands, planJson, planMarkdown, planText } from "../../apply/show.ts";
import type { ValueMap } from "../../core/resource.ts";
import { failureJson } from "../terminal/errors.ts";
import { write, writeChanges, writeJson, writeJsonLines } from "../terminal/output.ts";
import type { Read } from "./each-target.ts";

/** Prints what was read and planned for packages, in one of the formats of the commands. */
export function showPlans(
  reads: readonly Read<Plan>[],
  output: string,
  more: (read: Read<Plan>) => ValueMap = () => ({}),
): void {
  for (const read of reads) {
    if ("failure" in read && output !== "json")
      write(2, reads.length > 1 ? [`${read.directory}:`, ...read.failure.lines] : read.failure.lines);
    if (!("value" in read) || output === "json") continue;
    const { opened, value: plan } = read;
    if (output === "text") writeChanges(planText(plan, opened.title));
    else write(1, output === "markdown" ? planMarkdown(plan, opened.title) : planCommands(opened.target, plan));
  }
  if (output !== "json") return;
  const values = reads.map((read): ValueMap => {
    const { directory } = read;
    if ("failure" in read) return { package: directory, ...failureJson(read.failure) };
    return { package: directory, cluster: read.opened.title, ...planJson(read.value), ...more(read) };
  });
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) writeJson(only);
  else writeJsonLines(values);
}
