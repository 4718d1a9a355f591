import type { Permissions } from "./permissions.ts";

/** What a role consisted of when it was described. Its owner may have changed it since. */
export interface RoleDefinition {
  /** The names of its permissions. In a cloud whose roles contain wildcards, the actions in `grants`. */
  readonly permissions: readonly string[];
  /** In a cloud whose roles contain wildcards: what it allows, on the resource "*". A role has its own exceptions. */
  readonly grants?: Permissions;
  /** The month in which the cloud described it so, such as "2026-08", for a definition that comes with the program. */
  readonly date?: string;
  /** The file with the definition, if the user named it. */
  readonly file?: string;
}

/**
 * Definitions by the name of the role: as the cloud writes it, such as `roles/dns.admin`, or in lowercase in a cloud that
 * ignores case. Either all of them have `grants`, or none.
 */
export type RoleDefinitions = ReadonlyMap<string, RoleDefinition>;

/** Whether the roles of a cloud contain wildcards. */
export function haveWildcards(definitions: RoleDefinitions): boolean {
  return [...definitions.values()].some(({ grants }) => grants !== undefined);
}
