/*
 * Lines end where the parser sees a line break: a line feed, a carriage return with a line feed, or a carriage return
 * alone.
 */

const lineBreak = /\r\n?|\n/g;

/** The offset of the last character of the line break that ends the line of an offset, or the text's length. */
export function endOfLine(text: string, offset: number): number {
  // From here to the next of either: a text may have one kind alone, and to look for the other goes to its end.
  lineBreak.lastIndex = offset;
  return lineBreak.test(text) ? lineBreak.lastIndex - 1 : text.length;
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
