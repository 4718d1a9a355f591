import type { Difference } from "../core/difference.ts";
import { canonicalJson } from "../core/json.ts";
import { allByKey, isMap, type Value, type ValueMap } from "../core/resource.ts";
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

/** How many steps are of a sort, and the words for it. */
export type Count = readonly [count: number, words: string];

/** How the steps of a plan are told. */
export interface Telling {
  /** The lines about a step; none if it is in sync. @param called what the first one calls its resource. */
  step(step: Step, called: string): string[];
  /** How many steps there are of the main sorts. */
  counts(plan: Pick<Plan, "steps">): readonly Count[];
  /** How many there are of the others that only this telling has. */
  rest(plan: Pick<Plan, "steps">): readonly Count[];
  /** The last line of a plan that has nothing to tell, if it needs one. */
  readonly nothing?: string;
  /** What begins a line that Markdown colors, with its sign. */
  readonly colored: RegExp;
  /** How many steps of a sort are shown, and what shows all of them. Not all sorts are cut. */
  readonly limit?: { readonly max: number; readonly all: string; sortOf(step: Step): string | undefined };
}

/** How many steps of each sort a plan has; those that only `--prune` carries out are held. */
function countSteps({ steps }: Pick<Plan, "steps">) {
  const count = (is: (step: Step) => boolean) => steps.filter(is).length;
  return {
    create: count(({ action }) => action === "create" || action === "restore"),
    update: count(({ action }) => action === "update" || action === "adopt"),
    remove: count((step) => step.action === "remove" && isChange(step)),
    held: count((step) => step.held === true),
    kept: count(({ action }) => action === "keep"),
    refused: count(({ action }) => action === "refuse"),
    unknown: count(({ action }) => action === "unknown"),
    inSync: count(({ action }) => action === "none"),
  };
}

/**
 * A plan for people, one line for each resource that is not in sync and one for each field. What is created with the resource that it
 * is part of is in the line of that one.
 *
 * @param withDigest whether the last line has the digest that `--expect` takes.
 */
export function planText(plan: Plan, title: string, telling = asPlan, withDigest = false): string[] {
  const last = lastLine(plan, telling);
  const digest = withDigest ? [`Digest ${planDigest(plan)}`] : [];
  const end = [...(last === undefined ? [] : [last]), ...digest].join(" ");
  return [titleLine(plan, title), ...bodyLines(plan, telling), ...(end === "" ? [] : [end])];
}

/** The first line of a plan. */
export function titleLine({ place }: Pick<Plan, "place">, title: string): string {
  return `${title}  ${place}`;
}

/** The lines of a plan between its first and its last one. */
export function bodyLines(plan: Plan, telling = asPlan): string[] {
  const counts = countSteps(plan);
  const same = counts.inSync === 0 ? [] : [`  = ${counts.inSync} in sync`];
  const notes = plan.notes.map((note) => `  note: ${note}`);
  // The reason is the same for each of them.
  const more = (["refuse", "unknown"] as const).flatMap((action) => {
    const count = plan.steps.filter((step) => step.blocked && step.action === action).length;
    const which = `${counted(count, "resource")} that ${count === 1 ? "needs" : "need"} one of these`;
    return count === 0 ? [] : [`  ${signs[action]} and ${which}`];
  });
  return [...shownLines(plan, telling), ...more, ...same, ...notes];
}

/** The last line of a plan: how many steps of each sort it has. */
export function lastLine(plan: Plan, telling = asPlan): string | undefined {
  const counts = [...telling.counts(plan), ...restOf(plan, telling)].filter(([count]) => count > 0);
  return counts.length === 0 ? telling.nothing : `${inWords(counts)}.`;
}

function restOf(plan: Plan, telling: Telling): Count[] {
  const { refused, unknown } = countSteps(plan);
  const all: readonly Count[] = [...telling.rest(plan), [refused, "refused"], [unknown, "not known"]];
  return all.filter(([count]) => count > 0);
}

function inWords(counts: readonly Count[]): string {
  return counts.map(([count, words]) => `${count} ${words}`).join(", ");
}

interface ToldStep {
  readonly step: Step;
  readonly called: string;
}

function shownLines({ steps }: Plan, telling: Telling): string[] {
  const told = toldSteps(steps).filter(({ step }) => step.action !== "none");
  const { limit } = telling;
  if (limit === undefined) return told.flatMap(({ step, called }) => telling.step(step, called));
  const counts = new Map<string, number>();
  const lines = told.flatMap(({ step, called }) => {
    const sort = limit.sortOf(step);
    if (sort === undefined) return telling.step(step, called);
    const count = (counts.get(sort) ?? 0) + 1;
    counts.set(sort, count);
    return count > limit.max ? [] : telling.step(step, called);
  });
  const more = [...counts].filter(([, count]) => count > limit.max);
  return [...lines, ...more.map(([sort, count]) => `  ! ${sort}: ${count - limit.max} more (${limit.all})`)];
}

