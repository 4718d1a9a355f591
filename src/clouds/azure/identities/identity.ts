import { type Finding, finding, hasError } from "../../../core/finding.ts";
import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { nameUuid, sha256 } from "../../../core/hash.ts";
import { clusterMark } from "../../../core/owner-mark.ts";
import { type GeneratedObject, refOf, type ValueMap } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";
import { baseName } from "../../../requests/credentials-request.ts";
import { secretOf } from "../../make-identities.ts";
import { identityFacts, identityFile } from "../../rendered.ts";
import { type AzureCluster, maxIdentityName, trustedIssuers } from "../cluster/cluster.ts";
import {
  managedIdentityId,
  resourceUrl,
  roleDefinitionId,
  subscriptionOf,
  subscriptionPath,
} from "../cluster/resource-names.ts";
import { azureBundles } from "../rendered/facts.ts";
import { type AzureRequest, credentialFindings } from "./request.ts";
import { scopesOf, withoutScope } from "./scopes.ts";

/** A request of the API of Azure Resource Manager, which creates or updates a resource. */
interface PutRequest extends ValueMap {
  /** Relative to the endpoint of the cloud, with the API version. */
  readonly url: string;
  readonly body: ValueMap;
}

/** The managed identity of one request, with its credentials and roles. */
export interface AzureManagedIdentity {
  readonly request: AzureRequest;
  readonly identity: PutRequest;
  /** By name. */
  readonly credentials: Readonly<Record<string, PutRequest>>;
  readonly roleDefinition: PutRequest | undefined;
  /** By UUID. The engine adds the ID of the principal, which Azure assigns. */
  readonly roleAssignments: Readonly<Record<string, PutRequest>>;
  /** Undefined until the ConfigMap with the client IDs contains it. */
  readonly clientId: string | undefined;
}

/** The name of the managed identity of a Secret: the name in the config, or the computed one, truncated as ccoctl does it. */
export function identityNameOf(
  prefix: string,
  secretNamespace: string,
  secretName: string,
  given: string | undefined,
): string {
  return given ?? `${prefix}-${secretNamespace}-${secretName}`.replaceAll(".", "-").slice(0, maxIdentityName);
}

/** The managed identity of a request; undefined if one of the findings is an error. */
export function managedIdentityFor(
  cluster: AzureCluster,
  request: AzureRequest,
): { identity: AzureManagedIdentity | undefined; findings: readonly Finding[] } {
  const { secretNamespace, secretName, override, secretKey = "" } = request;
  const issuers = trustedIssuers(cluster);
  const findings = [...credentialFindings(request.tokenSubjects.length * issuers.length, issuers.length, request)];
  const name = identityNameOf(cluster.prefix, secretNamespace, secretName, override.identityName);
  const id = managedIdentityId(cluster, name);
  const credentials: Record<string, PutRequest> = {};
  for (const { name: account, subject } of request.tokenSubjects) {
    for (const issuer of issuers) {
      const credential = credentialName(account, issuer);
      if (credentials[credential] !== undefined) findings.push(credentialCollision(credential, request));
      credentials[credential] = {
        url: resourceUrl(`${id}/federatedIdentityCredentials/${credential}`, "identities"),
        body: { properties: { issuer, subject, audiences: [cluster.audience] } },
      };
    }
  }
  const scopes = scopesOf(cluster, request);
  findings.push(...withoutScope(request, scopes.custom));
  const definition = roleDefinitionFor(cluster, request, name, scopes.custom);
  const clientId = cluster.clientIds.get(secretKey);
  if (clientId === undefined) findings.push(withoutClientId(request));
  if (hasError(findings)) return { identity: undefined, findings };
  const identity: AzureManagedIdentity = {
    request,
    identity: { url: resourceUrl(id, "identities"), body: { location: cluster.identityRegion, tags: cluster.tags } },
    credentials,
    roleDefinition: definition?.put,
    roleAssignments: roleAssignments(id, [
      ...request.roles.flatMap((role) => scopes.of(role.name).map((scope) => ({ scope, ...role }))),
      ...(definition === undefined ? [] : scopes.custom.map((scope) => ({ scope, name, id: definition.guid }))),
    ]),
    clientId,
  };
  return { identity, findings };
}

/** What ccoctl writes into the description of a custom role, and how it finds the roles of a prefix. */
export function roleDescription(prefix: string, mark: string = clusterMark): string {
  return `Custom role for OpenShift. Owned by: ${prefix}${mark === clusterMark ? "" : `, ${mark}`}`;
}

function roleDefinitionFor(
  cluster: AzureCluster,
  { customRole, override }: AzureRequest,
  roleName: string,
  scopes: readonly string[],
): { readonly guid: string; readonly put: PutRequest } | undefined {
  if (customRole === undefined) return undefined;
  const guid = override.roleDefinitionID?.toLowerCase() ?? roleDefinitionGuid(cluster.subscriptionId, roleName);
  const { actions, notActions, dataActions, notDataActions } = customRole;
  const assignableScopes = [...new Set(scopes.map(subscriptionOf))].sort(compareText);
  // Azure lists a role only in subscriptions where it can be assigned.
  const own = subscriptionPath(cluster);
  const [home = own] = assignableScopes.includes(own) ? [own] : assignableScopes;
  const put = {
    url: resourceUrl(roleDefinitionId(home, guid), "authorization"),
    body: {
      properties: {
        roleName,
        type: "CustomRole",
        description: roleDescription(cluster.prefix, cluster.mark),
        assignableScopes,
        permissions: [{ actions, notActions, dataActions, notDataActions }],
      },
    },
  };
  return { guid, put };
}

