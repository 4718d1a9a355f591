/*
 * A search in a list, for each of as many objects, takes the square of their number. A map made once takes each object once.
 */

/** The members of a list by a key; of several with the same key, the first. A member whose key is undefined is omitted. */
export function firstByKey<K, T>(list: readonly T[], keyOf: (one: T) => K | undefined): ReadonlyMap<K, T> {
  const found = new Map<K, T>();
  for (const one of list) {
    const key = keyOf(one);
    if (key !== undefined && !found.has(key)) found.set(key, one);
  }
  return found;
}

/** The members of a list by a key, each key with all its members in their order. A member whose key is undefined is omitted. */
export function allByKey<K, T>(list: readonly T[], keyOf: (one: T) => K | undefined): ReadonlyMap<K, readonly T[]> {
  const found = new Map<K, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const same = found.get(key);
    if (same === undefined) found.set(key, [one]);
    else same.push(one);
  }
  return found;
}
