import type { Finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { collision } from "../../make-identities.ts";
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
export function collisions(config: AzureIdentity, request: SelectedRequest, taken: Taken): readonly Finding[] {
  const { secretKey } = request;
  if (secretKey === undefined) return [];
  const [namespace = "", secret = ""] = secretKey.split("/");
  const { identityName, roleDefinitionID } = overrideFor(config, secretKey);
  const code = "identity-id-collision";
  const cure = (field: string) => `. Set "${field}" in "spec.platform.azure.overrides" for ${quoteWhole(secretKey)}`;
  const name = identityNameOf(config.prefix, namespace, secret, identityName);
  const identity = { code, noun: "managed identity", name, rest: `${cure("identityName")} to another name.` } as const;
  const ofIdentity = collision(request, name.toLowerCase(), taken.identities, identity);
  // The ID of a role is computed from the identity's name.
  if (ofIdentity.length > 0) return ofIdentity;
  const id = roleDefinitionID ?? roleDefinitionGuid(config.azure.subscriptionID, name);
  const role = { code, noun: "custom role", name: id, rest: `${cure("roleDefinitionID")} to another ID.` } as const;
  return collision(request, id.toLowerCase(), taken.roles, role);
}
