/** A text in lines that are not wider than a width, if its words are not: these stay whole, so that they can be copied. */
export function wrapped(text: string, width: number, first = "", others = first): string[] {
  return wrappedWords(text.split(" "), width, first, others);
}

/** The same for words that may contain spaces. @param first what begins the first line, and `others` the other ones. */
export function wrappedWords(words: readonly string[], width: number, first = "", others = first): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      [line, isEmpty] = [others, true];
    }
    line += `${isEmpty ? "" : " "}${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
