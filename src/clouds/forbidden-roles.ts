import { matches } from "../permissions/glob.ts";
import { type Atom, namedAction } from "../permissions/permissions.ts";
import { findInGranted, type JudgedPermissions, quotedList } from "../rules/granted.ts";
import type { Requirement } from "../rules/policy.ts";

/**
 * Forbids roles, by their names in requests and in rendered files.
 *
 * @param field of the policy.
 * @param patterns names with wildcards.
 * @param isNameKnown whether the text with which a file names a role is its name; otherwise it is undecided which role it is.
 */
export function forbiddenRoles(
  field: string,
  patterns: readonly string[] | undefined,
  isNameKnown: (role: string) => boolean = () => true,
): readonly Requirement[] {
  if (patterns === undefined) return [];
  const sets = patterns.map((pattern) => pattern.toLowerCase());
  const isForbidden = (role: string) => sets.some((set) => matches(set, role.toLowerCase()));
  return [
    {
      field,
      code: "policy-forbidden",
      check: ({ granted }) => [
        // A file of an unknown form may grant every role.
        ...findInGranted(granted, (judged) =>
          firstRole(
            judged,
            (role) => role === undefined || isForbidden(role),
            (role) =>
              role === undefined ? "may have any role: a file cannot be read." : `has the role ${quotedList([role])}.`,
          ),
        ),
        ...findInGranted(granted, (judged) =>
          firstRole(
            judged,
            (role) => role !== undefined && !isForbidden(role) && !isNameKnown(role),
            (role = "") => `has the role ${quotedList([role])}, whose name is not known.`,
          ),
        ).map((violation) => ({ ...violation, isUndecided: true as const })),
      ],
    },
  ];
}

function firstRole(
  { allowed }: JudgedPermissions,
  is: (role: string | undefined) => boolean,
  say: (role: string | undefined) => string,
): { readonly message: string; readonly part: Atom } | undefined {
  for (const part of [...allowed.values()].flat()) {
    const named = namedAction(part.action);
    if (named !== undefined && named.kind !== "role") continue;
    if (is(named?.name)) return { message: say(named?.name), part };
  }
  return undefined;
}
