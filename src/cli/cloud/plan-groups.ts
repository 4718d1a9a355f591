import type { Plan } from "../../apply/plan.ts";
import { allByKey } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import { generalizer } from "../../diff/fleet-differences.ts";

/** The plan of a package. */
export interface PackagePlan {
  /** As the command line names the package. */
  readonly directory: string;
  readonly plan: Plan;
}

/** Plans that differ only in what is each cluster's own, such as its prefix and its account. */
export interface PlanGroup {
  readonly plans: readonly PackagePlan[];
  /** Their lines, with the names of what is each cluster's own in braces. */
  readonly lines: readonly string[];
}

/** Groups plans, in the order of the first of each group. @param linesOf the lines of a plan. */
export function planGroups(plans: readonly PackagePlan[], linesOf: (plan: Plan) => readonly string[]): PlanGroup[] {
  const linesWith = (plan: Plan, names: ReadonlyMap<string, string>) => linesOf(plan).map(generalizer(names));
  const groups = allByKey(plans, ({ plan }) =>
    JSON.stringify([plan.facts["cloud"], ...linesWith(plan, ownNames(plan))]),
  );
  return [...groups.values()].map((group) => ({ plans: group, lines: sharedLines(group, linesOf, linesWith) }));
}

// What all packages of a group have, such as their region, needs no braces.
function sharedLines(
  group: readonly PackagePlan[],
  linesOf: (plan: Plan) => readonly string[],
  linesWith: (plan: Plan, names: ReadonlyMap<string, string>) => readonly string[],
): readonly string[] {
  const [only, ...others] = group;
  if (only === undefined || others.length === 0) return only === undefined ? [] : linesOf(only.plan);
  const all = group.map(({ plan }) => ownNames(plan));
  const isShared = (name: string) => all.every((names) => names.get(name) === all[0]?.get(name));
  const lines = group.map(({ plan }, index) =>
    linesWith(plan, new Map([...(all[index] ?? [])].filter(([name]) => !isShared(name)))),
  );
  const [first = []] = lines;
  const isSame = lines.every((each) => each.every((line, index) => line === first[index]));
  return isSame ? first : linesWith(only.plan, ownNames(only.plan));
}

/** What is a cluster's own: its prefix, its account or project, its region, and the names that are computed from them. */
function ownNames({ prefix, facts: { cloud: _, ...facts }, ownNames: more = new Map() }: Plan): Map<string, string> {
  const own = Object.entries({ ...facts, prefix, ...Object.fromEntries(more) }).flatMap(
    ([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : []),
  );
  return new Map(own.sort(([a], [b]) => compareText(a, b)));
}
