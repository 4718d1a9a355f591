/** The width of help and of explanations, the same on every terminal and in every file. */
export const helpWidth = 80;

/** The lines of a paragraph. A word that is longer than a line has a line of its own. */
export function wrapped(paragraph: string, width = helpWidth): string[] {
  return paragraph.match(new RegExp(`(?=\\S).{1,${width}}(?!\\S)|\\S+|^$`, "g")) ?? [];
}
