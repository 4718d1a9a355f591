import { entryOf, type Value } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { CloudIdentity } from "../../../permissions/identity.ts";
import { undecidedGrants } from "../../../permissions/named.ts";
import { type Atom, namedAction } from "../../../permissions/permissions.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { readSpec } from "../../request.ts";
import { requestedIdentity } from "../../requested-identity.ts";
import { azureIdentity, azureManagedIdentity } from "../cluster/cluster.ts";
import { azureRequestForm } from "../identities/request.ts";
import { assignedGrants, listGrants, nameOfRequestedRole } from "./roles.ts";

/**
 * What a CredentialsRequest for Azure requests: built-in roles, by name, and the permissions of a custom role. The cluster's
 * configuration decides on which scopes. Azure defines a built-in role and may change it, so it is named here; a comparison
 * replaces it with its definition.
 */
export function azureRequestIdentity(request: SelectedRequest, config?: Identity): CloudIdentity {
  const { roles, permissions, notActions, dataPermissions, notDataActions, unread } = readSpec(
    request.value,
    azureRequestForm,
  );
  const added = config?.platform.name === "azure" ? azureIdentity(config).azure.roles : undefined;
  const grants = [
    ...assignedGrants(roles.map((name) => nameOfRequestedRole(name, added))),
    ...listGrants({ actions: permissions, notActions, dataActions: dataPermissions, notDataActions }),
    ...unread.flatMap(undecidedGrants),
  ];
  const accounts = config?.overrides[request.secretKey ?? ""]?.serviceAccountNames;
  return { ...requestedIdentity(azureManagedIdentity, request, grants, accounts), areScopesKnown: false };
}

const fields: Readonly<Record<string, "permissions" | "dataPermissions">> = {
  permission: "permissions",
  "data permission": "dataPermissions",
};

/** The field of a request that requests a role or an action; without it, the field that contains all of them. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const base = "spec.providerSpec";
  const spec = readSpec(request, azureRequestForm);
  const { kind = "", name = "" } = namedAction(part?.action ?? "") ?? {};
  if (kind === "role") {
    const index = spec.roles.map((role) => nameOfRequestedRole(role)).indexOf(name);
    return index < 0 ? base : `${base}.roleBindings[${index}].role`;
  }
  const field = entryOf(fields, kind);
  const index = field === undefined ? -1 : spec[field].indexOf(name);
  return index < 0 ? base : `${base}.${field}[${index}]`;
}
