import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Finding, finding } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { nearestDirectory } from "../files/paths.ts";
import { runGit } from "../run-git.ts";

/** A private file: its path in the directory, and the .gitignore line that excludes it in any directory. */
export interface PrivateFile {
  readonly path: string;
  readonly ignoreLine: string;
}

/**
 * Reports private files in a directory that could be committed to Git. Undefined if there is no Git work tree, or if it
 * ignores all of the files. If Git cannot tell, they could be committed.
 */
export function couldBeCommitted(directory: string, files: readonly PrivateFile[]): Finding | undefined {
  const { there, real } = nearestDirectory(directory);
  const workTree = workTreeOf(real);
  if (workTree === undefined) return undefined;
  // Git runs where .git is. Between there and the keys, it could find another repository than the one in the message.
  const below = (file: PrivateFile) => join(relative(workTree, real), relative(there, join(directory, file.path)));
  const answers = files.map((file) => ({ file, answer: ask(workTree, below(file)) }));
  const reason = answers.find(({ answer }) => answer.is === "unknown")?.answer;
  if (reason?.is === "unknown") {
    return inGit(
      workTree,
      `and it is unknown whether Git ignores private keys there: ${reason.why}`,
      `${outside}, or use --allow-in-git`,
    );
  }
  const tracked = answers.filter(({ answer }) => answer.is === "tracked").map(({ file }) => file);
  if (tracked.length > 0) {
    const cure =
      "Remove the key from Git, treat it as compromised, and create a new key pair in a directory outside the work tree.";
    return inGit(workTree, `and Git already tracks ${list(tracked)}`, cure);
  }
  const taken = answers.filter(({ answer }) => answer.is === "taken").map(({ file }) => file);
  if (taken.length === 0) return undefined;
  const lines = taken.map(({ ignoreLine }) => ignoreLine).join(" and ");
  return inGit(
    workTree,
    `and Git does not ignore ${list(taken)} there`,
    `${outside}, add ${lines} to .gitignore, or use --allow-in-git`,
  );
}

const outside = "Set --output-dir to a directory outside the work tree";

function inGit(workTree: string, what: string, cure: string): Finding {
  const message = `${quoteWhole(workTree)} is a Git work tree, ${what}. ${cure}${cure.endsWith(".") ? "" : "."}`;
  return finding("error", "key-pair-in-git", message);
}

function list(files: readonly PrivateFile[]): string {
  return files.map(({ path }) => quote(path)).join(" and ");
}

// .git is a directory in a repository, and a file in a linked work tree or a submodule.
function workTreeOf(start: string): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    if (lstatSync(join(directory, ".git"), { throwIfNoEntry: false }) !== undefined) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

type Answer = { readonly is: "ignored" | "tracked" | "taken" } | { readonly is: "unknown"; readonly why: string };

// git check-ignore exits with 0 if the path is ignored, 1 if not, 128 for failure. It never reports a tracked file as
// ignored.
function ask(workTree: string, path: string): Answer {
  const first = checkIgnore(workTree, path, []);
  if (first === undefined) return { is: "unknown", why: "git is not in any absolute directory of PATH" };
  if (first.error !== undefined) {
    return { is: "unknown", why: `git cannot be run (${(first.error as NodeJS.ErrnoException).code ?? "error"})` };
  }
  if (first.status === 0) return { is: "ignored" };
  if (first.status !== 1) return { is: "unknown", why: `git reported ${quote(first.stderr.split("\n")[0] ?? "")}` };
  return { is: checkIgnore(workTree, path, ["--no-index"])?.status === 0 ? "tracked" : "taken" };
}

// "./" is needed because Git gives a special meaning to a path that begins with ":".
function checkIgnore(workTree: string, path: string, flags: readonly string[]) {
  return runGit(workTree, ["check-ignore", "--quiet", ...flags, "--", `./${path}`]);
}
