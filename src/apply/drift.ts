import type { Difference } from "../core/difference.ts";
import type { ValueMap } from "../core/resource.ts";
import type { Plan, Step } from "./plan.ts";
import { shown, type Telling } from "./show.ts";

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

function stepLines(step: Step): string[] {
  if (step.action === "none") return [];
  const { is, by } = driftOf(step);
  const why = step.reason === undefined ? "" : `: ${step.reason}`;
  const word = by === "others" ? "added by others" : words[is];
  const head = `  ${is === "unknown" ? "?" : "!"} ${word}: ${step.kind} ${step.name}${why}`;
  if (is === "missing") return [head];
  const grants = step.extra?.grants ?? [];
  const more = grants.length - maxGrants;
  const inside = [
    ...step.changes.flatMap(changeLines),
    ...grants.slice(0, maxGrants),
    ...(more > 0 ? [`and ${more} more; -o json has all of them`] : []),
    ...(step.inside ?? []).map((one) => `contains ${one.kind} ${one.name}`),
  ];
  return [head, ...inside.map((line) => `      ${cut(line)}`)];
}

/** The most lines about what something in the cloud grants. */
const maxGrants = 10;

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

function counts({ steps }: Pick<Plan, "steps">): string {
  const all = steps.filter(({ action }) => action !== "none").map((step) => driftOf(step).is);
  const count = (...of: readonly Drift[]) => all.filter((is) => of.includes(is)).length;
  return `${count("missing", "deleted")} missing, ${count("differs")} different, ${count("extra")} not in the package`;
}

/** How `ccf status` tells a plan. */
export const asDrift: Telling = { step: stepLines, counts, colored: /^ {2}(!) / };

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