/** The steps with their own reasons, each part below its whole, or in the line of a whole that is created with it. */
function toldSteps(steps: readonly Step[]): ToldStep[] {
  // Of steps with one ID, the first one is what the package wants.
  const byId = new Map([...steps].reverse().map((step) => [step.id, step]));
  const wholeOf = (step: Step) => {
    const whole = byId.get(partOf(step) ?? "");
    return whole === step ? undefined : whole;
  };
  const shown = steps.filter(({ blocked }) => !blocked);
  const partsOf = allByKey(shown, (step) => wholeOf(step)?.id ?? "");
  const tell = (step: Step, called: string): ToldStep[] => {
    const parts = (partsOf.get(step.id) ?? []).filter((part) => wholeOf(part) === step);
    const isInLine = (part: Step) => goTogether(step, part) && !partsOf.has(part.id);
    const contents = contentsOf(step, parts.filter(isInLine));
    const line = contents.length === 0 ? called : `${called}: ${contents.join(", ")}`;
    const below = parts.filter((part) => !isInLine(part));
    return [{ step, called: line }, ...below.flatMap((part) => tell(part, calledIn(part, step)))];
  };
  return shown.flatMap((step) => {
    const whole = wholeOf(step);
    if (whole !== undefined && !whole.blocked) return [];
    return tell(step, whole === undefined ? `${step.kind} ${step.name}` : calledIn(step, whole));
  });
}

function partOf({ wanted, extra }: Step): string | undefined {
  return wanted?.part ?? extra?.part;
}

/** Whether a part is created or removed with its whole, and there is nothing else to say of it. */
function goTogether(whole: Step, part: Step): boolean {
  if (whole.action !== part.action || whole.held || part.held) return false;
  return part.action === "create" || (part.action === "remove" && part.changes.length === 0 && !part.inside?.length);
}

/** What a new resource is made of: its parts by what they say, or only by their number. What is removed may say something else. */
function contentsOf({ action, wanted }: Step, parts: readonly Step[]): string[] {
  if (action !== "create")
    return [...allByKey(parts, ({ kind }) => kind)].map(([kind, all]) => counted(all.length, kind));
  // The name of a part with a line of its own says enough.
  const own = wanted?.part === undefined ? wanted?.detail : undefined;
  const kinds = [...allByKey(parts, ({ kind }) => kind)].flatMap(([kind, all]) => {
    const details = all.flatMap((part) => part.wanted?.detail ?? []);
    return details.length === all.length ? details : [counted(all.length, kind)];
  });
  return [...(own === undefined ? [] : [own]), ...kinds];
}

/** What a step's resource is called, with the resource that it is part of: once, even if their names begin with the same. */
export function calledAmong(step: Step, steps: readonly Step[]): string {
  const whole = steps.find(({ id }) => id === partOf(step));
  return whole === undefined ? `${step.kind} ${step.name}` : calledIn(step, whole);
}

function calledIn({ kind, name }: Step, whole: Step): string {
  // A statement of a policy is named like the policy.
  if (kind === whole.kind) return `${kind} ${name}`;
  const start = `${whole.name}: `;
  const own = name.startsWith(start) ? name.slice(start.length) : name;
  return `${kind}${own === whole.name ? "" : ` ${own}`} of ${whole.kind} ${whole.name}`;
}

function stepLines(step: Step, called: string): string[] {
  if (step.action === "none") return [];
  const why = step.reason === undefined ? "" : `: ${step.reason}`;
  const only = step.held ? " (only with --prune)" : step.action === "adopt" ? " (adopted)" : "";
  // What another program added is a difference, although nothing is done with it.
  const sign = step.extra?.kept === undefined ? signs[step.action] : "!";
  const head = `  ${sign} ${called}${only}${why}`;
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
  const counts = inWords([...telling.counts(plan), ...restOf(plan, telling)]);
  const last = `${counts}. Digest ${planDigest(plan)}`;
  return [`### ${title}: ${mainCounts(plan, telling)}`, "", plan.place, "", ...block, "", last];
}

/** How many steps of the main sorts a plan has, even if there are none. */
export function mainCounts(plan: Plan, telling: Telling): string {
  return inWords(telling.counts(plan));
}

/** How `ccf apply` and `ccf destroy` tell a plan: what they do. */
export const asPlan: Telling = {
  step: stepLines,
  counts(plan) {
    const { create, update, remove } = countSteps(plan);
    return [
      [create, "to create"],
      [update, "to update"],
      [remove, "to remove"],
    ];
  },
  rest(plan) {
    const { held, kept } = countSteps(plan);
    return [
      [held, "to remove only with --prune"],
      [kept, "left unchanged"],
    ];
  },
  nothing: "No changes.",
  colored: /^ {2}([+~-]) /,
};

/** The lines of a plan with the signs that Markdown colors. */
export function planDiff(plan: Plan, telling = asPlan): string[] {
  return bodyLines(plan, telling).map((line) =>
    line.replace(telling.colored, (_, sign) => `${sign === "~" ? "!" : sign} `),
  );
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
