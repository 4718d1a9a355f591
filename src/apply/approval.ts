import { sha256 } from "../core/hash.ts";
import { canonicalJson } from "../core/json.ts";
import type { Value, ValueMap } from "../core/resource.ts";
import { isChange, type Options, type Plan, type Step } from "./plan.ts";
import type { Difference } from "./resource.ts";

/*
 * Plans as plain values, their digests, and whether a plan is one that was approved.
 */

/** The steps of a plan as plain values: what `--dry-run -o json` prints, and what is compared with it. */
export function stepValues({ steps }: Pick<Plan, "steps">): ValueMap[] {
  return steps.filter(({ action }) => action !== "none").map(stepValue);
}

function stepValue({ action, kind, id, name, changes, reason, held }: Step): ValueMap {
  return {
    action,
    kind,
    id,
    name,
    ...(changes.length === 0 ? {} : { changes: changes.map(changeValue) }),
    ...(reason === undefined ? {} : { reason }),
    ...(held ? { held } : {}),
  };
}

function changeValue({ field, found, wanted, replaces }: Difference): ValueMap {
  const values = { ...(found === undefined ? {} : { from: found }), ...(wanted === undefined ? {} : { to: wanted }) };
  return { field, ...values, ...(replaces ? { replaces } : {}) };
}

/** Identifies a plan: where it applies, what the user permits, and every step with its old and new values. */
export function digestOf(plan: Plan): string {
  const { facts, prefix } = plan;
  return digest({ facts, prefix, options: optionsValue(plan.options), steps: stepValues(plan) });
}

/** The digest of the plans of several packages, in any order. */
export function digestOfAll(plans: readonly Plan[]): string {
  const [only, ...more] = plans;
  return only !== undefined && more.length === 0 ? digestOf(only) : digest(plans.map(digestOf).sort());
}

/** The options as plain values. */
export function optionsValue({ prune, adopt, allow }: Options): ValueMap {
  return { prune, adopt: [...adopt].sort(), allow: [...allow].sort() };
}

function digest(value: Value): string {
  return `sha256:${sha256(canonicalJson(value)).toString("hex")}`;
}

/**
 * The first step of a plan that an earlier plan does not contain, as a text; undefined if it contains all of them. The
 * earlier plan may have more: a run that was interrupted goes on.
 *
 * @param expected what `--dry-run -o json` printed for the package.
 */
export function unexpected(plan: Plan, expected: ValueMap): string | undefined {
  const same = (a: Value | undefined, b: Value) => a !== undefined && canonicalJson(a) === canonicalJson(b);
  if (!same(expected["facts"], plan.facts) || !same(expected["prefix"], plan.prefix))
    return "it is for another account";
  if (!same(expected["options"], optionsValue(plan.options))) return "its options differ";
  const steps = Array.isArray(expected["steps"]) ? (expected["steps"] as Value[]) : [];
  const known = new Set(steps.map(canonicalJson));
  // A run that replaces a resource can be interrupted between its removal and its creation.
  const replaced = new Set(
    steps.flatMap((one) => (isReplacement(one as ValueMap) ? String((one as ValueMap)["id"]) : [])),
  );
  const more = plan.steps.filter(isChange).find((step) => {
    if (known.has(canonicalJson(stepValue(step)))) return false;
    return !(step.action === "create" && replaced.has(step.id));
  });
  return more === undefined
    ? undefined
    : `it does not contain "${more.action} ${more.kind} ${more.name}" with these values`;
}

function isReplacement({ action, changes }: ValueMap): boolean {
  const list = Array.isArray(changes) ? (changes as ValueMap[]) : [];
  return action === "update" && list.some(({ replaces }) => replaces === true);
}
