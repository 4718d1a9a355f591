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
