import { UsageError } from "./errors.ts";

/** Why a token on a command line is refused, before anything repeats what it saw there. */
export const neverAnArgument =
  "a token is never an argument, where every process and the shell's history can see it; write it to a file, or give - and pipe it in";

/**
 * Stops where an argument holds a JSON Web Token.
 * @throws UsageError, which repeats nothing of it.
 */
export function refuseTokens(args: readonly string[]): void {
  if (args.some((arg) => /eyJ[\w-]{8,}\.[\w-]/.test(arg))) throw new UsageError(neverAnArgument);
}
