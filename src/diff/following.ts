import { canonicalJson } from "../core/json.ts";
import { allByKey, type Value } from "../core/resource.ts";
import type { Following, Location, ValueChange } from "./values.ts";

/** How many changes may be the cause of others: this bounds the time for packages that have nothing in common. */
const maxCauses = 100;

/** The shortest text that is not elsewhere by coincidence. */
const shortest = 6;

interface Leading {
  readonly change: ValueChange;
  readonly follows: Following[];
}

/**
 * Puts changes that follow from another one to that one: the same change in another file, and a text that differs only in that it
 * contains the new value in place of the old one.
 */
export function withFollowing(changes: readonly ValueChange[]): ValueChange[] {
  const isReview = ({ part }: ValueChange) => part === "review";
  // What weakens the review is said there.
  const leading = new Set(firstOfSame([...changes.filter(isReview), ...changes.filter((one) => !isReview(one))]));
  const causes = [...leading]
    .filter(({ change }) => isText(change.old) && isText(change.new))
    .sort((a, b) => String(a.change.old).length - String(b.change.old).length)
    .slice(0, maxCauses);
  for (const cause of causes) {
    if (!leading.has(cause)) continue;
    for (const one of followingFrom(cause, leading)) {
      cause.follows.push(followingOf(one.change), ...one.follows);
      leading.delete(one);
    }
  }
  const order = new Map(changes.map((change, index) => [change, index]));
  return [...leading]
    .sort((a, b) => (order.get(a.change) ?? 0) - (order.get(b.change) ?? 0))
    .map(({ change, follows }) => ({ ...change, follows }));
}

// A change of an identity is said of each identity.
function firstOfSame(changes: readonly ValueChange[]): Leading[] {
  const leading: Leading[] = [];
  const bySame = new Map<string, Leading>();
  for (const change of changes) {
    const key = sameKey(change);
    const first = bySame.get(key ?? "");
    if (first !== undefined && (change.identity ?? first.change.identity) === first.change.identity) {
      first.follows.push(followingOf(change));
      continue;
    }
    const one: Leading = { change, follows: [] };
    leading.push(one);
    if (key !== undefined) bySame.set(key, one);
  }
  return leading;
}

// Numbers and short texts are equal by coincidence, but not in fields with the same name.
function sameKey({ field, old, new: now, place }: ValueChange): string | undefined {
  if (old === undefined && now === undefined) return undefined;
  const name = /([^.[\]]*)(?:\[[^\]]*\])?$/.exec(field)?.[1]?.toLowerCase() || place;
  const isLong = [old, now].some((value) => typeof value === "object" || isText(value));
  return canonicalJson([old ?? null, now ?? null, isLong ? "" : name]);
}

function followingFrom(cause: Leading, leading: ReadonlySet<Leading>): Leading[] {
  const others = [...leading].filter((one) => one !== cause && one.change.part !== "review");
  const added = allByKey(others, ({ change }) => (change.old === undefined ? entryKey(change) : undefined));
  return others.flatMap((one) => {
    const { old, new: now } = one.change;
    if (explains(cause.change, one.change)) return [one];
    // An entry of a list that was replaced is removed and added.
    const entries = now === undefined && old !== undefined ? (added.get(entryKey(one.change)) ?? []) : [];
    const replacing = entries.find(({ change }) => explains(cause.change, { ...one.change, new: change.new ?? null }));
    return replacing === undefined ? [] : [one, replacing];
  });
}

function entryKey({ place, field }: Location): string {
  return JSON.stringify([place, field]);
}

function explains({ old: from, new: to }: ValueChange, { old, new: now }: ValueChange): boolean {
  if (typeof from !== "string" || typeof to !== "string" || old === undefined || now === undefined) return false;
  const [before, after] = [textOf(old), textOf(now)];
  return before !== from && before.includes(from) && before.replaceAll(from, to) === after;
}

function isText(value: Value | undefined): value is string {
  return typeof value === "string" && value.length >= shortest;
}

function textOf(value: Value): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

function followingOf({ place, field, identity, effect }: ValueChange): Following {
  return { place, field, ...(identity === undefined ? {} : { identity }), effect };
}
