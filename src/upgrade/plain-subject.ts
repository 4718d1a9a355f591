import type { Atom } from "../permissions/permissions.ts";

/** Whether a way to become an identity is that of a service account, which is told as one. */
export function isPlainSubject({ condition }: Atom, subjects: readonly string[]): boolean {
  return condition.some(({ key, values }) => key.endsWith(":sub") && subjects.includes(values[0] ?? ""));
}
