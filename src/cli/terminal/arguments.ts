import { shellWord } from "../../core/shell.ts";
import { quote } from "../../core/text.ts";
import { UsageError } from "./errors.ts";

/** Why a command line with a token is refused, before any message could repeat the token. */
export const neverAnArgument =
  'never pass a token as an argument, because other processes and the shell history can see it; write the token to a file, or pass "-" and pipe it in';

/**
 * Refuses arguments that contain a JSON Web Token.
 * @throws UsageError, whose message repeats no part of the token.
 */
export function refuseTokens(args: readonly string[]): void {
  if (args.some((arg) => /eyJ[\w-]{8,}\.[\w-]/.test(arg))) throw new UsageError(neverAnArgument);
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Reads a time that the user typed, as RFC 3339 or seconds since the epoch, and returns seconds since the epoch. */
export function readTime(text: string): number {
  const time = /^\d{1,12}$/.test(text)
    ? Number(text)
    : rfc3339.test(text)
      ? Date.parse(text.toUpperCase()) / 1000
      : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `--time must be a time such as "2026-01-31T12:00:00Z" or seconds since the epoch, not ${quote(text)}`,
    );
  return time;
}

/**
 * The command line that renders a package, for a message.
 *
 * @param renameFrom the previous name of its ClusterIdentity
 * @param allowed the allowances
 */
export function renderCommandLine(
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
