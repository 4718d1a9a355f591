import { isMap, type Value } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { gcpRoles, gcpRolesDate } from "../../../generated/gcp-roles.ts";
import type { RoleDefinitions } from "../../../permissions/terms.ts";
import type { DescribedRole } from "../../inspector.ts";
import { unpacked } from "./packed.ts";

/**
 * What Google says about the predefined roles that requests of OpenShift's releases and operators name: the output of
 * `gcloud iam roles describe` in `src/clouds/gcp/roles/`. Only comparisons load this module, because it is large.
 */
export function predefinedRoles(): RoleDefinitions {
  known ??= new Map(
    Object.entries(gcpRoles).map(([name, text]) => [name, { permissions: unpacked(text), date: gcpRolesDate }]),
  );
  return known;
}

let known: RoleDefinitions | undefined;

/** The full name of a predefined or a custom role (Google Cloud IAM API reference, "roles.get"). */
const roleName = /^(?:(?:projects|organizations)\/[a-z0-9][-:.a-z0-9]*\/)?roles\/[A-Za-z0-9_.]+$/;

/** The name of a permission, with its service and its resource (IAM API reference, "includedPermissions"). */
const permissionName = /^[a-z][-A-Za-z0-9.]*(?:\/[A-Za-z0-9]+)?(?:\.[A-Za-z0-9_]+)+$/;

/** Reads the output of `gcloud iam roles describe ROLE --format=json`; a text says what is wrong with it. */
export function readRole(answer: Value): DescribedRole | string {
  if (!isMap(answer)) return "must contain one role";
  const { name, includedPermissions: permissions, deleted } = answer;
  if (typeof name !== "string" || !roleName.test(name))
    return 'must have a "name" such as "roles/dns.admin" or "projects/my-project/roles/disks"';
  if (deleted === true) return `describes ${quote(name)}, which is deleted`;
  // The output of "gcloud iam roles list" lacks the permissions: a role would seem to allow nothing.
  if (!Array.isArray(permissions) || permissions.length === 0) return 'has no "includedPermissions"';
  const list = permissions as readonly Value[];
  const wrong = list.find((permission) => typeof permission !== "string" || !permissionName.test(permission));
  return wrong === undefined
    ? { names: [name], permissions: list as readonly string[] }
    : `contains ${quote(wrong)} in "includedPermissions", which is not a permission`;
}
