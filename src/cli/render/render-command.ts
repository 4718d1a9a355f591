import { shellWord } from "../terminal/shell-word.ts";

/**
 * The command line that renders a package, for a message.
 *
 * @param renameFrom the former name of its ClusterIdentity, where that is given
 * @param allowed what it may take away, where that is given
 */
export function renderCommand(
  directory: string,
  onlyOurs = false,
  renameFrom?: string,
  allowed: ReadonlySet<string> = new Set(),
): string {
  const rename = renameFrom === undefined ? [] : ["--rename-from", shellWord(renameFrom)];
  const allow = allowed.size === 0 ? [] : ["--allow", [...allowed].sort().join(",")];
  return ["ccf render", ...rename, ...allow, ...packageArguments(directory, onlyOurs)].join(" ");
}

/** What names a package on a command line: the current directory goes without saying. */
export function packageArguments(directory: string, onlyOurs: boolean): string[] {
  return [...(onlyOurs ? ["--only-ours"] : []), ...(directory === "." ? [] : [shellWord(directory)])];
}
