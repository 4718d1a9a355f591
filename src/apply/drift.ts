import type { Difference } from "../core/difference.ts";
import type { ValueMap } from "../core/resource.ts";
import type { Plan, Step } from "./plan.ts";
import { type Count, shown, type Telling } from "./show.ts";

/*
 * A plan as what `ccf status` says of the cloud. The command changes nothing, so it does not say what would be created or removed, but
 * what is missing in the cloud, and what is there besides, and whom that lets do what.
 */

/** What a step says of a resource. */
type Drift = "missing" | "deleted" | "differs" | "extra" | "refused" | "unknown";

/** @param by "others" if no render makes it. */
function driftOf({ action, extra }: Step): { readonly is: Drift; readonly by?: "others" } {
  // What keeps the issuer from working is something of the package that is not as it must be.
  if (extra !== undefined && action !== "unknown" && !extra.breaksIssuer)
    return { is: "extra", ...(extra.foreign ? { by: "others" } : {}) };
  switch (action) {
    case "create":
      return { is: "missing" };
    case "restore":
      return { is: "deleted" };
    case "unknown":
      return { is: "unknown" };
    case "refuse":
      return { is: "refused" };
    default:
      return { is: "differs" };
  }
}

const words: Readonly<Record<Drift, string>> = {
  missing: "missing",
  deleted: "deleted, but can be restored",
  differs: "differs",
  extra: "not in the package",
  refused: "refused",
  unknown: "not known",
};

/** How much of long lists a status shows. */
interface Limits {
  /** The most resources of a sort. */
  readonly steps: number;
  /** The most lines about one resource. */
  readonly lines: number;
  /** What shows all of them. */
  readonly all: string;
}

function stepLines(step: Step, called: string, limits: Limits): string[] {
  if (step.action === "none") return [];
  const { is } = driftOf(step);
  const why = step.reason === undefined ? "" : `: ${step.reason}`;
  const head = `  ${is === "unknown" ? "?" : "!"} ${wordOf(step)}: ${called}${why}`;
  if (is === "missing") return [head];
  const inside = [
    ...first(step.changes.flatMap(changeLines), limits),
    ...first(step.extra?.grants ?? [], limits),
    ...(step.inside ?? []).map((one) => `contains ${one.kind} ${one.name}`),
  ];
  return [head, ...inside.map((line) => `      ${cut(line)}`)];
}

function wordOf(step: Step): string {
  const { is, by } = driftOf(step);
  return by === "others" ? "added by others" : words[is];
}

function first(lines: readonly string[], { lines: max, all }: Limits): string[] {
  const more = lines.length - max;
  return more > 0 ? [...lines.slice(0, max), `${more} more (${all})`] : [...lines];
}

/** The most characters of a line about what something in the cloud grants, or how it differs. */
const maxLine = 1000;

function cut(line: string): string {
  const more = line.length - maxLine;
  return more > 0 ? `${line.slice(0, maxLine)}… (${more} more characters; -o json has all of them)` : line;
}

function changeLines({ field, found, wanted }: Difference): string[] {
  if (Array.isArray(found) && Array.isArray(wanted)) {
    const [there, own] = [found.map(shown), wanted.map(shown)];
    const lines = [
      ...own.filter((one) => !there.includes(one)).map((one) => `${field}  missing: ${one}`),
      ...there.filter((one) => !own.includes(one)).map((one) => `${field}  not in the package: ${one}`),
    ];
    if (lines.length > 0) return lines;
  }
  if (found === undefined) return wanted === undefined ? [] : [`${field}  missing: ${shown(wanted)}`];
  if (wanted === undefined) return [`${field}  not in the package: ${shown(found)}`];
  return [`${field}  ${shown(found)}; in the package: ${shown(wanted)}`];
}

function counts({ steps }: Pick<Plan, "steps">): Count[] {
  const all = steps.filter(({ action }) => action !== "none").map((step) => driftOf(step).is);
  const count = (...of: readonly Drift[]) => all.filter((is) => of.includes(is)).length;
  return [
    [count("missing", "deleted"), "missing"],
    [count("differs"), "different"],
    [count("extra"), "not in the package"],
  ];
}

// What has a reason, or lets others do something, needs a person.
function sortOf(step: Step): string | undefined {
  return step.reason === undefined && !step.extra?.foreign ? wordOf(step) : undefined;
}

function tellingWithin(limits: Limits): Telling {
  return {
    step: (step, called) => stepLines(step, called, limits),
    counts,
    rest: () => [],
    colored: /^ {2}(!) /,
    limit: { max: limits.steps, all: limits.all, sortOf },
  };
}

/** How `ccf status` tells a plan in Markdown. */
export const asDrift = tellingWithin({ steps: Number.POSITIVE_INFINITY, lines: 10, all: "in -o json" });

/** How `ccf status` tells a plan on a terminal. @param isVerbose whether it shows long lists as a whole. */
export function driftText(isVerbose: boolean): Telling {
  const max = isVerbose ? Number.POSITIVE_INFINITY : 10;
  return tellingWithin({ steps: max, lines: max, all: "--verbose" });
}

/** The same for programs: see schemas/plan.schema.json. */
export function driftJson({ steps }: Pick<Plan, "steps">): ValueMap[] {
  return steps
    .filter(({ action }) => action !== "none")
    .map((step) => {
      const { kind, id, name, extra } = step;
      const grants = extra?.grants ?? [];
      return { kind, id, name, ...driftOf(step), ...(grants.length === 0 ? {} : { grants: [...grants] }) };
    });
}
