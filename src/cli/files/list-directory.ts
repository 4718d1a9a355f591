import { type Dirent, readdirSync } from "node:fs";
import { decodeUtf8 } from "../../yaml/text.ts";

/** The entries of a directory. */
export interface Listing {
  readonly entries: readonly Dirent[];
  /** Entries that no path can name, because their names are not UTF-8. */
  readonly unnamed: readonly Unnamed[];
}

/** An entry whose name is not UTF-8. */
export interface Unnamed {
  /** The name, with each byte that is not ASCII as in `\xff`. */
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Lists a directory. System errors pass through. */
export function listDirectory(path: string): Listing {
  const entries = readdirSync(path, { withFileTypes: true });
  // Node replaces what it cannot decode, but a name may also contain this character.
  if (!entries.some(({ name }) => name.includes("\ufffd"))) return { entries, unnamed: [] };
  const raw = readdirSync(path, { withFileTypes: true, encoding: "buffer" }) as unknown as RawEntry[];
  const unnamed = raw.filter(({ name }) => decodeUtf8(name) === undefined);
  const replaced = new Set(unnamed.map(({ name }) => name.toString("utf8")));
  return {
    entries: entries.filter(({ name }) => !replaced.has(name)),
    unnamed: unnamed.map((entry) => ({ name: escaped(entry.name), isDirectory: entry.isDirectory() })),
  };
}

type RawEntry = Pick<Dirent, "isDirectory"> & { readonly name: Buffer };

function escaped(name: Buffer): string {
  return [...name].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join("");
}
