import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { blockedParent } from "./blocked-parent.ts";
import { UsageError } from "./errors.ts";
import type { FileChange } from "./file-change.ts";

/**
 * How a package is written so that nothing can leave it half written.
 *
 * 1. Every new file is written whole into a directory of its own inside the package, and so is a list of what will
 *    happen. Whatever stops the run here, no file of the package has changed.
 * 2. The list gets its final name: from here on the change is decided.
 * 3. Each new file takes the place of the old one in one step. Whatever stops the run here, each file is the old or the
 *    new one, and the list says how to finish.
 * 4. The directory goes.
 */
export const journalDirectory = ".ccf-render";

const listName = "journal.json";
const ownerName = "process";

/** One file of a change that is decided. Texts are known by their SHA-256, and undefined where there is no file. */
interface Entry {
  readonly path: string;
  readonly staged: string;
  readonly before?: string;
  readonly after?: string;
}

/** Writes changes, each file whole or not at all, and all of them or, at the next run, the rest. */
export function writeFiles(directory: string, changes: readonly FileChange[]): void {
  if (changes.length === 0) return;
  stage(directory, changes);
  finish(directory, readEntries(directory));
}

function stage(directory: string, changes: readonly FileChange[]): void {
  const journal = join(directory, journalDirectory);
  try {
    mkdirSync(journal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw busy();
    throw error;
  }
  try {
    writeWhole(join(journal, ownerName), String(process.pid), 0o644);
    const entries = changes.map(({ path, before, after }, place): Entry => {
      const staged = String(place);
      if (after !== undefined) writeWhole(join(journal, staged), after, modeOf(join(directory, path)));
      return {
        path,
        staged,
        ...(before === undefined ? {} : { before: digest(before) }),
        ...(after === undefined ? {} : { after: digest(after) }),
      };
    });
    writeWhole(join(journal, `${listName}.new`), JSON.stringify(entries), 0o644);
    renameSync(join(journal, `${listName}.new`), join(journal, listName));
    syncDirectory(journal);
  } catch (error) {
    rmSync(journal, { recursive: true, force: true });
    throw error;
  }
}

/** What an interrupted run left behind. */
export interface Interrupted {
  /** The change was decided: the rest of it can be carried out. Otherwise no file has changed yet. */
  readonly decided: boolean;
  /** Files that are still the old ones. */
  readonly left: readonly string[];
  /** Files that somebody else changed since; they are not touched. */
  readonly changed: readonly string[];
}

/** Looks for what an interrupted run left behind; undefined where there is nothing. */
export function findInterrupted(directory: string): Interrupted | undefined {
  if (!existsSync(join(directory, journalDirectory))) return undefined;
  if (isAtWork(directory)) throw busy();
  const entries = readEntries(directory);
  if (entries.length === 0) return { decided: false, left: [], changed: [] };
  const states = entries.map((entry) => ({ path: entry.path, state: stateOf(directory, entry) }));
  const of = (wanted: string) => states.filter(({ state }) => state === wanted).map(({ path }) => path);
  return { decided: true, left: of("old"), changed: of("other") };
}

// The run that made the directory may still be at work: then it is not for another one to finish.
function isAtWork(directory: string): boolean {
  try {
    const owner = Number(readFileSync(join(directory, journalDirectory, ownerName), "utf8"));
    return Number.isInteger(owner) && owner > 0 && process.kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function busy(): UsageError {
  return new UsageError(`another "ccf render" is writing here; if none is, remove the directory ${journalDirectory}`);
}

/** Carries out the rest of an interrupted run's change, or clears away what it had only prepared. */
export function recover(directory: string): void {
  finish(directory, readEntries(directory));
}

function finish(directory: string, entries: readonly Entry[]): void {
  const journal = join(directory, journalDirectory);
  for (const entry of entries) {
    const target = join(directory, entry.path);
    if (stateOf(directory, entry) !== "old") continue;
    if (entry.after === undefined) {
      unlinkSync(target);
    } else {
      mkdirSync(dirname(target), { recursive: true });
      renameSync(join(journal, entry.staged), target);
    }
  }
  for (const parent of new Set(entries.map(({ path }) => dirname(join(directory, path))))) syncDirectory(parent);
  // The list goes first: a directory without it is one that holds nothing that counts.
  rmSync(join(journal, listName), { force: true });
  rmSync(journal, { recursive: true, force: true });
}

function stateOf(directory: string, { path, before, after, staged }: Entry): "old" | "new" | "other" {
  if (blockedParent(directory, path) !== undefined) return "other";
  const current = digestOf(join(directory, path));
  if (current === after) return "new";
  if (current !== before) return "other";
  return after === undefined || digestOf(join(directory, journalDirectory, staged)) === after ? "old" : "other";
}

function readEntries(directory: string): readonly Entry[] {
  const path = join(directory, journalDirectory, listName);
  if (!existsSync(path)) return [];
  try {
    const entries: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

// The list is a file of the package, and whoever can write to that could have written it: it names nothing outside.
function isEntry(entry: unknown): entry is Entry {
  if (typeof entry !== "object" || entry === null || !("path" in entry) || !("staged" in entry)) return false;
  const { path, staged } = entry;
  if (typeof path !== "string" || typeof staged !== "string" || !/^\d+$/.test(staged)) return false;
  return (
    path !== "" &&
    !path.startsWith("/") &&
    path.split("/").every((step) => step !== "" && step !== "." && step !== "..")
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function digestOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "not a file";
}

function modeOf(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}

function writeWhole(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    const bytes = Buffer.from(text, "utf8");
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// A new name is on the disk only when its directory is. Some systems cannot do that for a directory, and do not need it.
function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EISDIR" && code !== "EPERM" && code !== "EINVAL" && code !== "ENOENT") throw error;
  }
}
