import type { Difference } from "../core/difference.ts";
import { canonicalJson } from "../core/json.ts";
import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { counted } from "../core/words.ts";
import { optionsValue, planDigest, stepValues } from "./approval.ts";
import { isChange, type Plan, type Step } from "./plan.ts";
import type { Target } from "./resource.ts";

const signs = {
  create: "+",
  update: "~",
  adopt: "~",
  restore: "+",
  remove: "-",
  refuse: "!",
  unknown: "?",
  keep: "=",
  none: "=",
} as const;

/** How the steps of a plan are told. */
export interface Telling {
  /** The lines about a step, the first of which names its resource; none if it is in sync. */
  step(step: Step): string[];
  /** How many steps there are of each sort. */
  counts(plan: Pick<Plan, "steps">): string;
  /** What begins a line that Markdown colors, with its sign. */
  readonly colored: RegExp;
}

/** How many steps of each sort a plan has; those that only `--prune` carries out are held. */
function countSteps({ steps }: Pick<Plan, "steps">) {
  const count = (is: (step: Step) => boolean) => steps.filter(is).length;
  return {
    create: count(({ action }) => action === "create" || action === "restore"),
    update: count(({ action }) => action === "update" || action === "adopt"),
    remove: count((step) => step.action === "remove" && isChange(step)),
    held: count((step) => step.held === true),
    refused: count(({ action }) => action === "refuse"),
    unknown: count(({ action }) => action === "unknown"),
    inSync: count(({ action }) => action === "none"),
  };
}

/** A plan for people, one line for each resource that is not in sync and one for each field. */
export function planText(plan: Plan, title: string, telling = asPlan): string[] {
  const counts = countSteps(plan);
  const same = counts.inSync === 0 ? [] : [`  = ${counts.inSync} in sync`];
  const notes = plan.notes.map((note) => `  note: ${note}`);
  const steps = plan.steps.filter(({ blocked }) => !blocked);
  // The reason is the same for each of them.
  const more = (["refuse", "unknown"] as const).flatMap((action) => {
    const count = plan.steps.filter((step) => step.blocked && step.action === action).length;
    const which = `${counted(count, "resource")} that ${count === 1 ? "needs" : "need"} one of these`;
    return count === 0 ? [] : [`  ${signs[action]} and ${which}`];
  });
  return [
    `${title}  ${plan.place}`,
    ...steps.flatMap(telling.step),
    ...more,
    ...same,
    ...notes,
    summary(plan, telling),
  ];
}

/** The last line of a plan. */
function summary(plan: Plan, telling: Telling): string {
  const { held, refused, unknown } = countSteps(plan);
  const parts = [
    telling.counts(plan),
    ...(held === 0 ? [] : [`${held} to remove only with --prune`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(unknown === 0 ? [] : [`${unknown} not known`]),
  ];
  return `${parts.join(", ")}. Digest ${planDigest(plan)}`;
}

function stepLines(step: Step): string[] {
  if (step.action === "none") return [];
  const why = step.reason === undefined ? "" : `: ${step.reason}`;
  const only = step.held ? " (only with --prune)" : step.action === "adopt" ? " (adopted)" : "";
  // What another program added is a difference, although nothing is done with it.
  const sign = step.extra?.kept === undefined ? signs[step.action] : "!";
  const head = `  ${sign} ${step.kind} ${step.name}${only}${why}`;
  if (step.action === "create") return [head];
  const inside = (step.inside ?? []).map((one) => `contains ${one.kind} ${one.name}`);
  return [head, ...[...step.changes.flatMap(changeLines), ...inside].map((line) => `      ${line}`)];
}

/** A difference for people: lists by what is added and removed, everything else as the old and the new value. */
function changeLines({ field, found, wanted }: Difference): string[] {
  if (Array.isArray(found) && Array.isArray(wanted)) {
    const [old, now] = [found.map(shown), wanted.map(shown)];
    const lines = [
      ...now.filter((one) => !old.includes(one)).map((one) => `${field}  + ${one}`),
      ...old.filter((one) => !now.includes(one)).map((one) => `${field}  - ${one}`),
    ];
    if (lines.length > 0) return lines;
  }
  return [
    `${field}  ${found === undefined ? "(none)" : shown(found)} -> ${wanted === undefined ? "(none)" : shown(wanted)}`,
  ];
}

/** A value of a field for people. */
export function shown(value: Value): string {
  return typeof value === "string" ? (/^[^\s"]+$/.test(value) ? value : JSON.stringify(value)) : canonicalJson(value);
}

/** A plan as Markdown, for a pull request. */
export function planMarkdown(plan: Plan, title: string, telling = asPlan): string[] {
  const block = planBlock(planDiff(plan, telling));
  return [`### ${title}: ${telling.counts(plan)}`, "", plan.place, "", ...block, "", summary(plan, telling)];
}

/** How much a plan changes. */
function mainCounts(plan: Pick<Plan, "steps">): string {
  const { create, update, remove } = countSteps(plan);
  return `${create} to create, ${update} to update, ${remove} to remove`;
}

/** How `ccf apply` and `ccf destroy` tell a plan: what they do. */
export const asPlan: Telling = { step: stepLines, counts: mainCounts, colored: /^ {2}([+~-]) / };

/** The lines of a plan with the signs that Markdown colors. */
export function planDiff(plan: Plan, telling = asPlan): string[] {
  const body = planText(plan, "", telling).slice(1, -1);
  return body.map((line) => line.replace(telling.colored, (_, sign) => `${sign === "~" ? "!" : sign} `));
}

/** Lines as a block of Markdown. */
export function planBlock(lines: readonly string[]): string[] {
  const fence = lines.some((line) => line.includes("```")) ? "~~~~" : "```";
  return [`${fence}diff`, ...lines, fence];
}

/** A plan for programs: see schemas/plan.schema.json. */
export function planJson(plan: Plan): ValueMap {
  const { place, facts, prefix, options, notes } = plan;
  const { inSync } = countSteps(plan);
  const steps = stepValues(plan);
  return {
    place,
    facts,
    prefix,
    options: optionsValue(options),
    steps,
    inSync,
    notes: [...notes],
    digest: planDigest(plan),
  };
}

/** A plan as commands or requests of the cloud, to read, one line each. What the cloud will assign is described. */
export function planCommands({ kinds }: Pick<Target, "kinds">, { steps }: Plan): string[] {
  return steps.filter(isChange).flatMap((step) => {
    const action = step.action === "create" || step.action === "remove" ? step.action : "update";
    return kinds[step.kind]?.command(action, step.wanted, step.live) ?? [];
  });
}

/** The fields of a body, flat: objects by dotted names, lists as a whole. */
export function flatten(value: Value | undefined, path = ""): Map<string, Value> {
  if (value === undefined || value === null) return new Map();
  if (!isMap(value)) return new Map([[path, value]]);
  const entries = Object.entries(value).flatMap(([key, child]) => [
    ...flatten(child, path === "" ? key : `${path}.${key}`),
  ]);
  return new Map(entries);
}
