import type { AzurePlatform } from "../../../generated/cluster-identity.ts";

/** The IDs of the built-in roles that the config adds, in lowercase, by name in lowercase. */
export function configRoles({ roles = {} }: Pick<AzurePlatform, "roles">): ReadonlyMap<string, string> {
  return new Map(Object.entries(roles).map(([name, id]) => [name.toLowerCase(), id.toLowerCase()]));
}
