import type { Difference } from "../core/difference.ts";
import type { ValueMap } from "../core/resource.ts";
import { shellWord } from "../core/shell.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import { kindAndName, named } from "./named.ts";
import type { Extra, Inside, Live, Reading, Refusal, State, Target } from "./resource.ts";

/**
 * What a step does. `refuse`: nothing, because the resource is not the package's, or cannot be mended. `unknown`: nothing,
 * because it could not be read. `keep`: nothing, because something else needs it.
 */
type Action = "create" | "update" | "adopt" | "restore" | "remove" | "refuse" | "unknown" | "keep" | "none";

/** What a run does with one resource. */
export interface Step {
  readonly action: Action;
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly changes: readonly Difference[];
  /** What its creation states, if the changes replace the resource: a run can end between the removal and the creation. */
  readonly creates?: readonly Difference[];
  /** Why, for steps that do nothing: the end of a sentence. */
  readonly reason?: string;
  /** What the removal takes along, or what is in its way. */
  readonly inside?: readonly Inside[];
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
  /** See {@link Target.ownNames}; not a part of what is approved. */
  readonly ownNames?: Target["ownNames"];
  readonly options: Options;
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
}

/** What the user permits. */
export interface Options {
  readonly prune: boolean;
  /** What {@link named} understands; in a plan, KIND/NAME of its resources. */
  readonly adopt: readonly string[];
  readonly allow: readonly string[];
  /** What else a destroy removes with the resources of the package, as KIND/NAME. */
  readonly includeForeign?: readonly string[];
}

/** What a plan depends on; pure values. */
export type Planned = Pick<Target, "place" | "facts" | "prefix" | "ownNames" | "wanted" | "kinds">;

/** The plan that makes the cloud match the package. Pure: the same readings give the same plan. */
export function planApply(target: Planned, state: State, given: Options): Plan {
  const options = { ...given, adopt: named(given.adopt, adoptable(target.wanted)).map(kindAndName) };
  const steps = new Map<string, Step>();
  for (const wanted of target.wanted) steps.set(wanted.id, stepFor(target, state, options, wanted, steps));
  const found = [...steps.values(), ...extraSteps(state, options.prune, steps)];
  const { refusal } = state;
  const isRefused = refusal !== undefined && !options.allow.includes(refusal.allow ?? "");
  const all = found.map((step) => (isRefused && isChange(step) ? stopped(step, "refuse", refusal) : step));
  const { place, facts, prefix, ownNames } = target;
  const own = ownNames === undefined ? {} : { ownNames };
  return { place, facts, prefix, ...own, options, steps: all, notes: state.notes };
}

/** What a user adopts: what is part of another resource comes with it, and what is shared is used as it is. */
export function adoptable(wanted: readonly WantedResource[]): WantedResource[] {
  const ids = new Set(wanted.map(({ id }) => id));
  return wanted.filter(({ part, shared }) => !shared && (part === undefined || !ids.has(part)));
}

/** A step that does nothing, with the reason. */
export function stopped(step: Step, action: "refuse" | "keep", { reason }: Refusal): Step {
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
  const blocked = wanted.needs.map((need) => before.get(need)).find((step) => step !== undefined && isStopped(step));
  // A part has the reason of its whole, which is shown once.
  const isOwn = reading.state === "unread" && reading.problem !== blocked?.reason;
  if (blocked !== undefined && !isOwn) {
    const why = blocked.action === "refuse" ? "is refused" : "could not be read";
    const reason = `${blocked.kind} ${blocked.name}, which it needs, ${why}`;
    return { ...base, action: blocked.action, reason, blocked: true };
  }
  if (reading.state === "unread") return { ...base, action: "unknown", reason: reading.problem };
  const differences = kinds[kind]?.differences ?? (() => []);
  if (reading.state === "absent") {
    const changes = differences(wanted, undefined);
    const fixed = changes.find((change) => change.fixed !== undefined);
    return fixed === undefined
      ? { ...base, action: "create", changes }
      : { ...base, action: "refuse", reason: `it cannot be created: ${fixed.fixed}` };
  }
  const changes = differences(wanted, reading.live);
  const step = liveStep(wanted, reading.live, changes, options, before.get(wanted.part ?? ""));
  const isReplacing = isChange(step) && changes.some(({ replaces }) => replaces);
  return isReplacing ? { ...step, creates: differences(wanted, undefined) } : step;
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
  const isAdopted = parent === undefined ? options.adopt.includes(kindAndName(wanted)) : parent.action === "adopt";
  if (live.owner === "none" && !isAdopted) {
    const adopt = `--adopt ${shellWord(kindAndName(parent ?? wanted))}`;
    return refuse(`it exists without the owner mark of this package; if it is the package's, use ${adopt}`);
  }
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

/** What to do with what the package owns besides. */
export function extraSteps({ extras }: State, prune: boolean, steps: ReadonlyMap<string, Step>): Step[] {
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

/** The IDs that a step's resource needs. */
export function needsOf({ wanted, extra }: Pick<Step, "wanted" | "extra">): readonly string[] {
  return wanted?.needs ?? extra?.needs ?? [];
}

/** Whether a run carries the step out. */
export function isChange({ action, held }: Step): boolean {
  return ["create", "update", "adopt", "restore"].includes(action) || (action === "remove" && !held);
}
