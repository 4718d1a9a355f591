import { entryOf, isMap, listAt, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { type CloudIdentity, decidedByCluster } from "../../../permissions/identity.ts";
import { undecidedGrants, unreadGrant } from "../../../permissions/named.ts";
import { namedAction } from "../../../permissions/named-action.ts";
import type { Atom, Grant } from "../../../permissions/permissions.ts";
import { requestSubjects, requestTokenPath } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { azureIdentity } from "../cluster/platform.ts";
import { azureManagedIdentity } from "../names.ts";
import { assignedGrants, listGrants } from "./role-grants.ts";
import { nameOfRequestedRole } from "./role-names.ts";

/**
 * What a CredentialsRequest for Azure requests: built-in roles, by name, and the permissions of a custom role. The cluster's
 * configuration decides on which scopes. Azure defines a built-in role and may change it, so it is named here; a comparison
 * replaces it by its definition.
 */
export function azureRequestIdentity(
  { resource, value, secretKey }: SelectedRequest,
  config?: Identity,
): CloudIdentity {
  const provider = valueAt(value, ["spec", "providerSpec"]);
  const list = (field: string) => valueAt(provider ?? null, [field]);
  return {
    ...azureManagedIdentity,
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions: [
      ...bindingGrants(list("roleBindings"), config),
      ...listGrants({
        actions: list("permissions"),
        notActions: list("notActions"),
        dataActions: list("dataPermissions"),
        notDataActions: list("notDataActions"),
      }),
      ...unreadGrant(provider, known),
    ],
    areScopesKnown: false,
    subjects: requestSubjects(value, config?.overrides[secretKey ?? ""]?.serviceAccountNames),
    tokenPath: requestTokenPath(value),
    ...decidedByCluster,
  };
}

const known = new Set([
  "apiVersion",
  "kind",
  "roleBindings",
  "permissions",
  "notActions",
  "dataPermissions",
  "notDataActions",
  "azureClientID",
  "azureTenantID",
  "azureSubscriptionID",
  "azureRegion",
]);

// A binding names its role. Its other fields may limit the role, so they are undecided.
function bindingGrants(bindings: Value | undefined, config: Identity | undefined): Grant[] {
  if (bindings === undefined || bindings === null) return [];
  const list = Array.isArray(bindings) ? (bindings as readonly Value[]) : [bindings];
  const names = list.map((binding) => (isMap(binding) ? textAt(binding, ["role"]) : ""));
  if (names.includes("")) return undecidedGrants(`its list of roles has an unknown form: ${JSON.stringify(bindings)}`);
  const added = config?.platform.name === "azure" ? azureIdentity(config).azure.roles : undefined;
  return [
    ...assignedGrants(names.map((name) => nameOfRequestedRole(name, added))),
    ...list.flatMap((binding) => unreadGrant(binding, new Set(["role"]))),
  ];
}

const fields: Readonly<Record<string, string>> = { permission: "permissions", "data permission": "dataPermissions" };

/** The field of a request that requests a role or an action; without it, the field that contains all of them. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const base = "spec.providerSpec";
  const { kind = "", name = "" } = namedAction(part?.action ?? "") ?? {};
  if (kind === "role") {
    const names = listAt(request, ["spec", "providerSpec", "roleBindings"]).map((binding) =>
      nameOfRequestedRole(textAt(binding, ["role"])),
    );
    const index = names.indexOf(name);
    return index < 0 ? base : `${base}.roleBindings[${index}].role`;
  }
  const field = entryOf(fields, kind);
  const index = field === undefined ? -1 : listAt(request, ["spec", "providerSpec", field]).indexOf(name);
  return index < 0 ? base : `${base}.${field}[${index}]`;
}
