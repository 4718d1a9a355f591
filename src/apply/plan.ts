import { sha256 } from "../core/hash.ts";
import { canonicalJson } from "../core/json.ts";
import type { Value, ValueMap } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import type { Difference, Extra, Live, Reading, Refusal, State, Target } from "./resource.ts";

/**
 * What a step does. `refuse`: nothing, because the resource is not the package's, or cannot be mended. `unknown`: nothing,
 * because it could not be read. `keep`: nothing, because something else needs it.
 */
export type Action = "create" | "update" | "adopt" | "restore" | "remove" | "refuse" | "unknown" | "keep" | "none";

/** What a run does with one resource. */
export interface Step {
  readonly action: Action;
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly changes: readonly Difference[];
  /** Why, for steps that do nothing: the end of a sentence. */
  readonly reason?: string;
  /** Only `--prune` carries it out. */
  readonly held?: true;
  /** Something that it needs is refused or could not be read, so it was not compared. */
  readonly blocked?: true;
  readonly wanted?: WantedResource;
  readonly extra?: Extra;
  readonly live?: Live;
}

/** What to do with one package. */
export interface Plan {
  readonly place: string;
  readonly facts: ValueMap;
  readonly prefix: string;
  readonly options: Options;
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
}

/** What the user permits. */
export interface Options {
  readonly prune: boolean;
  readonly adopt: readonly string[];
  readonly allow: readonly string[];
}

/** What a plan depends on; pure values. */
export type Planned = Pick<Target, "place" | "facts" | "prefix" | "wanted" | "kinds">;

/** The plan that makes the cloud match the package. Pure: the same readings give the same plan. */
export function planApply(target: Planned, state: State, options: Options): Plan {
  const steps = new Map<string, Step>();
  for (const wanted of target.wanted) steps.set(wanted.id, stepFor(target, state, options, wanted, steps));
  const found = [...steps.values(), ...extraSteps(state, options.prune, steps)];
  const { refusal } = state;
  const isRefused = refusal !== undefined && !options.allow.includes(refusal.allow ?? "");
  const all = found.map((step) => (isRefused && isChange(step) ? stopped(step, "refuse", refusal) : step));
  return { place: target.place, facts: target.facts, prefix: target.prefix, options, steps: all, notes: state.notes };
}

function stopped(step: Step, action: "refuse" | "keep", { reason }: Refusal): Step {
  return { ...step, action, reason };
}

function stepFor(
  { kinds }: Planned,
  { readings }: State,
  options: Options,
  wanted: WantedResource,
  before: ReadonlyMap<string, Step>,
): Step {
  const { kind, id, name } = wanted;
  const base = { kind, id, name, wanted, changes: [] };
  const reading: Reading = readings.get(id) ?? { state: "unread", problem: "It was not read." };
  if (reading.state === "unread") return { ...base, action: "unknown", reason: reading.problem };
  const blocked = wanted.needs.map((need) => before.get(need)).find((step) => step !== undefined && isStopped(step));
  if (blocked !== undefined) {
    const why = blocked.action === "refuse" ? "is refused" : "could not be read";
    const reason = `${blocked.kind} ${blocked.name}, which it needs, ${why}`;
    return { ...base, action: blocked.action, reason, blocked: true };
  }
  const differences = kinds[kind]?.differences ?? (() => []);
  if (reading.state === "absent") {
    const changes = differences(wanted, undefined);
    const fixed = changes.find((change) => change.fixed !== undefined);
    return fixed === undefined
      ? { ...base, action: "create", changes }
      : { ...base, action: "refuse", reason: `it cannot be created: ${fixed.fixed}` };
  }
  return liveStep(wanted, reading.live, differences(wanted, reading.live), options, before.get(wanted.part ?? ""));
}

/** @param parent the step of what the resource is part of. */
function liveStep(
  wanted: WantedResource,
  live: Live,
  changes: readonly Difference[],
  options: Options,
  parent: Step | undefined,
): Step {
  const { kind, id, name } = wanted;
  const base = { kind, id, name, wanted, live, changes: [] };
  const refuse = (reason: string): Step => ({ ...base, action: "refuse", reason });
  if (wanted.shared) return { ...base, action: "none" };
  if (live.refusal !== undefined && !options.allow.includes(live.refusal.allow ?? ""))
    return refuse(live.refusal.reason);
  if (live.owner === "other") return refuse("another resource prefix owns it, and it is never adopted");
  const isAdopted = parent === undefined ? options.adopt.includes(name) : parent.action === "adopt";
  if (live.owner === "none" && !isAdopted)
    return refuse(`it exists without the owner mark of this package; if it is the package's, use --adopt ${name}`);
  const fixed = changes.find((change) => change.fixed !== undefined);
  if (fixed !== undefined) return { ...refuse(`its ${fixed.field} differs: ${fixed.fixed}`), changes };
  if (live.deleted) return { ...base, action: "restore", changes };
  if (live.owner === "none" && parent === undefined) return { ...base, action: "adopt", changes };
  return { ...base, action: changes.length === 0 ? "none" : "update", changes };
}

/** Whether what needs this cannot be done. */
function isStopped({ action }: Step): boolean {
  return action === "refuse" || action === "unknown";
}

function extraSteps({ extras }: State, prune: boolean, steps: ReadonlyMap<string, Step>): Step[] {
  // Nothing is removed on the ground of an incomplete reading.
  if ("problem" in extras) {
    const base = { kind: "resources", id: "", name: "that are not in the package", changes: [] };
    return [{ ...base, action: "unknown", reason: extras.problem }];
  }
  return extras.found.flatMap((extra): Step[] => {
    const { kind, id, name, live, kept } = extra;
    const parent = extra.part === undefined ? undefined : steps.get(extra.part);
    if (parent !== undefined && isStopped(parent)) return [];
    const base = { kind, id, name, changes: [], extra, live };
    if (kept !== undefined) return [{ ...base, action: "keep", reason: kept }];
    return [{ ...base, action: "remove", ...(prune ? {} : { held: true as const }) }];
  });
}

