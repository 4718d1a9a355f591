import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { compareText, decodeUtf8 } from "../../core/text.ts";

/*
 * The only module of commands that reads directories (biome.json). A file system lists a directory in any order, and Bun does not
 * sort as Node.js does, so all lists are sorted here.
 */

/** The names in a directory, sorted. System errors pass through. */
export function namesIn(directory: string): string[] {
  return readdirSync(directory).sort(compareText);
}

/** The entries of a directory, sorted by name. System errors pass through. */
export function entriesIn(directory: string): Dirent[] {
  return readdirSync(directory, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
}

/**
 * The entries below a directory that are not directories themselves, sorted by path, which is relative to the directory and has
 * slashes. Links are entries and are not followed. System errors pass through.
 */
export function filesBelow(directory: string): { readonly path: string; readonly entry: Dirent }[] {
  const below = (parent: string): { path: string; entry: Dirent }[] =>
    readdirSync(join(directory, parent), { withFileTypes: true }).flatMap((entry) => {
      const path = posix.join(parent, entry.name);
      return entry.isDirectory() ? below(path) : [{ path, entry }];
    });
  return below("").sort((a, b) => compareText(a.path, b.path));
}

/** The entries of a directory. */
export interface Listing {
  /** Sorted by name. */
  readonly entries: readonly Dirent[];
  /** Entries that no path can name, because their names are not UTF-8. */
  readonly unnamed: readonly Unnamed[];
}

/** An entry whose name is not UTF-8. */
interface Unnamed {
  /** The name, with each byte that is not ASCII as in `\xff`. */
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Lists a directory whose names may not be UTF-8. System errors pass through. */
export function listDirectory(path: string): Listing {
  const entries = entriesIn(path);
  // What cannot be decoded is replaced, but a name may also contain this character.
  if (!entries.some(({ name }) => name.includes("\ufffd"))) return { entries, unnamed: [] };
  const names = readdirSync(path, { encoding: "buffer" });
  const decoded = new Set(names.flatMap((name) => decodeUtf8(name) ?? []));
  const unnamed = names.filter((name) => decodeUtf8(name) === undefined);
  return {
    entries: entries.filter(({ name }) => decoded.delete(name)),
    unnamed: unnamed
      .map((name) => ({ name: escaped(name), isDirectory: isDirectory(path, name) }))
      .sort((a, b) => compareText(a.name, b.name)),
  };
}

function isDirectory(path: string, name: Buffer): boolean {
  return lstatSync(Buffer.concat([Buffer.from(`${path}/`), name]), { throwIfNoEntry: false })?.isDirectory() === true;
}

function escaped(name: Buffer): string {
  return [...name].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join("");
}
