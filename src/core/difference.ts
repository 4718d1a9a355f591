import { canonicalJson } from "./json.ts";
import type { Value, ValueMap } from "./resource.ts";

/** A field of a resource that differs. A side that does not have it is undefined. */
export interface Difference {
  readonly field: string;
  readonly found?: Value | undefined;
  readonly wanted?: Value | undefined;
  /** Why no write can mend it, and what to do: the end of a sentence. */
  readonly fixed?: string;
  /** The cloud cannot change it: an update removes the resource and creates it again. */
  readonly replaces?: true;
}

/** The fields that differ, of two views that have the same fields. Without a resource, all fields that have a value. */
export function differing(
  wanted: ValueMap,
  found: ValueMap | undefined,
  fixed: Readonly<Record<string, string>> = {},
): Difference[] {
  return Object.entries(wanted).flatMap(([field, one]): Difference[] => {
    if (found === undefined) return one === "" || one === false ? [] : [{ field, wanted: one }];
    const there = found[field];
    if (there !== undefined && canonicalJson(there) === canonicalJson(one)) return [];
    const cannot = fixed[field];
    return [{ field, found: there, wanted: one, ...(cannot === undefined ? {} : { fixed: cannot }) }];
  });
}
