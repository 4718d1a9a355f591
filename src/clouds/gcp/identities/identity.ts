import { base32Hash } from "../../../core/hash.ts";
import type { ValueMap } from "../../../core/resource.ts";
import type { GcpCluster } from "../cluster/cluster.ts";
import { accountEmail, customRoleName, ownerDescription, principalOf } from "../cluster/resource-names.ts";
import { maxAccountId } from "../limits.ts";
import type { AccountOverride, GcpRequest } from "./request.ts";

/** The service account of one request, and what it may do. */
export interface GcpServiceAccount {
  readonly request: GcpRequest;
  readonly email: string;
  /** `<prefix> <secret namespace>/<secret name>`, truncated. */
  readonly displayName: string;
  /** For individual permissions; undefined if the request has none. */
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

/** The characters of a hash in a name. */
const hashLength = 7;
const maxPrefix = 10;
const maxNamespace = maxAccountId - maxPrefix - hashLength - "--".length;

/**
 * The ID of a request's service account: `<prefix>-<namespace>-<hash>`, of lowercase letters, digits and hyphens
 * that begin with a letter (IAM v1 reference, CreateServiceAccountRequest.accountId). The parts are truncated, and the hash of the whole prefix and Secret keeps the IDs distinct.
 */
export function accountId(prefix: string, secretNamespace: string, secretName: string): string {
  const namespace = cut(secretNamespace.replace(/^openshift-(?=.)/, ""), maxNamespace);
  return `${accountIdStart(prefix)}${namespace}-${identityHash(prefix, secretNamespace, secretName)}`;
}

/** What the IDs of a prefix begin with. An ID begins with a letter. */
export function accountIdStart(prefix: string): string {
  return `${cut(/^[0-9]/.test(prefix) ? `c${prefix}` : prefix, maxPrefix)}-`;
}

/** The hash that distinguishes the identities of all clusters: 35 bits of the SHA-256 of the prefix and the Secret. */
export function identityHash(prefix: string, secretNamespace: string, secretName: string): string {
  return base32Hash(`${prefix}\n${secretNamespace}/${secretName}`, hashLength);
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/-+$/, "");
}

/** The characters of an ID (IAM v1 reference, CreateRoleRequest.roleId). */
const maxRoleId = 64;

/**
 * The ID of the custom role for a request's individual permissions: `<prefix>_<namespace>_<secret>_<hash>`. ccoctl's custom
 * roles are shared by the clusters of a project; this one belongs to one cluster.
 */
export function customRoleId(prefix: string, secretNamespace: string, secretName: string): string {
  const base = [prefix, secretNamespace, secretName].join("_").replace(/[^A-Za-z0-9_.]/g, "_");
  return `${base.slice(0, maxRoleId - hashLength - 1)}_${identityHash(prefix, secretNamespace, secretName)}`;
}
