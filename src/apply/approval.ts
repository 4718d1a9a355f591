import type { Difference } from "../core/difference.ts";
import { digestOf as digestOfText } from "../core/hash.ts";
import { canonicalJson } from "../core/json.ts";
import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { isChange, type Options, type Plan, type Step } from "./plan.ts";

/*
 * Plans as plain values, their digests, and whether a plan is one that was approved.
 */

/** The steps of a plan as plain values: what `--dry-run -o json` prints, and what is compared with it. */
export function stepValues({ steps }: Pick<Plan, "steps">): ValueMap[] {
  return steps.filter(({ action }) => action !== "none").map(stepValue);
}

function stepValue({ action, kind, id, name, changes, creates, inside = [], reason, held }: Step): ValueMap {
  return {
    action,
    kind,
    id,
    name,
    ...(changes.length === 0 ? {} : { changes: changes.map(changeValue) }),
    ...(creates === undefined ? {} : { creates: creates.map(changeValue) }),
    ...(inside.length === 0 ? {} : { inside: inside.map((one) => ({ ...one })) }),
    ...(reason === undefined ? {} : { reason }),
    ...(held ? { held } : {}),
  };
}

function changeValue({ field, found, wanted, replaces }: Difference): ValueMap {
  const values = { ...(found === undefined ? {} : { from: found }), ...(wanted === undefined ? {} : { to: wanted }) };
  return { field, ...values, ...(replaces ? { replaces } : {}) };
}

/** Identifies a plan: where it applies, what the user permits, and every step with its old and new values. */
export function planDigest(plan: Plan): string {
  const { facts, prefix } = plan;
  return digestOfValues(facts, prefix, optionsValue(plan.options), stepValues(plan));
}

function digestOfValues(facts: Value, prefix: Value, options: Value, steps: readonly Value[]): string {
  return digest({ facts, prefix, options, steps: [...steps] });
}

/** The digest of the plans of several packages, in any order. */
export function digestOfAll(plans: readonly Plan[]): string {
  const [only, ...more] = plans;
  return only !== undefined && more.length === 0 ? planDigest(only) : digest(plans.map(planDigest).sort());
}

/** The options as plain values. */
export function optionsValue({ prune, adopt, allow, includeForeign = [] }: Options): ValueMap {
  const foreign = includeForeign.length === 0 ? {} : { includeForeign: [...includeForeign].sort() };
  return { prune, adopt: [...adopt].sort(), allow: [...allow].sort(), ...foreign };
}

function digest(value: Value): string {
  return digestOfText(canonicalJson(value));
}

/**
 * Why an earlier plan does not permit a plan, as the end of a sentence; undefined if it permits every step. The earlier plan
 * may have more: a run that was interrupted goes on.
 *
 * @param expected what `--dry-run -o json` printed for the package, or anything else.
 */
export function unexpected(plan: Plan, expected: ValueMap): string | undefined {
  const { facts, prefix } = plan;
  const options = optionsValue(plan.options);
  const { steps, digest: stated } = expected;
  if (!isSame(expected["facts"], facts) || !isSame(expected["prefix"], prefix))
    return "it is for another account, region, or prefix";
  if (!isSame(expected["options"], options)) return "its options differ";
  if (!Array.isArray(steps) || !steps.every(isMap)) return "it has no list of steps";
  // It was edited, or cut.
  if (stated !== digestOfValues(facts, prefix, options, steps)) return "its digest is not that of its content";
  const known = new Set(steps.flatMap(permitted).map(canonicalJson));
  const more = plan.steps.filter(isChange).find((step) => !known.has(canonicalJson(stepValue(step))));
  return more === undefined
    ? undefined
    : `it does not contain "${more.action} ${more.kind} ${more.name}" with these values`;
}

function isSame(found: Value | undefined, value: Value): boolean {
  return found !== undefined && canonicalJson(found) === canonicalJson(value);
}

/** A step and, if it replaces a resource, its creation: a run can be interrupted between the removal and the creation. */
function permitted(step: ValueMap): ValueMap[] {
  const { action, creates, changes: _, ...same } = step;
  const isReplacement = Array.isArray(creates) && (action === "update" || action === "adopt" || action === "restore");
  if (!isReplacement) return [step];
  return [step, { action: "create", ...same, ...(creates.length === 0 ? {} : { changes: creates }) }];
}
