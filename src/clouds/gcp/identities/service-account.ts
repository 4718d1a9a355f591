import type { ValueMap } from "../../../core/resource.ts";
import type { GcpCluster } from "../cluster/cluster.ts";
import { accountEmail, customRoleName, ownerDescription, principalOf } from "../cluster/resource-names.ts";
import { accountId } from "./account-id.ts";
import type { AccountOverride } from "./overrides.ts";
import type { GcpRequest } from "./request.ts";
import { customRoleId } from "./role-id.ts";

/** The service account of one request, and what it may do. */
export interface GcpServiceAccount {
  readonly request: GcpRequest;
  readonly email: string;
  /** `<prefix> <secret namespace>/<secret name>`, truncated. */
  readonly displayName: string;
  /** For single permissions; undefined if the request has none. */
  readonly role: CustomRole | undefined;
  /** The roles that are bound to the account on the project, sorted; the custom role last. */
  readonly projectRoles: readonly string[];
  /** The principals that may impersonate the account. */
  readonly principals: readonly string[];
}

/** A custom role of the project. */
export interface CustomRole {
  /** `projects/<project>/roles/<ID>`. */
  readonly name: string;
  /** In the form of `gcloud iam roles create --file` (IAM v1 reference, Role). gcloud ignores the name in the file. */
  readonly file: ValueMap;
}

/** The maximum number of bytes in a display name and a title (IAM v1 reference, ServiceAccount and Role). */
const maxDisplayName = 100;

/** The service account of a request. */
export function serviceAccountFor(cluster: GcpCluster, request: GcpRequest): GcpServiceAccount {
  const { secretNamespace, secretName, permissions } = request;
  const displayName = `${cluster.prefix} ${secretNamespace}/${secretName}`.slice(0, maxDisplayName);
  const { accountId, roleId } = idsOf(cluster.prefix, secretNamespace, secretName, request.override);
  const name = customRoleName(cluster, roleId);
  const role: CustomRole | undefined =
    permissions.length === 0
      ? undefined
      : {
          name,
          file: {
            name,
            title: displayName,
            description: ownerDescription(cluster.prefix),
            stage: "GA",
            includedPermissions: permissions,
          },
        };
  return {
    request,
    email: accountEmail(cluster, accountId),
    displayName,
    role,
    projectRoles: role === undefined ? request.roles : [...request.roles, role.name],
    principals: request.principals.map((subject) => principalOf(cluster, subject)),
  };
}

/** The IDs of a Secret's service account and custom role: those in the config, or else the computed ones. */
export function idsOf(
  prefix: string,
  secretNamespace: string,
  secretName: string,
  { serviceAccountID, customRoleID }: AccountOverride,
): { readonly accountId: string; readonly roleId: string } {
  return {
    accountId: serviceAccountID ?? accountId(prefix, secretNamespace, secretName),
    roleId: customRoleID ?? customRoleId(prefix, secretNamespace, secretName),
  };
}
