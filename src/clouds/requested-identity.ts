import { type CloudIdentity, decidedByCluster } from "../permissions/identity.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { requestSubjects, requestTokenPath } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";

/**
 * The identity that a request asks for, valid or not.
 *
 * @param kind the cloud, and its term for an identity.
 * @param accounts the service accounts that the config names instead of the request's.
 */
export function requestedIdentity(
  kind: Pick<CloudIdentity, "cloud" | "noun">,
  { resource, value, secretKey }: SelectedRequest,
  permissions: Permissions,
  accounts: readonly string[] | undefined,
): CloudIdentity {
  return {
    ...kind,
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions,
    subjects: requestSubjects(value, accounts),
    tokenPath: requestTokenPath(value),
    ...decidedByCluster,
  };
}
