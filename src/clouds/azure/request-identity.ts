import { isMap, type Value, valueAt } from "../../core/resource.ts";
import { type CloudIdentity, decidedByCluster } from "../../permissions/identity.ts";
import { namedGrants, unreadGrant } from "../../permissions/named.ts";
import type { Grant } from "../../permissions/permissions.ts";
import { requestSubjects, requestTokenPath } from "../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../requests/select.ts";

/**
 * What a CredentialsRequest for Azure requests: built-in roles, by name, and permissions of a custom role, in which `*`
 * matches any text (Azure documentation, "Understand Azure role definitions"). `notActions` are undecided: what remains
 * of a wildcard after them cannot be computed here.
 */
export function azureRequestIdentity({ resource, value, secretKey }: SelectedRequest): CloudIdentity {
  const provider = valueAt(value, ["spec", "providerSpec"]);
  const list = (field: string) => valueAt(provider ?? null, [field]);
  return {
    cloud: "Azure",
    noun: "managed identity",
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions: [
      ...roleGrants(list("roleBindings")),
      ...namedGrants("permission", list("permissions")),
      ...namedGrants("data permission", list("dataPermissions")),
      ...unreadGrant(provider, known),
    ],
    subjects: requestSubjects(value),
    tokenPath: requestTokenPath(value),
    ...decidedByCluster,
  };
}

const known = new Set(["apiVersion", "kind", "roleBindings", "permissions", "dataPermissions"]);

// A binding names its role. Its other fields may limit the role, so they are undecided.
function roleGrants(bindings: Value | undefined): Grant[] {
  if (!Array.isArray(bindings)) return namedGrants("role", bindings);
  const list = bindings as readonly Value[];
  return [
    ...namedGrants(
      "role",
      list.map((value) => (isMap(value) ? (value["role"] ?? null) : value)),
    ),
    ...list.flatMap((value) => unreadGrant(value, new Set(["role"]))),
  ];
}
