import { listAt, type Value, valueAt } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { type CloudIdentity, decidedByCluster } from "../../../permissions/identity.ts";
import { literalGrants, unreadGrant } from "../../../permissions/named.ts";
import { namedAction } from "../../../permissions/named-action.ts";
import type { Atom } from "../../../permissions/permissions.ts";
import { requestSubjects, requestTokenPath } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { gcpServiceAccount } from "../names.ts";

/**
 * What a CredentialsRequest for GCP requests: predefined roles and single permissions, on the project. Google defines a
 * predefined role and may change it, so it is named here; a comparison replaces it by its definition.
 */
export function gcpRequestIdentity({ resource, value, secretKey }: SelectedRequest, config?: Identity): CloudIdentity {
  const list = (field: string) => valueAt(value, ["spec", "providerSpec", field]);
  return {
    ...gcpServiceAccount,
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions: [
      ...literalGrants("role", list("predefinedRoles")),
      ...literalGrants("permission", list("permissions")),
      ...unread(value),
    ],
    subjects: requestSubjects(value, config?.overrides[secretKey ?? ""]?.serviceAccountNames),
    tokenPath: requestTokenPath(value),
    ...decidedByCluster,
  };
}

const known = new Set([
  "apiVersion",
  "kind",
  "predefinedRoles",
  "permissions",
  "skipServiceCheck",
  "serviceAccountEmail",
  "audience",
]);

function unread(value: Value) {
  return unreadGrant(valueAt(value, ["spec", "providerSpec"]), known);
}

/** The field of a request that requests a role or a permission; without it, the field that contains all of them. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const { kind, name = "" } = namedAction(part?.action ?? "") ?? {};
  const field = kind === "role" ? "predefinedRoles" : "permissions";
  const index = listAt(request, ["spec", "providerSpec", field]).indexOf(name);
  return index < 0 ? "spec.providerSpec" : `spec.providerSpec.${field}[${index}]`;
}
