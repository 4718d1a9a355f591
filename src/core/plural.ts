/**
 * The plural of a noun that messages use.
 *
 * @example plural("managed identity") // "managed identities"
 */
export function plural(noun: string): string {
  return noun.replace(/([^aeiou])y$/, "$1ie").concat("s");
}
