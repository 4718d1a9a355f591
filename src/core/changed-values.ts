import { canonicalJson, readJson } from "./json.ts";
import { isMap, type Value, type ValueMap } from "./resource.ts";
import { compareText } from "./text.ts";

/** A value that differs between two sides. A side that does not have it is undefined. */
export interface ChangedValue {
  /** Where it is: names of fields, and entries of lists: `spec.issuer.signingKeys[k1]`; "" for the whole value. */
  readonly field: string;
  readonly old?: Value;
  readonly new?: Value;
}

/**
 * The values that differ, field by field, sorted. Nothing that differs is omitted: two values without differences are equal but for
 * the order of the keys of mappings and of the entries of lists, and for the layout of JSON in texts. An entry of a list of mappings
 * is paired with the entry of the same name, and is one value if only one side has it. An empty mapping or list differs from none.
 */
export function changedValues(old: Value | undefined, now: Value | undefined): ChangedValue[] {
  return changes(old, now, "").sort((a, b) => compareText(a.field, b.field) || compareText(textOf(a), textOf(b)));
}

function textOf({ old = null, new: now = null }: ChangedValue): string {
  return canonicalJson([old, now]);
}

function changes(before: Value | undefined, after: Value | undefined, field: string): ChangedValue[] {
  const [old, now] = [opened(before), opened(after)];
  if (old === undefined || now === undefined)
    return field === "" ? changed(before, after, field) : oneSided(old, now, field);
  if (isMap(old) && isMap(now)) return changedFields(old, now, field);
  if (Array.isArray(old) && Array.isArray(now)) return changedEntries(old, now, field);
  // A text in another layout than JSON, such as one with a newline at its end, is the same only if both are JSON.
  return canonicalJson(old) === canonicalJson(now) ? [] : changed(before, after, field);
}

// A field that only one side has is compared with nothing, part by part, so that each part is a value with a name.
function oneSided(old: Value | undefined, now: Value | undefined, field: string): ChangedValue[] {
  const value = old ?? now;
  const isEmpty = (old === undefined) === (now === undefined) || Object.keys(Object(value)).length === 0;
  if (isMap(value) && !isEmpty) return changedFields(isMap(old) ? old : {}, isMap(now) ? now : {}, field);
  if (Array.isArray(value) && !isEmpty)
    return changedEntries(Array.isArray(old) ? old : [], Array.isArray(now) ? now : [], field);
  return changed(old, now, field);
}

function changed(old: Value | undefined, now: Value | undefined, field: string): ChangedValue[] {
  if (old === undefined && now === undefined) return [];
  return [{ field, ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) }];
}

// A mapping or a list in a text, such as a key set in a provider, is compared as a value. JSON with a duplicate key stays a text,
// because not every reader uses the same value.
function opened(value: Value | undefined): Value | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const reading = readJson(value);
  return "value" in reading ? reading.value : value;
}

function changedFields(old: ValueMap, now: ValueMap, field: string): ChangedValue[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const own = (map: ValueMap, name: string) => (Object.hasOwn(map, name) ? map[name] : undefined);
  return [...names].flatMap((name) => changes(own(old, name), own(now, name), below(field, name)));
}

function below(field: string, name: string): string {
  const shown = /^[\w$/@-]+$/.test(name) ? name : JSON.stringify(name);
  return field === "" ? shown : `${field}.${shown}`;
}

function changedEntries(old: readonly Value[], now: readonly Value[], field: string): ChangedValue[] {
  const [removed, added] = [without(old, now), without(now, old)];
  const name = identifyingField(removed, added);
  if (name !== undefined) {
    const nameOf = (entry: Value) => String((entry as ValueMap)[name]);
    const others = new Map(added.map((entry) => [nameOf(entry), entry]));
    const names = new Set([...removed.map(nameOf), ...others.keys()]);
    const before = new Map(removed.map((entry) => [nameOf(entry), entry]));
    return [...names].flatMap((one) => entry(before.get(one), others.get(one), entryAt(field, one)));
  }
  const areMaps = [...removed, ...added].every(isMap);
  // Entries without names are paired by their order if each side has as many.
  if (areMaps && removed.length === added.length)
    return removed.flatMap((entry, index) => changes(entry, added[index], entryAt(field, String(old.indexOf(entry)))));
  return [
    ...removed.flatMap((one) => changed(one, undefined, entryAt(field, ""))),
    ...added.flatMap((one) => changed(undefined, one, entryAt(field, ""))),
  ];
}

function entry(old: Value | undefined, now: Value | undefined, field: string): ChangedValue[] {
  return old === undefined || now === undefined ? changed(old, now, field) : changes(old, now, field);
}

function entryAt(field: string, name: string): string {
  return `${field}[${/^[^\][\s]*$/.test(name) ? name : JSON.stringify(name)}]`;
}

// The entries that the other list does not have, or has fewer times.
function without(entries: readonly Value[], others: readonly Value[]): Value[] {
  const left = new Map<string, number>();
  for (const entry of others) {
    const key = canonicalJson(entry);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return entries.filter((entry) => {
    const key = canonicalJson(entry);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

/** The fields that name an entry of a list, in the formats of Kubernetes, JSON Web Key Sets, and the clouds. */
const identifying = ["name", "kid", "key", "Key", "Sid", "id", "Id", "rule", "role"] as const;

function identifyingField(...sides: readonly (readonly Value[])[]): string | undefined {
  const areNames = (field: string) =>
    sides.every((entries) => {
      const names = entries.map((entry) => (isMap(entry) && Object.hasOwn(entry, field) ? entry[field] : undefined));
      return names.every((name) => typeof name === "string") && new Set(names).size === names.length;
    });
  return sides.every((entries) => entries.length === 0) ? undefined : identifying.find(areNames);
}
