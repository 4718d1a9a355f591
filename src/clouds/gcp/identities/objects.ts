import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { prettyJson } from "../../../core/json.ts";
import { type GeneratedObject, refOf, type ValueMap } from "../../../core/resource.ts";
import { baseName } from "../../../requests/credentials-request.ts";
import { identityFile } from "../../rendered.ts";
import { secretOf } from "../../secret.ts";
import { defaultUniverse, type GcpCluster } from "../cluster/cluster.ts";
import { accountName, exchangeAudience, ownerDescription } from "../cluster/resource-names.ts";
import { identityBundleName, pathOfIdentity } from "../rendered/facts.ts";
import type { GcpServiceAccount } from "./identity.ts";
import type { GcpRequest } from "./request.ts";

/**
 * The bundle of a service account: which Secret it is for, the account, its custom role, the roles that are bound to it on
 * the project, and the principals that may impersonate it.
 */
export function identityBundle(cluster: GcpCluster, account: GcpServiceAccount): GeneratedObject {
  const { secretNamespace, secretName, resource } = account.request;
  const name = baseName(secretNamespace, secretName);
  const services = servicesOf(account.request);
  const files: Record<string, ValueMap> = {
    [identityFile]: { secret: `${secretNamespace}/${secretName}`, ...(services.length === 0 ? {} : { services }) },
    "service-account.json": {
      name: accountName(cluster, account.email),
      email: account.email,
      displayName: account.displayName,
      description: ownerDescription(cluster.prefix),
    },
    ...(account.role === undefined ? {} : { "role.json": account.role.file }),
    "bindings.json": { project: account.projectRoles, serviceAccount: account.principals },
  };
  return bundle(pathOfIdentity(name), `${identityBundleName}${name}`, jsonFiles(files), refOf(resource));
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
