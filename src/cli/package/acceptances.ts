import { inspectors, rulesFor } from "../../clouds/inspectors.ts";
import { isMap, type Value } from "../../core/resource.ts";

/** The field whose entries are merged: see {@link mergedAcceptances}. */
export const acceptPath: readonly string[] = ["spec", "accept"];

/** Whether a path is that of `spec.accept`. */
export function isAccept(path: readonly string[]): boolean {
  return path.length === acceptPath.length && acceptPath.every((key, index) => key === path[index]);
}

/**
 * The entries of `spec.accept` after others were added to it. An entry is known by its rule and object: a given one takes the
 * place of one with the same rule and object, and the others stay.
 *
 * @param before the entries of the package; anything but a list has none.
 * @param keeps an entry of the package wins over a given one.
 */
export function mergedAcceptances(
  before: Value | undefined,
  given: readonly Value[],
  keeps: boolean,
): readonly Value[] {
  const merged: Value[] = Array.isArray(before) ? [...before] : [];
  for (const entry of given) {
    const at = merged.findIndex((one) => keyOf(one) !== undefined && keyOf(one) === keyOf(entry));
    if (at === -1) merged.push(entry);
    else if (!keeps) merged[at] = entry;
  }
  return merged;
}

function keyOf(entry: Value): string | undefined {
  if (!isMap(entry)) return undefined;
  const { rule, object } = entry;
  return typeof rule === "string" && typeof object === "string" ? `${rule} ${object}` : undefined;
}

/**
 * The entries without those for rules that only other clouds have.
 *
 * @param platform the cloud of the package.
 */
export function entriesFor(platform: string | undefined, entries: readonly Value[]): readonly Value[] {
  const own = new Set(rulesFor(...inspectors.filter(({ name }) => name === platform)).map(({ code }): string => code));
  const all = new Set(rulesFor(...inspectors).map(({ code }): string => code));
  return entries.filter((entry) => {
    const rule = isMap(entry) ? entry["rule"] : undefined;
    return typeof rule !== "string" || own.has(rule) || !all.has(rule);
  });
}
