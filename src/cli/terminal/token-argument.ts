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
