import { azureRoleIds } from "../../../generated/azure-role-ids.ts";

const byId = new Map(Object.entries(azureRoleIds).map(([name, id]) => [id, name] as const));
const byName = new Map(Object.keys(azureRoleIds).map((name) => [name.toLowerCase(), name] as const));

/** The name under which comparisons know a role: that of a built-in role; otherwise its UUID. */
export function nameOfRole(id: string): string {
  return byId.get(id.toLowerCase()) ?? id.toLowerCase();
}

/**
 * The name under which comparisons know a role that a request names. A rendered package contains only its UUID, so a role that
 * the config adds is known by that.
 *
 * @param added UUIDs of roles by name, from the config.
 */
export function nameOfRequestedRole(name: string, added: Readonly<Record<string, string>> = {}): string {
  const key = name.toLowerCase();
  const id = Object.entries(added).find(([other]) => other.toLowerCase() === key)?.[1];
  return id === undefined ? (byName.get(key) ?? name) : nameOfRole(id);
}
