import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { base32Hash } from "../../../core/hash.ts";
import { prettyJson } from "../../../core/json.ts";
import { type GeneratedObject, refOf, type ValueMap } from "../../../core/resource.ts";
import { baseName } from "../../../requests/credentials-request.ts";
import { secretOf } from "../../make-identities.ts";
import { identityFacts, identityFile } from "../../rendered.ts";
import { defaultUniverse, type GcpCluster, maxAccountId } from "../cluster/cluster.ts";
import {
  accountEmail,
  accountName,
  customRoleName,
  exchangeAudience,
  ownerDescription,
  principalOf,
} from "../cluster/resource-names.ts";
import type { RoleBody } from "../kinds/custom-role.ts";
import type { AccountBody } from "../kinds/service-account.ts";
import { gcpBundles } from "../rendered/facts.ts";
import { bucketRoles } from "../workloads.ts";
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
interface CustomRole {
  /** `projects/<project>/roles/<ID>`. */
  readonly name: string;
  /** In the form of `gcloud iam roles create --file` (IAM v1 reference, Role). gcloud ignores the name in the file. */
  readonly file: RoleBody & { readonly name: string };
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
            description: ownerDescription(cluster.prefix, cluster.mark),
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

/**
 * The bundle of a service account: which Secret it is for, the account, its custom role, the roles that are bound to it on
 * the project, and the principals that may impersonate it.
 */
export function identityBundle(cluster: GcpCluster, account: GcpServiceAccount): GeneratedObject {
  const { secretNamespace, secretName, resource } = account.request;
  const name = baseName(secretNamespace, secretName);
  const services = servicesOf(account.request);
  const { workload } = account.request;
  const buckets = workload === undefined ? new Map<string, readonly string[]>() : bucketRoles(workload);
  const body: AccountBody = {
    displayName: account.displayName,
    description: ownerDescription(cluster.prefix, cluster.mark),
  };
  const files: Record<string, ValueMap> = {
    [identityFile]: { ...identityFacts(account.request), ...(services.length === 0 ? {} : { services }) },
    "service-account.json": { name: accountName(cluster, account.email), email: account.email, ...body },
    ...(account.role === undefined ? {} : { "role.json": account.role.file }),
    "bindings.json": {
      project: account.projectRoles,
      serviceAccount: account.principals,
      ...(buckets.size === 0 ? {} : { buckets: Object.fromEntries(buckets) }),
    },
  };
  return bundle(gcpBundles.identity(name), `${gcpBundles.identityName}${name}`, jsonFiles(files), refOf(resource));
}

/** The key of the Secret from which components read their credentials (cloud-credential-operator). */
export const secretFileKey = "service_account.json";

/**
 * The Secret of a request: a credential configuration with which Google's libraries exchange the component's token for a
 * token of its service account (google.aip.dev/auth/4117). The text is that of the in-cluster operator, byte for byte.
 */
export function credentialsSecret(cluster: GcpCluster, account: GcpServiceAccount): GeneratedObject {
  const text = prettyJson(credentialConfiguration(cluster, account));
  return secretOf(account.request, { [secretFileKey]: text }, cluster.secretEncoding);
}

function credentialConfiguration(cluster: GcpCluster, { email, request }: GcpServiceAccount): ValueMap {
  const { universeDomain } = cluster;
  return {
    type: "external_account",
    audience: exchangeAudience(cluster),
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `https://sts.${universeDomain}/v1/token`,
    service_account_impersonation_url: `https://iamcredentials.${universeDomain}/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
    credential_source: {
      file: request.tokenPath ?? cluster.tokenPath,
      format: { type: "text" },
    },
    ...(universeDomain === defaultUniverse ? {} : { universe_domain: universeDomain }),
  };
}

/**
 * The APIs that a request's permissions are for: the first part of a permission names its service. A request with
 * `skipServiceCheck` names none, as in the cloud-credential-operator.
 */
function servicesOf({ permissions, providerSpec }: GcpRequest): string[] {
  if (providerSpec.skipServiceCheck) return [];
  return [...new Set(permissions.map(serviceOf))].sort();
}

function serviceOf(permission: string): string {
  const [full = ""] = permission.split("/");
  if (full !== permission) return full;
  const [name = ""] = permission.split(".");
  // The only service in the requests of OpenShift whose API has another name (Resource Manager reference, "Service").
  return `${name === "resourcemanager" ? "cloudresourcemanager" : name}.googleapis.com`;
}
