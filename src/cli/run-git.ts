import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Runs `git` in a work tree that may be hostile. Nothing in that directory selects the program or makes Git
 * start another one: not its configuration, a hook, a directory that looks like a bare repository, or a partial clone. This
 * is the only module that starts a process (`tools/check-output.mjs`).
 */
export function runGit(workTree: string, args: readonly string[]) {
  const program = gitProgram();
  if (program === undefined) return undefined;
  return spawnSync(program, [...settings, ...args], { cwd: workTree, env: environment(), encoding: "utf8" });
}

// These take precedence over the configuration of the work tree, and over each file that it includes.
const settings = [
  // Git runs this program whenever it reads the index.
  ...["-c", "core.fsmonitor=false"],
  ...["-c", `core.hooksPath=${devNull}`],
  // Otherwise, Git takes any directory with "HEAD", "objects", and "refs" for a repository, and these files can be tracked.
  ...["-c", "safe.bareRepository=explicit"],
];

// GIT_DIR, GIT_WORK_TREE, GIT_CONFIG_COUNT and similar variables would make Git use another repository or other rules.
// In a partial clone, Git fetches an object that it lacks, and its configuration names the program that fetches.
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith("GIT_"));
  return { ...Object.fromEntries(kept), LC_ALL: "C", GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
}

// Windows looks in the current directory first, and a relative entry of PATH is a directory in it.
function gitProgram(): string | undefined {
  const name = process.platform === "win32" ? "git.exe" : "git";
  const directories = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return directories.map((directory) => join(directory, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
