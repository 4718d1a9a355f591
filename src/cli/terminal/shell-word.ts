import { printable } from "../../core/text.ts";

/**
 * A path as a word of a shell's command line, for the reader to copy out of a message. Where characters could act on a
 * terminal or cannot be seen, they are written in bytes, as bash, zsh, ksh and POSIX.1-2024 read them: `$'a\\033b'`.
 */
export function shellWord(path: string): string {
  const safe = path.startsWith("-") ? `./${path}` : path;
  if (/^[\w./+,@%:=-]+$/.test(safe)) return safe;
  if (printable(safe) === safe) return `'${safe.replaceAll("'", `'\\''`)}'`;
  return `$'${[...safe].map(inBytes).join("")}'`;
}

function inBytes(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  if (printable(character) === character) return character;
  return [...Buffer.from(character, "utf8")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
