import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Finding, finding } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { nearestDirectory } from "../files/nearest-directory.ts";

/** A private file: its path in the directory, and the line of a .gitignore that leaves it out wherever it stands. */
export interface PrivateFile {
  readonly path: string;
  readonly ignoreLine: string;
}

/**
 * Says why private files in a directory could get into Git, or undefined where they could not: there is no Git work tree,
 * or it ignores them all. Where nobody can tell, they could.
 */
export function couldBeCommitted(directory: string, files: readonly PrivateFile[]): Finding | undefined {
  const { there, real } = nearestDirectory(directory);
  const workTree = workTreeOf(real);
  if (workTree === undefined) return undefined;
  const answers = files.map((file) => ({ file, answer: ask(real, relative(there, join(directory, file.path))) }));
  const reason = answers.find(({ answer }) => answer.is === "unknown")?.answer;
  if (reason?.is === "unknown") {
    return inGit(workTree, `and nobody can say whether Git ignores private keys there: ${reason.why}`, elsewhere);
  }
  const tracked = answers.filter(({ answer }) => answer.is === "tracked").map(({ file }) => file);
  if (tracked.length > 0) {
    const cure =
      "Treat the key as known to others: remove it from Git, and make a new one in a directory outside of it.";
    return inGit(workTree, `and Git tracks ${list(tracked)} already`, cure);
  }
  const taken = answers.filter(({ answer }) => answer.is === "taken").map(({ file }) => file);
  if (taken.length === 0) return undefined;
  const lines = taken.map(({ ignoreLine }) => ignoreLine).join(" and ");
  return inGit(
    workTree,
    `and Git does not ignore ${list(taken)} there`,
    `${elsewhere}, or add to .gitignore: ${lines}`,
  );
}

const elsewhere = "Give a directory outside of it, or --allow-in-git";

function inGit(workTree: string, what: string, cure: string): Finding {
  const message = `${quoteWhole(workTree)} is a Git work tree, ${what}. ${cure}${cure.endsWith(".") ? "" : "."}`;
  return finding("error", "key-pair-in-git", message);
}

function list(files: readonly PrivateFile[]): string {
  return files.map(({ path }) => quote(path)).join(" and ");
}

// A directory in a repository, a file in a worktree and a submodule.
function workTreeOf(start: string): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    if (lstatSync(join(directory, ".git"), { throwIfNoEntry: false }) !== undefined) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

type Answer = { readonly is: "ignored" | "tracked" | "taken" } | { readonly is: "unknown"; readonly why: string };

// git check-ignore: 0 ignored, 1 not, 128 failed. Whatever the rules say, it does not count a tracked file as ignored.
function ask(directory: string, path: string): Answer {
  const first = checkIgnore(directory, path, []);
  if (first.error !== undefined) {
    return { is: "unknown", why: `git cannot be run (${(first.error as NodeJS.ErrnoException).code ?? "error"})` };
  }
  if (first.status === 0) return { is: "ignored" };
  if (first.status !== 1) return { is: "unknown", why: `git says ${quote(first.stderr.split("\n")[0] ?? "")}` };
  return { is: checkIgnore(directory, path, ["--no-index"]).status === 0 ? "tracked" : "taken" };
}

function checkIgnore(directory: string, path: string, flags: readonly string[]) {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  // A path that begins with ":" would be more to Git than a path.
  const args = ["check-ignore", "--quiet", ...flags, "--", `./${path}`];
  return spawnSync("git", args, { cwd: directory, env: environment(), encoding: "utf8" });
}

// GIT_DIR, GIT_WORK_TREE, GIT_CONFIG_COUNT and others would have Git answer for another repository or by other rules. A
// directory that is mounted into a work tree is a part of it to whoever adds files above the mount.
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith("GIT_"));
  return { ...Object.fromEntries(kept), LC_ALL: "C", GIT_DISCOVERY_ACROSS_FILESYSTEM: "1" };
}
