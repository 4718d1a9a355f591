import type { Difference } from "../core/difference.ts";
import { canonicalJson } from "../core/json.ts";
import type { Value } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import { kindAndName } from "./named.ts";
import { isChange, needsOf, type Plan, type Step } from "./plan.ts";
import { CloudError, pause, until } from "./requests.ts";
import type { Kind, Live, Owner, Reading, Target } from "./resource.ts";
import { liveIn } from "./state-reader.ts";

/** How a run tells what it does, and learns that it must end. */
export interface Run {
  readonly isStopped: () => boolean;
  readonly done: (step: Step) => void;
  readonly failed: (step: Step, problem: string) => void;
  readonly waiting: (seconds: number) => void;
}

/** What a run did. */
export interface Outcome {
  readonly done: readonly Step[];
  readonly failed: readonly { readonly step: Step; readonly problem: string }[];
  /** What was not attempted: something that it needs failed, or the user ended the run. */
  readonly skipped: readonly Step[];
  readonly isStopped: boolean;
}

/** How many steps of one package run at the same time. */
const width = 6;

/**
 * Carries a plan out, and nothing else. Each resource is read again right before its step: whose it is and what differs must
 * still be what the plan says. Creations and changes come first, each after what it needs; removals follow in the reverse
 * order, and only if everything before them succeeded. A failure stops what depends on it.
 */
export async function runPlan(target: Pick<Target, "kinds" | "settles">, plan: Plan, run: Run): Promise<Outcome> {
  const steps = plan.steps.filter(isChange);
  const removals = steps.filter(({ action }) => action === "remove");
  const first = removals.filter(({ extra }) => extra?.first);
  const changes = steps.filter(({ action }) => action !== "remove");
  const last = removals.filter(({ extra }) => !extra?.first);
  const state = new Progress(target, run);
  await state.phase(first, () => []);
  await state.phase(changes, (step) => needsOf(step));
  // What is removed may be what something new replaces, which is not in effect everywhere yet.
  const isNew = changes.some((step) => step.action === "create" && step.wanted?.part !== undefined);
  if (last.some(({ extra }) => extra !== undefined) && isNew && !run.isStopped() && state.failed.length === 0) {
    run.waiting(target.settles);
    await pause(target.settles);
  }
  const usersOf = (step: Step) => last.filter((one) => needsOf(one).includes(step.id)).map(({ id }) => id);
  await state.phase(last, usersOf, [...first, ...changes]);
  const { done, failed, skipped } = state;
  return { done, failed, skipped, isStopped: run.isStopped() };
}

class Progress {
  readonly done: Step[] = [];
  readonly failed: { step: Step; problem: string }[] = [];
  readonly skipped: Step[] = [];
  readonly #target: Pick<Target, "kinds">;
  readonly #run: Run;

  constructor(target: Pick<Target, "kinds">, run: Run) {
    this.#target = target;
    this.#run = run;
  }

  /**
   * Runs steps, each after those that `before` names and that are in this phase.
   *
   * @param all if one of these did not succeed, nothing runs.
   */
  async phase(
    steps: readonly Step[],
    before: (step: Step) => readonly string[],
    all: readonly Step[] = [],
  ): Promise<void> {
    const isOpen = all.every((step) => this.done.includes(step));
    const waiting = new Set(steps);
    const running = new Map<Step, Promise<void>>();
    const locks = new Set<string>();
    // Whether each step that ended was done.
    const ended = new Map<string, boolean>();
    while (waiting.size > 0 || running.size > 0) {
      for (const step of [...waiting]) {
        const needs = before(step).filter((id) => id !== step.id && steps.some((one) => one.id === id));
        if (!isOpen || this.#run.isStopped() || needs.some((id) => ended.get(id) === false)) {
          waiting.delete(step);
          ended.set(step.id, false);
          this.skipped.push(step);
          continue;
        }
        const lock = step.wanted?.part ?? step.extra?.part ?? step.id;
        if (running.size >= width || locks.has(lock) || needs.some((id) => !ended.has(id))) continue;
        waiting.delete(step);
        locks.add(lock);
        const work = this.#carryOut(step).then((isDone) => {
          ended.set(step.id, isDone);
          locks.delete(lock);
          running.delete(step);
        });
        running.set(step, work);
      }
      if (running.size > 0) await Promise.race(running.values());
      else if (
        [...waiting].every((step) => before(step).some((id) => !ended.has(id) && id !== step.id)) &&
        waiting.size > 0
      )
        throw new Error(`resources need each other: ${[...waiting].map(({ id }) => id).join(", ")}`);
    }
  }

  async #carryOut(step: Step): Promise<boolean> {
    try {
      await carryOut(this.#target, step);
      this.done.push(step);
      this.#run.done(step);
      return true;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      this.failed.push({ step, problem: error.message });
      this.#run.failed(step, error.message);
      return false;
    }
  }
}

async function carryOut({ kinds }: Pick<Target, "kinds">, step: Step): Promise<void> {
  const kind = kinds[step.kind];
  if (kind === undefined) throw new Error(`unknown kind: ${step.kind}`);
  if (step.action === "remove") return remove(kind, step);
  const { wanted } = step;
  if (wanted === undefined) throw new Error("only a wanted resource is written");
  const reading = known(await kind.read(wanted));
  const answer =
    reading.state === "absent"
      ? await create(kind, step, wanted, reading.parent)
      : await update(kind, step, wanted, reading.live);
  // A write counts only if the cloud shows what was written: in its answer, or to a reading.
  const shown = answer ?? liveIn(known(await kind.read(wanted)));
  const after = answer === undefined && reading.state === "absent" ? await completed(kind, wanted, shown) : shown;
  if (after === undefined) throw new CloudError(notShown);
  if (wanted.shared) return;
  const left = unmet(kind, wanted, after);
  if (left.length > 0) throw new CloudError(notAccepted(left));
  if (after.owner !== "own") throw new CloudError(notShown);
}

