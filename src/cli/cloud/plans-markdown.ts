import { planDigest } from "../../apply/approval.ts";
import { asPlan, mainCounts, planBlock, planDiff, planMarkdown, type Telling } from "../../apply/show.ts";
import { listed } from "../../core/words.ts";
import { code } from "../../diff/diff-text.ts";
import { type PackagePlan, type PlanGroup, planGroups } from "./plan-groups.ts";

/** How many packages a line names. */
const maxNamed = 5;

/**
 * The plans of several packages as Markdown, short enough for a pull request: plans that differ only in what is each cluster's own,
 * such as its prefix and its account, appear once. The plans of most packages come first.
 */
export function plansMarkdown(plans: readonly PackagePlan[], telling: Telling = asPlan): string[] {
  return planGroups(plans, (plan) => planDiff(plan, telling))
    .sort((a, b) => b.plans.length - a.plans.length)
    .flatMap((group, index) => [...(index === 0 ? [] : [""]), ...groupMarkdown(group, telling)]);
}

function groupMarkdown({ plans, lines }: PlanGroup, telling: Telling): string[] {
  const [first, ...others] = plans;
  if (first === undefined) return [];
  if (others.length === 0) return planMarkdown(first.plan, first.directory, telling);
  const names = listed(
    plans.map(({ directory }) => code(directory)),
    maxNamed,
  );
  return [
    `### ${plans.length} packages, each: ${mainCounts(first.plan, telling)}`,
    "",
    ...planBlock(lines),
    "",
    `<details><summary>${plans.length} packages</summary>`,
    "",
    ...plans.map(({ directory, plan }) => `- ${code(directory)}: ${plan.place}. Digest ${planDigest(plan)}`),
    "",
    "</details>",
    "",
    `${names}: what is in braces is each cluster's own.`,
  ];
}
