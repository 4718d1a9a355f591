/*
 * Lines end where the parser sees a line break: a line feed, a carriage return with a line feed, or a carriage return
 * alone.
 */

/** The offset of the last character of the line break that ends the line of an offset, or the text's length. */
export function endOfLine(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  const end = feed < 0 ? text.length : feed;
  const carriage = text.slice(offset, end).indexOf("\r");
  return carriage < 0 || offset + carriage + 1 === feed ? end : offset + carriage;
}

/** The offset of the first character of an offset's line. */
export function startOfLine(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !endsLine(text, at)) at--;
  return at;
}

/** Says whether the character before an offset ends a line. */
export function endsLine(text: string, offset: number): boolean {
  const before = text[offset - 1];
  return before === "\n" || (before === "\r" && text[offset] !== "\n");
}
