/**
 * Texts on one line, separated by commas. If there are more than `most`, the rest is only counted.
 *
 * @example listed(["a", "b", "c"], 2) // "a, b and 1 more"
 */
export function listed(texts: readonly string[], max: number): string {
  const shown = texts.slice(0, max).join(", ");
  return texts.length > max ? `${shown} and ${texts.length - max} more` : shown;
}

/**
 * Alternatives in a sentence.
 *
 * @example alternatives(["a", "b", "c"]) // "a, b or c"
 */
export function alternatives(texts: readonly string[]): string {
  const [last = "", ...others] = [...texts].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`;
}

/**
 * The known name nearest to a mistyped one: the one with the fewest edits (insert, delete, replace, swap of neighbors),
 * or one that starts with the mistyped name. Undefined if no name is close enough for a typing error.
 *
 * Names with a slash or an underscore, such as those of Secrets and their client IDs, are long and similar. There, more
 * than two edits are another object.
 *
 * @param max the most edits.
 */
export function nearest(name: string, known: Iterable<string>, max = maxEdits(name)): string | undefined {
  return nearestOf(name, known, 1, max)[0];
}

/** The known names that are near enough for a typing error, the nearest first, and at most `count`: see {@link nearest}. */
export function nearestOf(
  name: string,
  known: Iterable<string>,
  count: number,
  max = maxEdits(name),
): readonly string[] {
  return Array.from(known, (candidate) => ({ candidate, edits: nearness(name, candidate) }))
    .filter(({ edits }) => edits <= max)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

function maxEdits(name: string): number {
  return /[/_]/.test(name) ? 2 : Math.max(2, Math.ceil(name.length / 3));
}

/** ` (did you mean "x"?)`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

/** How many of many names get a hint: they have one cause, and a hint compares a name with all others. */
const maxHints = 20;

/**
 * {@link didYouMean} for many names. Only the first get a hint, so that the work does not grow with the square of a list.
 *
 * @param known the names that exist, read once.
 */
export function hintsAmong(known: Iterable<string>): (name: string) => string {
  const all = [...known];
  let left = maxHints;
  return (name) => (left-- > 0 ? didYouMean(name, all) : "");
}

function nearness(name: string, candidate: string): number {
  return isStart(name, candidate) ? 1 : editsBetween(name.toLowerCase(), candidate.toLowerCase());
}

// The start of a name counts as an abbreviation of it.
function isStart(name: string, candidate: string): boolean {
  return name.length > 2 && name.length < candidate.length && candidate.toLowerCase().startsWith(name.toLowerCase());
}

/**
 * The fewest edits (insert, delete, replace, swap of neighbors) that change one name into another; infinite for long names, which are
 * not worth the square of their length.
 */
// Optimal string alignment, three rows at a time.
export function editsBetween(a: string, b: string): number {
  if (a.length > 100 || b.length > 100) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let edits = Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      }
      current.push(edits);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}

/**
 * The plural of a noun that messages use.
 *
 * @example plural("managed identity") // "managed identities"
 */
export function plural(noun: string): string {
  return noun.replace(/([^aeiou])y$/, "$1ie").concat("s");
}

/** A number of things: "1 package", "2 packages". */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : plural(noun)}`;
}
