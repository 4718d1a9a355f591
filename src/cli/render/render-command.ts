import { shellWord } from "../terminal/arguments.ts";

/**
 * The command line that renders a package, for a message.
 *
 * @param renameFrom the previous name of its ClusterIdentity
 * @param allowed the allowances
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

/** The arguments that select a package, none for the current directory, or all packages below a directory. */
export function packageArguments(directory: string, onlyOurs: boolean, recursive = false): string[] {
  const place = recursive ? ["--recursive", shellWord(directory)] : directory === "." ? [] : [shellWord(directory)];
  return [...(onlyOurs ? ["--only-ours"] : []), ...place];
}
