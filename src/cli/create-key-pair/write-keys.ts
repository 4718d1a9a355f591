import { linkSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoteWhole } from "../../core/text.ts";
import { syncDirectory, writeAtomically } from "../files/atomic-write.ts";
import { fileFinding } from "../files/package-files.ts";
import { clearStage, makeStage, stageDirectory, type WriteTarget } from "../files/stage.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** A file that is made where there is none. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** Where keys are written first. The next run derives what is missing, or makes another key where there is none yet. */
export function keyTarget(directory: string): WriteTarget {
  return { directory, command: "create-key-pair" };
}

const ignoreFile = ".gitignore";

/**
 * Makes files in their order, each whole or not at all, and in the place of no other: a link fails where a name is taken,
 * and a move would not. Each name is on the disk before the next one is made.
 */
export function writeKeys(directory: string, files: readonly NewFile[]): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const stage = makeStage(keyTarget(directory));
  try {
    expectPermissions(directory, stage);
    // A run that is killed leaves a key here: Git shall not take it.
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

/** Clears the stage away: keys first, so that the file that hides them from Git is there as long as they are. */
export function clearKeyStage(directory: string): void {
  const stage = join(directory, stageDirectory("create-key-pair"));
  for (const name of readdirSync(stage)) {
    if (name !== ignoreFile) rmSync(join(stage, name), { recursive: true, force: true });
  }
  clearStage(keyTarget(directory));
}

// Some file systems give everything to everybody, whatever is asked for. Windows has other means.
function expectPermissions(directory: string, stage: string): void {
  if (process.platform === "win32" || (lstatSync(stage).mode & 0o077) === 0) return;
  throw new UsageError(
    `the file system of ${quoteWhole(directory)} keeps no permissions, so everybody could read a private key there`,
  );
}

function linkNew(from: string, to: string, path: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const message = "was made by somebody else during the run, and is left as it is; run again.";
    throw new FindingsError([fileFinding("error", "file-changed", path, message)]);
  }
}
