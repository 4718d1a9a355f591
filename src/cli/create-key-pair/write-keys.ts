import { linkSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoteWhole } from "../../core/text.ts";
import { fileFinding } from "../files/package-files.ts";
import {
  clearStage,
  makeStage,
  stageDirectory,
  syncDirectory,
  type WriteTarget,
  writeAtomically,
} from "../files/stage.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** A file to create. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * The stage of new keys. After an interruption, the next run derives missing files, or creates a key if there is none.
 */
export function keyTarget(directory: string): WriteTarget {
  return { directory, command: "create-key-pair" };
}

const ignoreFile = ".gitignore";

/**
 * Creates files in order, each atomically and without replacing an existing file: a link fails if the name exists, but
 * a rename would replace the file. Each name is flushed to disk before the next file is created.
 */
export function writeKeys(directory: string, files: readonly NewFile[]): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const stage = makeStage(keyTarget(directory));
  try {
    expectPermissions(directory, stage);
    // A killed run leaves a key in the stage, and Git must ignore it.
    writeAtomically(join(stage, ignoreFile), "*\n", 0o644);
    for (const [index, { text, mode }] of files.entries()) writeAtomically(join(stage, String(index)), text, mode);
    for (const [index, { path }] of files.entries()) {
      const target = join(directory, path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      linkNew(join(stage, String(index)), target, path);
      syncDirectory(dirname(target));
    }
  } finally {
    clearKeyStage(directory);
  }
}

/** Removes the stage: keys first, so that .gitignore exists as long as they do. */
export function clearKeyStage(directory: string): void {
  const stage = join(directory, stageDirectory("create-key-pair"));
  for (const name of readdirSync(stage)) {
    if (name !== ignoreFile) rmSync(join(stage, name), { recursive: true, force: true });
  }
  clearStage(keyTarget(directory));
}

// Some file systems ignore the mode and give every user access. Windows uses other mechanisms.
function expectPermissions(directory: string, stage: string): void {
  if (process.platform === "win32" || (lstatSync(stage).mode & 0o077) === 0) return;
  throw new UsageError(
    `the file system of ${quoteWhole(directory)} does not support permissions, so every user could read a private key there; use a directory on another file system`,
  );
}

function linkNew(from: string, to: string, path: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const message = "was created by another program during the run and was not changed; run the command again.";
    throw new FindingsError([fileFinding("error", "file-changed", path, message)]);
  }
}
