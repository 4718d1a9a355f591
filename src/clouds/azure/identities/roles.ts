import { type Finding, finding } from "../../../core/finding.ts";
import { quote } from "../../../core/text.ts";
import { azureRoleIds } from "../../../generated/azure-role-ids.ts";
import type { AzurePlatform } from "../../../generated/cluster-identity.ts";
import type { AzureIdentity } from "../cluster/cluster.ts";

const unboundedRoles = ["User Access Administrator", "Owner"];

/** Whether the holder of a role can give itself every other role. */
export function isUnbounded(id: string): boolean {
  return unboundedRoles.some((name) => azureRoleIds[name] === id.toLowerCase());
}

const field = "spec.platform.azure.roles";

/**
 * Reports a role of the config whose ID contradicts the ID that this version knows, or that another spelling of the name
 * has: a request would get another role than it names.
 */
export function contradictingRoles({ resource, azure }: Pick<AzureIdentity, "resource" | "azure">): Finding[] {
  const known = new Map(Object.entries(azureRoleIds).map(([name, id]) => [name.toLowerCase(), id]));
  return Object.entries(azure.roles ?? {}).flatMap(([name, id]) => {
    const other = known.get(name.toLowerCase()) ?? id;
    known.set(name.toLowerCase(), other);
    if (other.toLowerCase() === id.toLowerCase()) return [];
    const message = `"${field}" gives the role ${quote(name)} the ID ${quote(id)}, but its ID is ${quote(other)}; remove the wrong one. Azure compares names of roles without case.`;
    return [finding("error", "config-invalid-field", message, { resource, field })];
  });
}

/** The IDs of the built-in roles that the config adds, in lowercase, by name in lowercase. */
export function configRoles({ roles = {} }: Pick<AzurePlatform, "roles">): ReadonlyMap<string, string> {
  return new Map(Object.entries(roles).map(([name, id]) => [name.toLowerCase(), id.toLowerCase()]));
}
