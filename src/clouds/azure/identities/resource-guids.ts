import { nameUuid } from "../../../core/hash.ts";

/** The namespace of this project's UUIDs: the version 5 UUID of the DNS name `fn.cloudcredential.dev`. */
const namespace = "5201b617-4603-52d3-b175-ff08960afd9a";

/**
 * The ID of a request's custom role. Azure identifies role definitions and assignments by UUIDs that the client chooses;
 * ccoctl chooses random ones.
 */
export function roleDefinitionGuid(subscriptionId: string, roleName: string): string {
  return guidOf(subscriptionId, roleName);
}

/**
 * The ID of an assignment. The ID of the identity's principal is not known offline, so an assignment can outlive its
 * identity; the scripts compare the principal.
 */
export function roleAssignmentGuid(scope: string, identityId: string, definitionId: string): string {
  return guidOf(scope, identityId, definitionId);
}

function guidOf(...parts: readonly string[]): string {
  return nameUuid(namespace, parts.join("|").toLowerCase());
}
