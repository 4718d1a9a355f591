import { printable } from "./text.ts";

/**
 * A path or a name as a shell word, which the user can copy from a message. Terminal control characters and invisible characters
 * are written as octal bytes, in the form that bash, zsh, ksh and POSIX.1-2024 read: `$'a\\033b'`.
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
