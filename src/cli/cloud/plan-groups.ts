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
  /** Whether there are such names. */
  readonly hasBraces: boolean;
}

/** A plan with its lines, and with what is its cluster's own. */
interface Told extends PackagePlan {
  readonly lines: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  /** The lines with all these names in braces. */
  readonly general: readonly string[];
}

/** Groups plans, in the order of the first of each group. @param linesOf the lines of a plan. */
export function planGroups(plans: readonly PackagePlan[], linesOf: (plan: Plan) => readonly string[]): PlanGroup[] {
  const told = plans.map(({ directory, plan }): Told => {
    const [lines, names] = [linesOf(plan), ownNames(plan)];
    return { directory, plan, lines, names, general: lines.map(generalizer(names)) };
  });
  const groups = allByKey(told, ({ plan, general }) => JSON.stringify([plan.facts["cloud"], ...general]));
  return [...groups.values()].map((group) => {
    const lines = sharedLines(group);
    return { plans: group, lines, hasBraces: lines.some((line, index) => line !== group[0]?.lines[index]) };
  });
}

// What all packages of a group have, such as their region, needs no braces.
function sharedLines(group: readonly Told[]): readonly string[] {
  const [only, ...others] = group;
  if (only === undefined || others.length === 0) return only?.lines ?? [];
  const isShared = (name: string) => others.every(({ names }) => names.get(name) === only.names.get(name));
  const lines = group.map((one) =>
    one.lines.map(generalizer(new Map([...one.names].filter(([name]) => !isShared(name))))),
  );
  const [first = []] = lines;
  const isSame = lines.every((each) => each.every((line, index) => line === first[index]));
  return isSame ? first : only.general;
}

/** What is a cluster's own: its prefix, its account or project, its region, and the names that are computed from them. */
function ownNames({ prefix, facts: { cloud: _, ...facts }, ownNames: more = new Map() }: Plan): Map<string, string> {
  const own = Object.entries({ ...facts, prefix, ...Object.fromEntries(more) }).flatMap(
    ([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : []),
  );
  return new Map(own.sort(([a], [b]) => compareText(a, b)));
}