// Azure names a role definition by the subscription of the scope that it is assigned at. The description, the name of the role, is
// for who reads the file: the request has only its ID.
function roleAssignments(
  identityId: string,
  assignments: readonly { readonly scope: string; readonly name: string; readonly id: string }[],
): Record<string, PutRequest> {
  const found: Record<string, PutRequest> = {};
  for (const { scope, name, id } of assignments) {
    const definition = roleDefinitionId(subscriptionOf(scope), id);
    const guid = roleAssignmentGuid(scope, identityId, definition);
    found[guid] = {
      description: name,
      url: resourceUrl(`${scope}/providers/Microsoft.Authorization/roleAssignments/${guid}`, "authorization"),
      body: { properties: { roleDefinitionId: definition, principalType: "ServicePrincipal" } },
    };
  }
  return found;
}

function credentialCollision(name: string, { resource }: AzureRequest): Finding {
  const message = `names two service accounts that would get the same federated credential ${quote(name)}. Rename one of them.`;
  return finding("error", "identity-id-collision", message, { resource, field: "spec.serviceAccountNames" });
}

function withoutClientId({ resource, workload }: AzureRequest): Finding {
  const what =
    workload === undefined || workload.delivery === "Secret"
      ? "its Secret is"
      : `its ${workload.delivery === "Patch" ? "patches" : "ServiceAccounts"} are`;
  const message = `its managed identity has no client ID in the package yet, so ${what} not generated. Apply the package with "ccf apply", which stores the ID and renders again.`;
  return finding("warning", "client-id-unknown", message, { resource });
}

const maxAccount = 111;

/**
 * The name of a federated credential: the service account, and a hash of what distinguishes its credentials, the issuer or the
 * subject (Azure REST API, Federated Identity Credentials: 3 to 120 letters, digits, hyphens and underscores).
 */
export function credentialName(serviceAccount: string, distinction: string): string {
  const hash = sha256(distinction).toString("hex").slice(0, 8);
  return `${serviceAccount.replaceAll(".", "-").slice(0, maxAccount)}-${hash}`;
}

/** The namespace of this project's UUIDs: the version 5 UUID of the DNS name `fn.cloudcredential.dev`. */
const namespace = "5201b617-4603-52d3-b175-ff08960afd9a";

/**
 * The ID of a request's custom role. Azure identifies role definitions and assignments by UUIDs that the client chooses;
 * ccoctl chooses random ones.
 */
export function roleDefinitionGuid(subscriptionId: string, roleName: string): string {
  return guidOf(subscriptionId, roleName);
}

/**
 * The ID of an assignment. The ID of the identity's principal is not known offline, so an assignment can outlive its
 * identity; the engine compares the principal.
 */
export function roleAssignmentGuid(scope: string, identityId: string, definitionId: string): string {
  return guidOf(scope, identityId, definitionId);
}

function guidOf(...parts: readonly string[]): string {
  return nameUuid(namespace, parts.join("|").toLowerCase());
}

/**
 * The bundle of a managed identity: which Secret it is for, its client ID if it is known, and the requests that create the
 * identity, its federated credentials, its custom role and its role assignments.
 */
export function identityBundle(identity: AzureManagedIdentity): GeneratedObject {
  const { clientId } = identity;
  const { secretNamespace, secretName, resource } = identity.request;
  const name = baseName(secretNamespace, secretName);
  const files: Record<string, ValueMap> = {
    [identityFile]: {
      ...identityFacts(identity.request),
      ...(clientId === undefined ? {} : { clientID: clientId }),
    },
    "managed-identity.json": identity.identity,
    ...named("federated-credential", identity.credentials),
    ...(identity.roleDefinition === undefined ? {} : { "role-definition.json": identity.roleDefinition }),
    ...named("role-assignment", identity.roleAssignments),
  };
  return bundle(azureBundles.identity(name), `${azureBundles.identityName}${name}`, jsonFiles(files), refOf(resource));
}

function named(kind: string, requests: Readonly<Record<string, ValueMap>>): Record<string, ValueMap> {
  return Object.fromEntries(Object.entries(requests).map(([name, request]) => [`${kind}-${name}.json`, request]));
}

/**
 * The Secret of a request, with the values that the cloud-credential-operator writes; undefined until Azure has assigned the
 * client ID.
 */
export function credentialsSecret(
  cluster: AzureCluster,
  { request, clientId }: AzureManagedIdentity,
): GeneratedObject | undefined {
  if (clientId === undefined) return undefined;
  const values = {
    azure_client_id: clientId,
    azure_federated_token_file: request.tokenPath ?? cluster.tokenPath,
    azure_region: cluster.region,
    azure_subscription_id: cluster.subscriptionId,
    azure_tenant_id: cluster.tenantId,
  };
  return secretOf(request, values, cluster.secretEncoding);
}
