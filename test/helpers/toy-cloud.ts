import { setImmediate } from "node:timers/promises";
import type { Plan, Step } from "../../src/apply/plan.ts";
import { CloudError } from "../../src/apply/requests.ts";
import type { Extra, Inside, Kind, Live, Reading, State, Target } from "../../src/apply/resource.ts";
import { type Outcome, runPlan } from "../../src/apply/run.ts";
import type { Difference } from "../../src/core/difference.ts";
import type { WantedResource } from "../../src/core/wanted-resource.ts";

/** What a test wants of a resource: the rest is usual. */
export function toy(id: string, more: Partial<WantedResource> = {}): WantedResource {
  return { kind: "toy", id, name: `name-${id}`, needs: [], body: { color: "red" }, ...more };
}

/** A toy as it is in the cloud. */
export function liveToy(id: string, more: Partial<Live> = {}): Live {
  return { id, owner: "own", value: { color: "red" }, ...more };
}

/** Something of the package in the cloud that the package does not have. */
export function extraToy(id: string, more: Partial<Extra> = {}): Extra {
  return { kind: "toy", id, name: `name-${id}`, live: liveToy(id), needs: [], ...more };
}

/** A cloud of toys, which have one field, a color. It records what happens to them, and when. */
export class ToyCloud {
  readonly live = new Map<string, Live>();
  /** The resources that could not be read, with the reason. */
  readonly unread = new Map<string, string>();
  /** The writes that fail, by ID. */
  readonly failing = new Set<string>();
  /** What is inside of a resource. */
  readonly contents = new Map<string, readonly Inside[]>();
  /** `create a`, `created a`, and so on, in the order in which they happened. */
  readonly events: string[] = [];
  /** What is written at the same time, at most. */
  most = 0;
  readonly #running = new Set<string>();
  /** The IDs that were written while another write of this cloud was running, with that one. */
  readonly overlaps: (readonly [string, string])[] = [];

  readonly kind: Kind = {
    read: async ({ id }) => this.#reading(id),
    readExtra: async ({ id }) => this.#reading(id),
    differences: ({ body }, live): Difference[] => {
      const found = live?.value["color"];
      return found === body["color"] ? [] : [{ field: "color", found, wanted: body["color"] }];
    },
    create: (wanted) => this.#write("create", wanted.id, () => this.#set(wanted)),
    update: (wanted) => this.#write("update", wanted.id, () => this.#set(wanted)),
    remove: async ({ id }) => {
      await this.#write("remove", id, () => this.live.delete(id));
    },
    inside: async ({ id }) => this.contents.get(id) ?? [],
    command: () => [],
  };

  /** What the engine is told of a package with these resources. */
  target(wanted: readonly WantedResource[], kind: Partial<Kind> = {}): Target {
    return {
      ...{ place: "Toy cloud", facts: {}, prefix: "demo", wanted, settles: 0, documents: new Map() },
      kinds: { toy: { ...this.kind, ...kind } },
      check: async () => undefined,
      read: async () => this.state(wanted),
    };
  }

  /** What a reading of everything finds. */
  state(wanted: readonly WantedResource[], more: Partial<State> = {}): State {
    const readings = new Map(wanted.map(({ id }) => [id, this.#reading(id)]));
    return { readings, extras: { found: [] }, notes: [], ...more };
  }

  /** Carries a plan out. */
  async run(plan: Plan, isStopped = () => false, wanted: readonly WantedResource[] = []): Promise<Ran> {
    const waited: number[] = [];
    const told: string[] = [];
    const run = {
      isStopped,
      done: ({ id }: Step) => told.push(`done ${id}`),
      failed: ({ id }: Step, problem: string) => told.push(`failed ${id}: ${problem}`),
      waiting: (seconds: number) => waited.push(seconds),
    };
    const outcome = await runPlan(this.target(wanted), plan, run);
    const ids = (steps: readonly Step[]) => steps.map(({ id }) => id).sort();
    return {
      outcome,
      ...{
        done: ids(outcome.done),
        failed: ids(outcome.failed.map(({ step }) => step)),
        skipped: ids(outcome.skipped),
      },
      ...{ waited, told },
    };
  }

  #reading(id: string): Reading {
    const problem = this.unread.get(id);
    if (problem !== undefined) return { state: "unread", problem };
    const live = this.live.get(id);
    return live === undefined ? { state: "absent" } : { state: "present", live };
  }

  #set({ id, body }: WantedResource): void {
    this.live.set(id, liveToy(id, { value: body }));
  }

  async #write(what: string, id: string, change: () => void): Promise<undefined> {
    this.events.push(`${what} ${id}`);
    for (const other of this.#running) this.overlaps.push([other, id]);
    this.#running.add(id);
    this.most = Math.max(this.most, this.#running.size);
    // Whatever may run meanwhile, starts meanwhile.
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    this.#running.delete(id);
    if (this.failing.has(id)) throw new CloudError(`${what} ${id}: 500.`);
    change();
    this.events.push(`${what}d ${id}`);
    return undefined;
  }
}

/** What a run did. */
interface Ran {
  readonly outcome: Outcome;
  /** IDs. */
  readonly done: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly waited: readonly number[];
  readonly told: readonly string[];
}
