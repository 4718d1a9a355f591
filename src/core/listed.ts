/**
 * Texts in one line, with commas between them; where there are more than `most`, how many more.
 *
 * @example listed(["a", "b", "c"], 2) // "a, b and 1 more"
 */
export function listed(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most).join(", ");
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown;
}
