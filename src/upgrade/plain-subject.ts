import type { Atom } from "../permissions/permissions.ts";

/** Whether a trust is that of a plain service account, which is listed by its name. */
export function isPlainSubject({ condition }: Atom, subjects: readonly string[]): boolean {
  return condition.some(({ key, values }) => key.endsWith(":sub") && subjects.includes(values[0] ?? ""));
}
