import { type Finding, FindingError, finding } from "../core/finding.ts";
import { redacted } from "../network/secrets.ts";

/**
 * The error for an image that cannot be read. Known secrets in its message are replaced.
 *
 * @param message what is wrong, where, and what to do. What a server or a file says in it has passed `quote` or `printable`.
 */
export function imageError(code: Finding["code"], message: string): FindingError {
  return new FindingError(finding("error", code, redacted(message)));
}
