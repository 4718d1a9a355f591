import { digestOfAll } from "../../apply/approval.ts";
import { bodyLines, lastLine, planText, type Telling, titleLine } from "../../apply/show.ts";
import { type PackagePlan, type PlanGroup, planGroups } from "./plan-groups.ts";

/**
 * The plans of several packages for a terminal: plans that differ only in what is each cluster's own appear once, below the titles of
 * all of them.
 *
 * @param withDigest whether the digest that `--expect` takes is the end.
 */
export function plansText(plans: readonly PackagePlan[], telling: Telling, withDigest: boolean): string[] {
  const [only, ...others] = plans;
  if (only === undefined) return [];
  if (others.length === 0) return planText(only.plan, only.directory, telling, withDigest);
  const groups = planGroups(plans, (plan) => bodyLines(plan, telling));
  const digest = `Digest of all ${plans.length} plans: ${digestOfAll(plans.map(({ plan }) => plan))}`;
  return [...groups.flatMap((group) => groupText(group, telling)), ...(withDigest ? [digest] : [])];
}

function groupText({ plans, lines, hasBraces }: PlanGroup, telling: Telling): string[] {
  const [first] = plans;
  if (first === undefined) return [];
  const last = lastLine(first.plan, telling);
  const each = plans.length > 1 && last !== telling.nothing ? `${plans.length} packages, each: ` : "";
  return [
    ...plans.map(({ directory, plan }) => titleLine(plan, directory)),
    ...lines,
    ...(hasBraces ? ["  What is in braces is each cluster's own."] : []),
    ...(last === undefined ? [] : [`${each}${last}`]),
  ];
}
