import { printable } from "../core/text.ts";
import { shellWord } from "./shell-word.ts";

/** The command line that renders a package, for a message. */
export function renderCommand(directory: string, onlyOurs = false): string {
  return ["ccf render", ...packageArguments(directory, onlyOurs)].join(" ");
}

/** What names a package on a command line: the current directory goes without saying. */
export function packageArguments(directory: string, onlyOurs: boolean): string[] {
  return [...(onlyOurs ? ["--only-ours"] : []), ...(directory === "." ? [] : [shellWord(printable(directory))])];
}
