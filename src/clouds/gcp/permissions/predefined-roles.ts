import { gcpRoles, gcpRolesDate } from "../../../generated/gcp-roles.ts";
import type { RoleDefinitions } from "../../../permissions/terms.ts";
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
