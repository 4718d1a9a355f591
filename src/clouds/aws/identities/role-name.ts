import { shortHash } from "../../../core/hash.ts";
import { maxRoleName } from "../limits.ts";

/**
 * The name of a request's role: `<prefix>-<secret namespace>-<secret name>`. A name that is too long for IAM is truncated
 * as ccoctl does it, so that existing clusters keep their roles, or truncated with a hash of the whole name at its end.
 *
 * @returns undefined if the name is too long and `overflow` is `Fail`.
 */
export function roleName(
  prefix: string,
  secretNamespace: string,
  secretName: string,
  overflow: "Truncate" | "Hash" | "Fail",
): string | undefined {
  const full = `${prefix}-${secretNamespace}-${secretName}`;
  if (full.length <= maxRoleName) return full;
  if (overflow === "Fail") return undefined;
  if (overflow === "Truncate") return full.slice(0, maxRoleName);
  const hash = shortHash(full);
  return `${full.slice(0, maxRoleName - hash.length - 1).replace(/[-.]+$/, "")}-${hash}`;
}
