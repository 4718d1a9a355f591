import { type Finding, finding } from "../../../core/finding.ts";
import { describe, type Resource, refOf } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import { secretKeyOf } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { AzureIdentity } from "../cluster/platform.ts";
import { identityNameOf } from "./identity.ts";
import { overrideFor } from "./overrides.ts";
import { roleDefinitionGuid } from "./resource-guids.ts";

/** The requests by the names of their managed identities in lowercase, and by the UUIDs of their custom roles. */
export interface Taken {
  readonly identities: Map<string, Resource>;
  readonly roles: Map<string, Resource>;
}

/**
 * Reports a request that would get the managed identity or the custom role of an earlier one. Azure compares names without
 * case. Two requests with the same identity would share its permissions, and two with the same role overwrite each other's.
 */
export function collisions(
  config: AzureIdentity,
  { resource, secretKey }: SelectedRequest,
  taken: Taken,
): readonly Finding[] {
  if (secretKey === undefined) return [];
  const [namespace = "", secret = ""] = secretKey.split("/");
  const { identityName, roleDefinitionID } = overrideFor(config, secretKey);
  const name = identityNameOf(config.prefix, namespace, secret, identityName);
  const ofIdentity = collision("managed identity", "identityName", name, resource, taken.identities);
  // The ID of a role is computed from the identity's name.
  if (ofIdentity.length > 0) return ofIdentity;
  const role = roleDefinitionID ?? roleDefinitionGuid(config.azure.subscriptionID, name);
  return collision("custom role", "roleDefinitionID", role, resource, taken.roles);
}

function collision(
  noun: string,
  field: string,
  id: string,
  resource: Resource,
  taken: Map<string, Resource>,
): readonly Finding[] {
  const other = taken.get(id.toLowerCase());
  if (other === undefined) {
    taken.set(id.toLowerCase(), resource);
    return [];
  }
  // Selection already reports two requests for the same Secret, and no name would resolve that.
  const secretKey = secretKeyOf(resource.value()) ?? "";
  if (secretKeyOf(other.value()) === secretKey) return [];
  const both = `${describe(refOf(other))} and ${describe(refOf(resource))}`;
  const message = `${both} would get the same ${noun} ${quote(id)}. Set "${field}" in "spec.platform.azure.overrides" for ${quoteWhole(secretKey)} to another ${noun === "custom role" ? "ID" : "name"}.`;
  return [finding("error", "identity-id-collision", message, { resource })];
}
