import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { unreadFields } from "../../../core/unread.ts";
import { undecidedGrants } from "../../../permissions/named.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { listGrants } from "./role-grants.ts";

/**
 * What the `permissions` of a role definition allow: everything that one of them allows (Azure REST API, Role Definitions,
 * Permission). A condition limits a permission in a way that is not compared, so it is undecided.
 *
 * @param resources where the role applies.
 */
export function permissionGrants(permissions: readonly ValueMap[], resources?: readonly string[]): Grant[] {
  return permissions.flatMap((permission) => {
    const { actions, notActions, dataActions, notDataActions, ...rest } = permission;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isNothing(value)));
    return [
      ...listGrants({ actions, notActions, dataActions, notDataActions }, resources),
      ...unreadFields(given).flatMap(undecidedGrants),
    ];
  });
}

// The Azure CLI writes fields without a value as null or {}.
function isNothing(value: Value | undefined): boolean {
  return value === null || (isMap(value) && Object.keys(value).length === 0);
}

/** The permissions of a role definition; undefined if the value is something else. */
export function readPermissions(permissions: Value | undefined): readonly ValueMap[] | undefined {
  return Array.isArray(permissions) && permissions.every(isMap) ? (permissions as readonly ValueMap[]) : undefined;
}
