import { azureRoleIds } from "../../../generated/azure-role-ids.ts";

const unboundedRoles = ["User Access Administrator", "Owner"];

/** Whether the holder of a role can give itself every other role. */
export function isUnbounded(id: string): boolean {
  return unboundedRoles.some((name) => azureRoleIds[name] === id.toLowerCase());
}
