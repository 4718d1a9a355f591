import { shortHash } from "../../../core/sha256.ts";

/** IAM's limit on the names of roles. */
export const longestRoleName = 64;

/**
 * The name of a request's role: `<prefix>-<secret namespace>-<secret name>`. What is over 64 characters is cut as ccoctl
 * cuts it, so that existing clusters keep their roles, or cut and ended in a hash of the whole.
 *
 * @returns undefined where the name is too long and `Fail` is asked for.
 */
export function roleName(
  prefix: string,
  secretNamespace: string,
  secretName: string,
  overflow: "Truncate" | "Hash" | "Fail",
): string | undefined {
  const full = `${prefix}-${secretNamespace}-${secretName}`;
  if (full.length <= longestRoleName) return full;
  if (overflow === "Fail") return undefined;
  if (overflow === "Truncate") return full.slice(0, longestRoleName);
  const hash = shortHash(full);
  return `${full.slice(0, longestRoleName - hash.length - 1).replace(/[-.]+$/, "")}-${hash}`;
}
