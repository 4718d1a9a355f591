import { type ChangedValue, changedValues } from "../core/changed-values.ts";
import type { Value } from "../core/resource.ts";
import { compareText, notShown } from "../core/text.ts";
import { cosmeticFields, type Effect, isReview, type Said, type ValueWords, wordsFor } from "./value-words.ts";

/** What a value is part of. The parts are shown in this order. */
export const parts = ["issuer", "identities", "manifests", "review", "configuration"] as const;
export type Part = (typeof parts)[number];

/** A file or an object of one side. */
export interface Placed {
  readonly part: Part;
  /** The text of a file, or the value of an object. */
  readonly value: Value;
  /** The identity, `<secret namespace>/<secret name>`, that it is a part of. */
  readonly identity?: string | undefined;
  /** Only a person or the cluster's own tools decide it, so an export does not contain it. */
  readonly isConfiguration?: true;
  /** Its values may be secret: those that may be shown, and how. */
  readonly secret?: SecretWords;
}

/** How the values of a Secret are shown. */
export interface SecretWords {
  /** The settings in a text of the Secret, by name; undefined if the text contains none. */
  settingsIn(key: string, text: string): ReadonlyMap<string, string> | undefined;
  /** The value, if it may be shown. */
  shown(setting: string, value: string): string | undefined;
}

/** Everything of one side by its place: a path of an export, an object, a file of the package. */
export type Contents = ReadonlyMap<string, Placed>;

/** A place and a field in it. */
export interface Location {
  readonly place: string;
  /** Empty for the whole file or object. */
  readonly field: string;
}

/** A value that differs, with words for a person. */
export interface ValueChange extends Location {
  readonly part: Part;
  readonly identity?: string | undefined;
  /** The values, unless they may be secret. A side that does not have it is undefined. */
  readonly old?: Value;
  readonly new?: Value;
  /** It is narrowed only if that is decided. */
  readonly effect: Effect;
  /** One line; it begins with "+", "-", or "~". */
  readonly text: string;
  /** Where else the same change is, or what it changes in turn: only the old value is replaced by the new one there. */
  readonly follows: readonly Following[];
}

/** A value that changes because another one does. */
export interface Following extends Location {
  readonly identity?: string;
  readonly effect: Effect;
}

/** What decides how changes are worded. */
export interface Wording {
  readonly words: readonly ValueWords[];
  /** How many identities the cluster has now. */
  readonly identities: number;
}

/**
 * The values that differ, sorted by part, identity, and place. Nothing that differs is omitted but descriptions, display names, and the
 * order of lists and fields. If one side is an export, what an export does not contain is not compared.
 */
export function changedContents(old: Contents, now: Contents, wording: Wording): ValueChange[] {
  const both = [old, now].every((side) => [...side.values()].some((one) => one.isConfiguration === true));
  const places = [...new Set([...old.keys(), ...now.keys()])].sort(compareText);
  const changes = places.flatMap((place) => {
    const [before, after] = [old.get(place), now.get(place)];
    const placed = after ?? before;
    if (placed === undefined || (placed.isConfiguration === true && !both)) return [];
    if (before?.value === after?.value) return [];
    // A file of lines that does not exist has none.
    const none = Array.isArray(placed.value) ? [] : undefined;
    return changedValues(before?.value ?? none, after?.value ?? none)
      .filter(({ field }) => !isCosmetic(placed, field))
      .flatMap((change) => worded(place, placed, change, { before: before?.value, after: after?.value }, wording));
  });
  return changes.sort(byPart);
}

function isCosmetic({ part }: Placed, field: string): boolean {
  return (part === "issuer" || part === "identities") && cosmeticFields.test(field);
}

function byPart(a: ValueChange, b: ValueChange): number {
  return (
    parts.indexOf(a.part) - parts.indexOf(b.part) ||
    compareText(a.identity ?? "", b.identity ?? "") ||
    compareText(a.place, b.place) ||
    compareText(a.field, b.field)
  );
}

interface Sides {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

function worded(
  place: string,
  { part, identity, secret }: Placed,
  change: ChangedValue,
  sides: Sides,
  wording: Wording,
): ValueChange[] {
  const { field } = change;
  const at = { part: isReview(place, field) ? ("review" as const) : part, identity, place, field, follows: [] };
  if (secret !== undefined) return secretChanges(at, change, secret);
  const { old, new: now } = change;
  const values = { ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
  return [{ ...at, ...values, ...wordsFor(place, change, sides, wording) }];
}

type At = Omit<ValueChange, "effect" | "text">;

// Anything can be in a Secret, so only what has the form of its setting is shown.
function secretChanges(at: At, { field, old, new: now }: ChangedValue, secret: SecretWords): ValueChange[] {
  const key = /^data\.(?:"([^"]*)"|([^.]*))/.exec(field);
  const name = key?.[1] ?? key?.[2];
  const isWhole = field === "";
  if (name === undefined && !isWhole && !/^(?:data|stringData)$/.test(field)) {
    const values = { ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
    return [{ ...at, ...values, ...plain(at, field, old, now) }];
  }
  if (isWhole || name === undefined) {
    const sign = old === undefined ? "+" : now === undefined ? "-" : "~";
    return [{ ...at, effect: "broadened", text: `${sign} ${at.place}${field === "" ? "" : `: ${field}`}` }];
  }
  const inside = field.slice(key?.[0].length).replace(/^\./, "");
  const settings = [old, now].map((value) =>
    typeof value !== "string"
      ? new Map<string, string>()
      : (secret.settingsIn(name, value) ?? new Map([[inside || name, value]])),
  );
  const [before = new Map<string, string>(), after = new Map<string, string>()] = settings;
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  const changed = names.filter((one) => before.get(one) !== after.get(one));
  if (changed.length === 0) {
    const text = `~ ${at.place}: the text of ${name} changed, but none of its settings`;
    return [{ ...at, effect: "broadened", text }];
  }
  return changed.map((one) => {
    const given = [before.get(one), after.get(one)];
    const [was, is] = given.map((value) => (value === undefined ? undefined : secret.shown(one, value)));
    const values = { ...(was === undefined ? {} : { old: was }), ...(is === undefined ? {} : { new: is }) };
    const [old, now] = [was, is].map((value, index) => value ?? (given[index] === undefined ? undefined : notShown));
    return { ...at, field: one === name ? field : `${field}: ${one}`, ...values, ...plain(at, one, old, now) };
  });
}

function plain(at: At, field: string, old: Value | undefined, now: Value | undefined): Said {
  const change = { field, ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
  return wordsFor(at.place, change, { before: undefined, after: undefined }, { words: [], identities: 0 });
}
