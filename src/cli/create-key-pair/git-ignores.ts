import { lstatSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type Finding, finding } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { nearestDirectory } from "../files/paths.ts";
import { runGit } from "../run-git.ts";

/**
 * Reports private files, given by their paths in a directory, that could be committed to Git: none if there is no Git
 * work tree, or if it ignores all of the files. If Git cannot tell, they could be committed.
 */
export function couldBeCommitted(directory: string, paths: readonly string[]): Finding[] {
  const { there, real } = nearestDirectory(directory);
  const workTree = workTreeOf(real);
  if (workTree === undefined) return [];
  const inGit = (what: string, cure: string) => [
    finding("error", "key-pair-in-git", `${quoteWhole(workTree)} is a Git work tree, and ${what}. ${cure}.`),
  ];
  const outside = "Set --output-dir to a directory outside the work tree";
  const tracked: string[] = [];
  const taken: string[] = [];
  for (const path of paths) {
    // Git runs where .git is. Between there and the keys, it could find another repository than the one in the message.
    const answer = ask(workTree, join(relative(workTree, real), relative(there, join(directory, path))));
    if (typeof answer === "object") {
      const what = `it is unknown whether Git ignores private keys there: ${answer.unknown}`;
      return inGit(what, `${outside}, or use --allow-in-git`);
    }
    if (answer === "tracked") tracked.push(path);
    if (answer === "taken") taken.push(path);
  }
  if (tracked.length > 0) {
    const cure =
      "Remove the key from Git, treat it as compromised, and create a new key pair in a directory outside the work tree";
    return inGit(`Git already tracks ${tracked.map(quote).join(" and ")}`, cure);
  }
  if (taken.length === 0) return [];
  // A line without a slash excludes a file in any directory.
  const lines = taken.map((path) => basename(path)).join(" and ");
  return inGit(
    `Git does not ignore ${taken.map(quote).join(" and ")} there`,
    `${outside}, add ${lines} to .gitignore, or use --allow-in-git`,
  );
}

// .git is a directory in a repository, and a file in a linked work tree or a submodule.
function workTreeOf(start: string): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    if (lstatSync(join(directory, ".git"), { throwIfNoEntry: false }) !== undefined) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

type Answer = "ignored" | "tracked" | "taken" | { readonly unknown: string };

// git check-ignore exits with 0 if the path is ignored, 1 if not, 128 for failure. It never reports a tracked file as
// ignored.
function ask(workTree: string, path: string): Answer {
  const first = checkIgnore(workTree, path, []);
  if (first === undefined) return { unknown: "git is not in any absolute directory of PATH" };
  if (first.error !== undefined) {
    return { unknown: `git cannot be run (${(first.error as NodeJS.ErrnoException).code ?? "error"})` };
  }
  if (first.status === 0) return "ignored";
  if (first.status !== 1) return { unknown: `git reported ${quote(first.stderr.split("\n")[0] ?? "")}` };
  return checkIgnore(workTree, path, ["--no-index"])?.status === 0 ? "tracked" : "taken";
}

// "./" is needed because Git gives a special meaning to a path that begins with ":".
function checkIgnore(workTree: string, path: string, flags: readonly string[]) {
  return runGit(workTree, ["check-ignore", "--quiet", ...flags, "--", `./${path}`]);
}
