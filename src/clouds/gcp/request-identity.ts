import { type Value, valueAt } from "../../core/resource.ts";
import { type CloudIdentity, decidedByCluster } from "../../permissions/identity.ts";
import { literalGrants, unreadGrant } from "../../permissions/named.ts";
import { requestSubjects, requestTokenPath } from "../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../requests/select.ts";

/**
 * What a CredentialsRequest for GCP requests: predefined roles and single permissions, on the project. Google defines a
 * predefined role and may change it, so it is compared by its name.
 */
export function gcpRequestIdentity({ resource, value, secretKey }: SelectedRequest): CloudIdentity {
  const list = (field: string) => valueAt(value, ["spec", "providerSpec", field]);
  return {
    cloud: "GCP",
    noun: "service account",
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions: [
      ...literalGrants("role", list("predefinedRoles")),
      ...literalGrants("permission", list("permissions")),
      ...unread(value),
    ],
    subjects: requestSubjects(value),
    tokenPath: requestTokenPath(value),
    ...decidedByCluster,
  };
}

const known = new Set(["apiVersion", "kind", "predefinedRoles", "permissions", "skipServiceCheck"]);

function unread(value: Value) {
  return unreadGrant(valueAt(value, ["spec", "providerSpec"]), known);
}
