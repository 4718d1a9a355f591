/** A path as a word of a shell's command line, which somebody may copy out of a message. */
export function shellWord(path: string): string {
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./+,@%:=-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}
