import { type Finding, finding } from "../../../core/finding.ts";
import { quote } from "../../../core/text.ts";
import { azureRoleIds } from "../../../generated/azure-role-ids.ts";
import type { AzureIdentity } from "../cluster/platform.ts";

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
