import type { Selection } from "./select-packages.ts";

/** The state of a package for which the command failed. */
export const failed = "failed";

/**
 * The last line of a command: "60 packages: 57 up to date, 2 would change, 1 failed".
 *
 * @param states in the order of the line; {@link failed} follows them.
 * @param counts how many packages have each state.
 */
export function summary(
  { places, all, limits }: Selection,
  states: readonly string[],
  counts: ReadonlyMap<string, number>,
): string {
  const total = all.length;
  if (places.length === 0 && limits[0] === "touched") return `0 packages touched, of ${total}`;
  const packages = `${total} package${total === 1 ? "" : "s"}`;
  const limited = limits.length === 0 ? packages : `${places.length} of ${packages} (${limits.join(", ")})`;
  const counted = [...states, failed].flatMap((state) => {
    const count = counts.get(state) ?? 0;
    return count === 0 ? [] : `${count} ${state}`;
  });
  return counted.length === 0 ? limited : `${limited}: ${counted.join(", ")}`;
}
