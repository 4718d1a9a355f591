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
