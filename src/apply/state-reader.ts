import type { ValueMap } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import { attempt, inParallel } from "./requests.ts";
import type { Extra, Kind, Live, Owner, Reading, ReadOptions } from "./resource.ts";

/** What was not read, and why. */
export type Unread = Extract<Reading, { state: "unread" }>;

/** @param problem a whole sentence. */
export function unread(problem: string): Unread {
  return { state: "unread", problem };
}

/** Whether something could not be read. */
export function isUnread(value: object): value is Unread {
  return "state" in value && value.state === "unread";
}

/** A reading of what a read answered. */
export function readingOf(live: Live | undefined): Reading {
  return live === undefined ? { state: "absent" } : { state: "present", live };
}

/** The reading of a part of a resource. @param owner whose the resource is. */
export function partReading(live: Live | undefined, owner: Owner): Reading {
  return live === undefined ? { state: "absent", parent: owner } : { state: "present", live };
}

/** The resource that a reading found; undefined if it found none. */
export function liveIn(reading: Reading): Live | undefined {
  return reading.state === "present" ? reading.live : undefined;
}

/** What readings found. */
export function livesIn(readings: readonly Reading[]): Live[] {
  return readings.flatMap((one) => liveIn(one) ?? []);
}

/** The same as {@link readingOf}, of a value as an answer contains it, which becomes a resource as `live` says. */
export function readingWith(
  value: ValueMap | undefined,
  live: (value: ValueMap) => Omit<Live, "value"> & Partial<Pick<Live, "value">>,
): Reading {
  return readingOf(value && { value, ...live(value) });
}

/** Does what several packages need only once. */
export class Once {
  readonly #known = new Map<string, unknown>();

  /** What was done before with this key, or what is done now. */
  get<T>(key: string, make: () => T): T {
    if (!this.#known.has(key)) this.#known.set(key, make());
    return this.#known.get(key) as T;
  }
}

/** What the readers of all clouds share: they collect what is read for one package. */
export class StateReader<Context extends { readonly resources: { readonly wanted: readonly WantedResource[] } }> {
  protected readonly context: Context;
  protected readonly how: ReadOptions;
  /** Of the wanted resources, by ID. */
  protected readonly readings = new Map<string, Reading>();
  protected readonly extras: Extra[] = [];
  /** Why it is not known what is not in the package. */
  protected readonly problems: string[] = [];
  protected readonly notes: string[] = [];
  readonly #kinds: Readonly<Record<string, Kind>>;

  constructor(context: Context, kinds: Readonly<Record<string, Kind>>, how: ReadOptions) {
    this.context = context;
    this.#kinds = kinds;
    this.how = how;
  }

  protected kind({ kind }: Pick<WantedResource, "kind">): Kind {
    const found = this.#kinds[kind];
    if (found === undefined) throw new Error(`unknown kind: ${kind}`);
    return found;
  }

  /** Reads something that decides what is not in the package. If that fails, nothing is known about that. */
  protected async try<T extends object>(read: () => Promise<T>): Promise<T | Unread> {
    const value = await attempt(read);
    if (!("problem" in value)) return value;
    this.problems.push(String(value.problem));
    return unread(String(value.problem));
  }

  /** Reads the wanted resources of a kind, some at a time. A failure concerns only its own resource. */
  protected async each(kind: string, read: (one: WantedResource) => Promise<Reading>): Promise<void> {
    const { wanted } = this.context.resources;
    await inParallel(
      wanted.filter((one) => one.kind === kind),
      width,
      async (one) => {
        const reading = await attempt(() => read(one));
        this.readings.set(one.id, "problem" in reading ? unread(reading.problem) : reading);
        this.how.progress(this.readings.size, wanted.length);
      },
    );
  }

  /** Reads what is in those wanted resources of a kind that exist and are the package's. It is reported beside them. */
  protected async inOwn(
    kind: string,
    read: (one: WantedResource, live: Live) => Promise<readonly Extra[]>,
  ): Promise<void> {
    for (const one of this.context.resources.wanted.filter((wanted) => wanted.kind === kind)) {
      const reading = this.readings.get(one.id);
      if (reading?.state !== "present" || reading.live.owner !== "own") continue;
      const found = await this.try(() => read(one, reading.live));
      if (!isUnread(found)) this.extras.push(...found);
    }
  }

  /** What is part of something that does not exist does not exist either; what is part of something unknown is unknown. */
  protected async within(
    one: WantedResource,
    read: (owner: Owner, parent: Live) => Promise<Reading>,
  ): Promise<Reading> {
    const parent = this.parent(one);
    if (parent.state === "unread") return parent;
    const isThere = parent.state === "present" && parent.live.refusal === undefined;
    return isThere ? read(parent.live.owner, parent.live) : { state: "absent" };
  }

  /** What was read of the resource that this one is part of. */
  protected parent({ part = "" }: WantedResource): Reading {
    return this.readings.get(part) ?? unread("It was not read.");
  }
}

/** How many requests are under way for one package. */
export const width = 6;
