import type { ValueMap } from "../../../core/resource.ts";
import { azureRoles } from "../../../generated/azure-roles.ts";
import { namedAction, type Permissions } from "../../../permissions/permissions.ts";
import type { RoleDefinition, RoleDefinitions } from "../../../permissions/terms.ts";
import { permissionGrants } from "./role-permissions.ts";

/**
 * What Microsoft says about the built-in roles that requests may name (Azure documentation, "Azure built-in roles"): the files in
 * `src/clouds/azure/roles/`. A role that changes often is missing. By name and by UUID, in lowercase.
 */
export function knownRoles(): RoleDefinitions {
  known ??= new Map(
    azureRoles.flatMap(({ name, id, date, permissions }) => {
      const definition = { ...definitionOf(permissionGrants(permissions as readonly ValueMap[])), date };
      return [name.toLowerCase(), id].map((key) => [key, definition] as const);
    }),
  );
  return known;
}

let known: RoleDefinitions | undefined;

/** The definition of a role that allows something. */
export function definitionOf(grants: Permissions): Required<Pick<RoleDefinition, "permissions" | "grants">> {
  const names = grants.flatMap(({ actions }) => actions.map((action) => namedAction(action)?.name ?? action));
  return { permissions: [...new Set(names)], grants };
}
