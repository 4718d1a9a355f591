/** What a role consisted of when it was described. Its owner may have changed it since. */
export interface RoleDefinition {
  /** The names of its permissions. */
  readonly permissions: readonly string[];
  /** The month in which the cloud described it so, such as "2026-08", for a definition that comes with the program. */
  readonly date?: string;
  /** The file with the definition, if the user named it. */
  readonly file?: string;
}

/** Definitions by the full name of the role, such as `roles/dns.admin`. */
export type RoleDefinitions = ReadonlyMap<string, RoleDefinition>;