/** A creation that ended before it was complete, because the answer to an earlier attempt was lost. */
async function completed(kind: Kind, wanted: WantedResource, live: Live | undefined): Promise<Live | undefined> {
  if (live?.owner !== "own" || live.refusal !== undefined || unmet(kind, wanted, live).length === 0) return live;
  return (await kind.update(wanted, live)) ?? liveIn(known(await kind.read(wanted)));
}

/** What still differs although a write can change it. */
function unmet(kind: Kind, wanted: WantedResource, live: Live): readonly Difference[] {
  return kind.differences(wanted, live).filter(({ fixed }) => fixed === undefined);
}

async function remove(kind: Kind, step: Step): Promise<void> {
  const { wanted, extra } = step;
  const read = async () => {
    const reading = wanted !== undefined ? await kind.read(wanted) : extra && (await kind.readExtra(extra));
    if (reading === undefined) throw new Error("only what was read is removed");
    return reading;
  };
  const live = liveToRemove(step, known(await read()));
  if (live === undefined) return;
  const kept = await kind.keep?.(live, new Set());
  if (kept !== undefined) throw new CloudError(`It was not removed: ${kept}.`);
  const planned = new Set(step.inside?.map(kindAndName));
  const strange = (await kind.inside?.(live))?.find((one) => one.isForeign && !planned.has(kindAndName(one)));
  if (strange !== undefined) throw new CloudError(changed(`it contains ${strange.kind} ${strange.name}`));
  await kind.remove(live);
  let last: Reading = { state: "absent" };
  await until(
    () =>
      last.state === "unread" ? `Its removal is not confirmed: ${last.problem}` : "It still exists after its removal.",
    async () => {
      last = await read();
      return isGone(live, last);
    },
  );
}

/** Whether a reading shows that something is gone. What others created with its name does not count. */
function isGone({ id }: Live, reading: Reading): boolean {
  if (reading.state !== "present") return reading.state === "absent";
  const { live } = reading;
  return live.deleted === true || live.owner !== "own" || !isSameId(live.id, id);
}

/** A reading that says something. */
type Known = Exclude<Reading, { state: "unread" }>;

/** @throws CloudError if nothing was read. */
function known(reading: Reading): Known {
  if (reading.state === "unread") throw new CloudError(reading.problem);
  return reading;
}

const notShown =
  "The cloud accepted the request, but does not show what was written. Run the same command again in some minutes.";

async function create(
  kind: Kind,
  step: Step,
  wanted: WantedResource,
  parent: Owner | undefined,
): Promise<Live | undefined> {
  if (parent !== undefined && parent !== "own")
    throw new CloudError(changed("what it would be part of no longer has the owner mark of this package"));
  if (step.action === "create" || isReplaced(step)) return kind.create(wanted);
  throw new CloudError(changed("it no longer exists"));
}

async function update(kind: Kind, step: Step, wanted: WantedResource, live: Live): Promise<Live | undefined> {
  const { action } = step;
  // An existing resource that others may use is used as it is.
  if (wanted.shared) return live;
  if (live.owner === "other" || (live.owner === "none" && action !== "adopt"))
    throw new CloudError(changed("another one now has its name, without the owner mark of this package"));
  const differences = kind.differences(wanted, live);
  // Another run, or an earlier attempt whose answer was lost, has done it.
  if (differences.length === 0 && live.owner === "own") return live;
  // What it is part of was restored, and so it is visible again: to restore it is what the plan means.
  if (action === "create" && live.deleted && live.owner === "own") return kind.update(wanted, live);
  if (action === "create") throw new CloudError(changed("it exists now, and differs"));
  if (!sameAs(differences, step.changes)) throw new CloudError(changed("it differs in another way now"));
  return kind.update(wanted, live);
}

/** What is still there of what a step removes; undefined if it is gone. */
function liveToRemove(step: Step, reading: Known): Live | undefined {
  if (reading.state === "absent") return undefined;
  const { live } = reading;
  if (live.owner !== "own" || live.refusal !== undefined)
    throw new CloudError(changed("it is no longer this package's"));
  if (!isSameId(live.id, step.live?.id ?? step.id)) throw new CloudError(changed("it has another ID"));
  return live;
}

/** IDs have no case in Azure, and never differ by their case alone in other clouds. */
function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function isReplaced({ changes }: Step): boolean {
  return changes.some(({ replaces }) => replaces);
}

function changed(how: string): string {
  return `It changed after the plan was made: ${how}. Nothing was done with it. Run the same command again to see a new plan.`;
}

/** What is wanted follows from the package, and from what was assigned since the plan was made. So what was found decides. */
function sameAs(a: readonly Difference[], b: readonly Difference[]): boolean {
  const plain = (list: readonly Difference[]) =>
    canonicalJson(list.map(({ field, found }): Value => ({ field, found: found ?? null })));
  return plain(a) === plain(b);
}

function notAccepted(left: readonly Difference[]): string {
  const fields = left.map(({ field, found, wanted }) => `${field} is ${text(found)} instead of ${text(wanted)}`);
  return `The cloud accepted the request, but did not carry it out: ${fields.join("; ")}. A policy of the organization may set this.`;
}

function text(value: Value | undefined): string {
  return value === undefined ? "nothing" : canonicalJson(value);
}
