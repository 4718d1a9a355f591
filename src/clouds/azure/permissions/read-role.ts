import { isUuid } from "../../../core/hash.ts";
import { isMap, textAt, type Value } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import type { DescribedRole } from "../../inspector.ts";
import { definitionOf } from "./known-roles.ts";
import { permissionGrants, readPermissions } from "./role-permissions.ts";

/**
 * Reads the output of `az role definition list --name ROLE --output json`: a list with one role. A text says what is wrong with it.
 * Undefined if it is something else.
 */
export function readRole(answer: Value): DescribedRole | string | undefined {
  if (Array.isArray(answer) && answer.length !== 1) return "must contain one role";
  const role: Value = Array.isArray(answer) ? ((answer as readonly Value[])[0] as Value) : answer;
  if (!isMap(role) || role["roleName"] === undefined)
    return Array.isArray(answer) ? "must contain one role" : undefined;
  const [name, id] = [textAt(role, ["roleName"]), textAt(role, ["name"])];
  if (name === "" || !isUuid(id)) return 'must have a "roleName" such as "Reader", and a UUID as "name"';
  const permissions = readPermissions(role["permissions"]);
  const grants = permissionGrants(permissions ?? []);
  if (grants.length === 0) return `describes ${quote(name)} without actions in "permissions"`;
  return { names: [name.toLowerCase(), id.toLowerCase()], ...definitionOf(grants) };
}
