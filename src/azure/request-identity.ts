import { isMap, type Value, valueAt } from "../core/resource.ts";
import { type CloudIdentity, leftToTheCluster } from "../permissions/identity.ts";
import { namedGrants, unreadGrant } from "../permissions/named.ts";
import { requestSubjects, requestTokenPath } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";

/**
 * What a CredentialsRequest for Azure asks for: built-in roles, by name, and permissions of a custom role, in which `*`
 * is any text (Azure documentation, "Understand Azure role definitions"). `notActions` are undecided: what they leave of
 * a wildcard is no set that is known here.
 */
export function azureRequestIdentity({ resource, value, secretKey }: SelectedRequest): CloudIdentity {
  const provider = valueAt(value, ["spec", "providerSpec"]);
  const list = (field: string) => valueAt(provider ?? null, [field]);
  return {
    cloud: "Azure",
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions: [
      ...namedGrants("role", rolesOf(list("roleBindings"))),
      ...namedGrants("permission", list("permissions")),
      ...namedGrants("data permission", list("dataPermissions")),
      ...unreadGrant(provider, known),
    ],
    subjects: requestSubjects(value),
    tokenPath: requestTokenPath(value),
    ...leftToTheCluster,
  };
}

const known = new Set(["apiVersion", "kind", "roleBindings", "permissions", "dataPermissions"]);

function rolesOf(bindings: Value | undefined): Value {
  if (!Array.isArray(bindings)) return bindings ?? [];
  return (bindings as readonly Value[]).map((one) => (isMap(one) ? (one["role"] ?? null) : one));
}