/** The plan that removes what the package created. What is not the package's stays, and with it what it needs. */
export async function planDestroy(target: Planned, state: State): Promise<Plan> {
  const { place, facts, prefix, kinds } = target;
  const options: Options = { prune: true, adopt: [], allow: [] };
  const all = candidates(target, state);
  const ids = new Set(all.map(({ id }) => id));
  const alone = all.filter((step) => !(kinds[step.kind]?.within && ids.has(partOf(step) ?? "")));
  const { refusal } = state;
  const found = alone.map((step) => (refusal && step.action === "remove" ? stopped(step, "keep", refusal) : step));
  const needed = (id: string) => found.filter((one) => !kinds[one.kind]?.free && needsOf(one).includes(id));
  const decided = new Map<string, Step>();
  const going = new Set(
    found.filter(({ action }) => action === "remove").flatMap(({ id, live }) => [id, live?.id ?? id]),
  );
  // Backwards: what needs something is decided before it.
  for (const step of [...found].reverse()) {
    const user = needed(step.id)
      .map(({ id }) => decided.get(id))
      .find((one) => one !== undefined && one.action !== "remove");
    let now = step;
    if (now.action === "remove" && user !== undefined)
      now = {
        ...now,
        action: user.action === "unknown" ? "unknown" : "keep",
        reason: `${user.kind} ${user.name} stays`,
      };
    if (now.action === "remove" && now.live !== undefined) {
      const kept = await kinds[now.kind]?.keep?.(now.live, going);
      if (kept !== undefined) now = { ...now, action: "keep", reason: kept };
    }
    if (now.action !== "remove") for (const id of [now.id, now.live?.id ?? now.id]) going.delete(id);
    decided.set(now.id, now);
  }
  const problem = "problem" in state.extras ? extraSteps(state, true, new Map()) : [];
  return { place, facts, prefix, options, steps: [...decided.values(), ...problem], notes: state.notes };
}

/**
 * The plan that removes what belongs only to previous issuers; undefined if the cloud does not match the package, because
 * then the cluster may still depend on them.
 */
export async function planPrevious(target: Planned, state: State): Promise<Plan | undefined> {
  if (state.needsPrevious) return undefined;
  const current = planApply(target, state, { prune: false, adopt: [], allow: [] });
  const isHarmless = ({ action, extra }: Step) => action === "none" || (extra !== undefined && !extra.breaksIssuer);
  if (!current.steps.every(isHarmless)) return undefined;
  const found = { readings: new Map(), extras: { found: state.previous ?? [] }, notes: state.notes };
  return planDestroy({ ...target, wanted: [] }, found);
}

function candidates({ wanted, kinds }: Planned, { readings, extras, previous = [] }: State): Step[] {
  const own = wanted.flatMap((one): Step[] => {
    const { kind, id, name } = one;
    const base = { kind, id, name, wanted: one, changes: [] };
    const reading = readings.get(id);
    if (reading === undefined || reading.state === "unread")
      return [{ ...base, action: "unknown", reason: reading?.problem ?? "It was not read." }];
    // What was deleted is gone, even if the cloud could restore it.
    if (reading.state === "absent" || reading.live.deleted) return [];
    const { live } = reading;
    // What it needs stays with it, whosever it is.
    const isShown = live.owner === "own" || one.needs.length > 0;
    if (one.kept !== undefined) return isShown ? [{ ...base, action: "keep", reason: one.kept, live }] : [];
    if (live.refusal !== undefined) return [{ ...base, action: "keep", reason: live.refusal.reason, live }];
    if (live.owner !== "own") return [{ ...base, action: "keep", reason: "the package does not own it", live }];
    return [{ ...base, action: "remove", live }];
  });
  // What previous issuers had goes with everything else; what is part of something goes with that.
  const former = previous.filter(({ kind, id }) => !kinds[kind]?.within && !readings.has(id));
  // What hangs on something that is not the package's is not either.
  const found = "problem" in extras ? [] : extras.found;
  // What is wrong with an issuer is not a resource.
  const hanging = found.filter(({ live, kept, breaksIssuer }) => !breaksIssuer && (live.owner === "own" || kept));
  const others = "problem" in extras ? [] : [...hanging, ...former];
  const more = others.map((extra): Step => {
    const { kind, id, name, live, kept } = extra;
    const base = { kind, id, name, changes: [], extra, live };
    return kept === undefined ? { ...base, action: "remove" } : { ...base, action: "keep", reason: kept };
  });
  return [...own, ...more];
}

/**
 * Whether a destroy does not do with it what it is for: the package's resource stays, or it is not known whether there is one. What stays
 * by design, and what is not the package's, does not count.
 */
export function isLeft({ kinds }: Pick<Planned, "kinds">, { action, kind, live, wanted, extra }: Step): boolean {
  if (action !== "keep" || wanted?.kept !== undefined || kinds[kind]?.stays) return false;
  return live?.owner === "own" || live?.refusal !== undefined || extra?.unread === true;
}

/** The IDs that a step's resource needs. */
export function needsOf({ wanted, extra }: Step): readonly string[] {
  return wanted?.needs ?? extra?.needs ?? [];
}

function partOf({ wanted, extra }: Step): string | undefined {
  return wanted?.part ?? extra?.part;
}

/** Whether a run carries the step out. */
export function isChange({ action, held }: Step): boolean {
  return ["create", "update", "adopt", "restore"].includes(action) || (action === "remove" && !held);
}

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
