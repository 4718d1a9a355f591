/*
 * How much is tried of what could be tried without end: random cases, and the calls at which a run is killed or fails. With
 * `npm test`, and where a file is run by hand, as much as finds a mistake in what was just changed; with
 * `npm run test:all` (CCF_EFFORT=full) many times as much. CCF_PROPERTY_RUNS and CCF_FUZZ_CASES ask for a number of their own.
 *
 * `npm run test:all -- --rest` runs those files of `npm test` again that import this one, and no others.
 */

const isFull = process.env["CCF_EFFORT"] === "full";

/** How many random cases of a property are tried: all that are given, or a tenth, but at least so many. */
export function runs(full: number, least = 20): number {
  return asked("CCF_PROPERTY_RUNS") ?? (isFull ? full : Math.min(full, Math.max(least, Math.ceil(full / 10))));
}

/** How many random inputs a function is given. */
export function fuzzCases(full: number): number {
  return asked("CCF_FUZZ_CASES") ?? (isFull ? full : Math.ceil(full / 10));
}

/**
 * The calls, counted from 1, at which something happens to a run: `most` of them, or every one; with little effort `few`.
 * They are spread over the whole run.
 */
export function moments(calls: number, { most = calls, few = 6 }: { most?: number; few?: number } = {}): number[] {
  const count = Math.min(calls, isFull ? most : few);
  return Array.from({ length: count }, (_, index) => 1 + Math.floor((index * calls) / count));
}

function asked(name: string): number | undefined {
  const number = process.env[name];
  return number === undefined ? undefined : Number(number);
}
