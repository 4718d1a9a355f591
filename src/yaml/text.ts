/** Bytes as text, including a byte order mark; undefined if they are not UTF-8. No byte is ever replaced. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/*
 * Lines end where the parser sees a line break: a line feed, a carriage return with a line feed, or a single carriage
 * return.
 */

const lineBreak = /\r\n?|\n/g;

/** The offset of the last character of the line break that ends the line at an offset, or the length of the text. */
export function endOfLine(text: string, offset: number): number {
  // One search for both kinds: if the text has only one of them, a search for the other would run to its end.
  lineBreak.lastIndex = offset;
  return lineBreak.test(text) ? lineBreak.lastIndex - 1 : text.length;
}

/** The offset of the first character of the line at an offset. */
export function startOfLine(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !endsLine(text, at)) at--;
  return at;
}

/** Whether the character before an offset ends a line. */
export function endsLine(text: string, offset: number): boolean {
  const before = text[offset - 1];
  return before === "\n" || (before === "\r" && text[offset] !== "\n");
}
