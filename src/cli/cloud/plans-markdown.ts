import { planDigest } from "../../apply/approval.ts";
import type { Plan } from "../../apply/plan.ts";
import { asPlan, planBlock, planDiff, planMarkdown, type Telling } from "../../apply/show.ts";
import { allByKey } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { code } from "../../diff/diff-text.ts";
import { generalizer } from "../../diff/fleet-differences.ts";

/** The plan of a package. */
export interface PackagePlan {
  /** As the command line names the package. */
  readonly directory: string;
  readonly plan: Plan;
}

/** How many packages a line names. */
const maxNamed = 5;

/**
 * The plans of several packages as Markdown, short enough for a pull request: plans that differ only in what is each cluster's own,
 * such as its prefix and its account, appear once. The plans of most packages come first.
 */
export function plansMarkdown(plans: readonly PackagePlan[], telling: Telling = asPlan): string[] {
  const groups = allByKey(plans, ({ plan }) =>
    JSON.stringify([plan.facts["cloud"], ...linesWith(plan, ownNames(plan), telling)]),
  );
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((group, index) => [...(index === 0 ? [] : [""]), ...groupMarkdown(group, telling)]);
}

function groupMarkdown(group: readonly PackagePlan[], telling: Telling): string[] {
  const [first, ...others] = group;
  if (first === undefined) return [];
  if (others.length === 0) return planMarkdown(first.plan, first.directory, telling);
  const names = listed(
    group.map(({ directory }) => code(directory)),
    maxNamed,
  );
  return [
    `### ${group.length} packages, each: ${telling.counts(first.plan)}`,
    "",
    ...planBlock(sharedLines(group, telling)),
    "",
    `<details><summary>${group.length} packages</summary>`,
    "",
    ...group.map(({ directory, plan }) => `- ${code(directory)}: ${plan.place}. Digest ${planDigest(plan)}`),
    "",
    "</details>",
    "",
    `${names}: what is in braces is each cluster's own.`,
  ];
}

// What all packages of a group have, such as their region, needs no braces.
function sharedLines(group: readonly PackagePlan[], telling: Telling): string[] {
  const all = group.map(({ plan }) => ownNames(plan));
  const isShared = (name: string) => all.every((names) => names.get(name) === all[0]?.get(name));
  const lines = group.map(({ plan }, index) =>
    linesWith(plan, new Map([...(all[index] ?? [])].filter(([name]) => !isShared(name))), telling),
  );
  const [first = []] = lines;
  const isSame = lines.every((each) => each.every((line, index) => line === first[index]));
  return isSame || group[0] === undefined ? first : linesWith(group[0].plan, ownNames(group[0].plan), telling);
}

function linesWith(plan: Plan, names: ReadonlyMap<string, string>, telling: Telling): string[] {
  return planDiff(plan, telling).map(generalizer(names));
}

/** What is a cluster's own: its prefix, its account or project, its region, and the names that are computed from them. */
function ownNames({ prefix, facts: { cloud: _, ...facts }, ownNames: more = new Map() }: Plan): Map<string, string> {
  const own = Object.entries({ ...facts, prefix, ...Object.fromEntries(more) }).flatMap(
    ([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : []),
  );
  return new Map(own.sort(([a], [b]) => compareText(a, b)));
}
