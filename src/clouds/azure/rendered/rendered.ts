import { textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import type { CloudIdentity, PolicyFile, RenderedIdentity, Trust } from "../../../permissions/identity.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { undecidedGrants } from "../../../permissions/terms.ts";
import {
  identityFile,
  isOfWorkload,
  jsonIn,
  publishedElsewhere,
  type RenderedBundle,
  type RenderedCluster,
  type RenderedIssuer,
  secretKeyIn,
  unknownIssuer,
  unreadableFindings,
  valueIn,
} from "../../rendered.ts";
import { azureManagedIdentity, azureNames } from "../cluster/cluster.ts";
import { groupId, readIdentityUrl } from "../cluster/resource-names.ts";
import { assignedGrants, nameOfRole, permissionGrants, readPermissions, scopeGlob } from "../permissions/terms.ts";
import {
  type AzureFacts,
  credentialFile,
  discoveryFile,
  isIdentityBundle,
  keysFile,
  managedIdentityFile,
  readFacts,
} from "./facts.ts";

/** A managed identity, read from its files. */
export interface RenderedManagedIdentity extends RenderedIdentity {
  readonly directory: string;
  /** Undefined if the files do not contain it. */
  readonly name: string | undefined;
  /** By name, sorted; undefined if one of the files cannot be read. */
  readonly credentials: readonly FederatedCredential[] | undefined;
}

/** A role that an identity has at a scope. */
interface RoleAssignment {
  /** The ID of a resource group or of another resource, as written. */
  readonly scope: string;
  /** The UUID of the role definition, in lowercase. */
  readonly roleId: string;
  /** The role is the identity's own custom role. */
  readonly isCustom: boolean;
}

const roleFile = "role-definition.json";
const assignmentFile = /^role-assignment-.+\.json$/;

/**
 * Reads a managed identity's bundle: what it may do, and which tokens it accepts. A file that cannot be read counts as
 * permissions that cannot be decided.
 */
export function readManagedIdentity({ directory, resource, files }: RenderedBundle): RenderedManagedIdentity {
  const read = (name: string) => valueIn({ files }, name);
  const key = secretKeyIn({ files });
  const { id, name } = readIdentityUrl(textAt(read(managedIdentityFile), ["url"])) ?? {};
  const credentialFiles = filesLike(files, credentialFile);
  const credentials = wholeList(credentialFiles.map((file) => readCredential(propertiesOf(read(file)))));
  const definition = read(roleFile);
  const roleId = uuidIn(textAt(definition, ["url"]), definitionUrl);
  const permissions = readPermissions(valueAt(propertiesOf(definition), ["permissions"]));
  const assignmentFiles = filesLike(files, assignmentFile);
  const assignments = assignmentFiles.map((file) => readAssignment(read(file), roleId));
  const known = sorted(assignments.filter((assignment) => assignment !== undefined));
  const customRole = permissions ?? [];
  const isWhole =
    id !== undefined &&
    credentials !== undefined &&
    known.length === assignments.length &&
    (!files.has(roleFile) || (permissions !== undefined && roleId !== undefined));
  const clientId = textAt(valueIn({ files }, identityFile), ["clientID"]);
  const subjects = [...new Set((credentials ?? []).map(({ subject }) => subject))].sort(compareText);
  const compared: CloudIdentity | undefined =
    !isWhole || key === undefined
      ? undefined
      : {
          ...azureManagedIdentity,
          key,
          request: undefined,
          permissions: scopedGrants(known, customRole, scopeGlob),
          areScopesKnown: true,
          subjects,
          trust: undefined,
          boundary: undefined,
          tokenPath: undefined,
        };
  return {
    directory,
    resource,
    key,
    isOfWorkload: isOfWorkload({ files }),
    id,
    ...(clientId === "" ? {} : { assignedId: clientId }),
    name,
    credentials,
    trusts: (credentials ?? []).map(trustOf),
    permissions: scopedGrants(known, customRole, (scope) => scope),
    managedPolicies: [],
    boundary: undefined,
    maxSessionDuration: undefined,
    trustFiles: credentialFiles.map((file) => ({ field: `data.${file}`, permissions: [] })),
    permissionFiles: permissionFiles(files, assignmentFiles, assignments, permissions),
    compared,
  };
}

function filesLike(files: RenderedBundle["files"], form: RegExp): string[] {
  return [...files.keys()].filter((name) => form.test(name)).sort(compareText);
}

function wholeList<T>(list: readonly (T | undefined)[]): readonly T[] | undefined {
  const known = list.filter((one) => one !== undefined);
  return known.length === list.length ? known : undefined;
}

function propertiesOf(request: Value): Value {
  return valueAt(request, ["body", "properties"]) ?? null;
}

/** The computed names in the files of a managed identity besides its own: those of its credentials, its role, and assignments. */
export function ownNamesIn(
  files: RenderedBundle["files"],
): readonly { readonly name: string; readonly value: string }[] {
  const names = (name: string, prefix: string) =>
    [...files.keys()]
      .filter((file) => file.startsWith(prefix) && file.endsWith(".json"))
      .map((file) => ({ name, value: file.slice(prefix.length, -".json".length) }));
  const roleId = uuidIn(textAt(valueIn({ files }, roleFile), ["url"]), definitionUrl);
  return [
    ...names("role assignment ID", "role-assignment-"),
    ...names("credential name", "federated-credential-"),
    ...(roleId === undefined ? [] : [{ name: "custom role ID", value: roleId }]),
  ];
}

const definitionUrl = /\/providers\/Microsoft\.Authorization\/roleDefinitions\/([^/?]+)(?:\?|$)/i;
const assignmentUrl = /^(\/.*)\/providers\/Microsoft\.Authorization\/roleAssignments\/[^/?]+\?/is;

function uuidIn(text: string, form: RegExp): string | undefined {
  return form.exec(text)?.[1]?.toLowerCase();
}

function readAssignment(request: Value, ownRole: string | undefined): RoleAssignment | undefined {
  const scope = assignmentUrl.exec(textAt(request, ["url"]))?.[1];
  const roleId = uuidIn(textAt(propertiesOf(request), ["roleDefinitionId"]), definitionUrl);
  return scope === undefined || roleId === undefined ? undefined : { scope, roleId, isCustom: roleId === ownRole };
}

function sorted(assignments: readonly RoleAssignment[]): readonly RoleAssignment[] {
  return [...assignments].sort((a, b) => compareText(a.scope, b.scope) || compareText(a.roleId, b.roleId));
}

// Each role counts at its own scopes. A custom role that is assigned nowhere grants nothing.
function scopedGrants(
  assignments: readonly RoleAssignment[],
  customRole: readonly ValueMap[],
  resourceOf: (scope: string) => string | undefined,
): Grant[] {
  const scopes = new Map<string, string[]>();
  const strange: string[] = [];
  for (const { scope, roleId } of assignments) {
    const resource = resourceOf(scope);
    if (resource === undefined) strange.push(scope);
    else scopes.set(roleId, [...(scopes.get(roleId) ?? []), resource]);
  }
  const own = assignments.find(({ isCustom }) => isCustom)?.roleId;
  return [
    ...[...scopes].flatMap(([roleId, resources]) =>
      roleId === own ? permissionGrants(customRole, resources) : assignedGrants([nameOfRole(roleId)], resources),
    ),
    ...(strange.length === 0 ? [] : undecidedGrants(`a scope contains a wildcard: ${JSON.stringify(strange)}`)),
  ];
}

function permissionFiles(
  files: RenderedBundle["files"],
  assignmentFiles: readonly string[],
  assignments: readonly (RoleAssignment | undefined)[],
  permissions: readonly ValueMap[] | undefined,
): PolicyFile[] {
  const found: PolicyFile[] = [];
  if (files.has(roleFile))
    found.push({
      field: `data.${roleFile}`,
      permissions: permissions === undefined ? unread : permissionGrants(permissions),
    });
  for (const [index, file] of assignmentFiles.entries()) {
    const assignment = assignments[index];
    const { isCustom, roleId } = assignment ?? {};
    const grants = roleId === undefined ? unread : isCustom ? [] : assignedGrants([nameOfRole(roleId)]);
    found.push({ field: `data.${file}`, permissions: grants });
  }
  return found;
}

const unread = undecidedGrants("it cannot be read");

function trustOf({ issuer, subject, audiences }: FederatedCredential): Trust {
  return { effect: "Allow", issuer, subjects: [subject], audiences, conditions: [] };
}

/** A federated credential: whose tokens a managed identity accepts. Microsoft Entra compares all texts exactly. */
export interface FederatedCredential {
  /** With `https://`. */
  readonly issuer: string;
  readonly subject: string;
  /** Microsoft Entra allows exactly one. */
  readonly audiences: readonly string[];
}

/**
 * Reads the properties of a federated credential; undefined if the value is something else (Azure REST API, Federated
 * Identity Credentials, FederatedIdentityCredentialProperties).
 */
export function readCredential(properties: Value | undefined): FederatedCredential | undefined {
  const at = (field: string) => valueAt(properties ?? null, [field]);
  const [issuer, subject, audiences] = [at("issuer"), at("subject"), at("audiences")];
  if (typeof issuer !== "string" || typeof subject !== "string" || !Array.isArray(audiences)) return undefined;
  return audiences.every((audience) => typeof audience === "string")
    ? { issuer, subject, audiences: audiences as readonly string[] }
    : undefined;
}

/** What was rendered for a cluster on Azure. */
export interface RenderedAzureCluster extends RenderedCluster {
  readonly identities: readonly RenderedManagedIdentity[];
  /** The tenant of the managed identities; undefined if no file names it. */
  readonly tenantId: string | undefined;
  /** The environment, as the Azure CLI names it: `AzureCloud`; undefined if no file names it. */
  readonly cliCloud: string | undefined;
}

/** Reads what a package or an export contains for Azure; undefined if nothing in it was rendered for Azure. */
export function readRendered(bundles: readonly RenderedBundle[]): RenderedAzureCluster | undefined {
  const facts = readFacts(bundles);
  const { account, region, resourcePrefix, tenantId, cliCloud, oidcResourceGroup, installResourceGroup } = facts;
  const found = bundles.filter(isIdentityBundle);
  const publishing = bundles.find(({ files }) => files.has(discoveryFile) || files.has(keysFile));
  if (account === undefined && found.length === 0 && publishing === undefined) return undefined;
  const identities = found.map(readManagedIdentity).sort((a, b) => compareText(a.key ?? "", b.key ?? ""));
  const documentIssuer = textAt(valueIn(publishing, discoveryFile), ["issuer"]) || undefined;
  return {
    account,
    region,
    resourcePrefix,
    ownScopes: [installResourceGroup, oidcResourceGroup].flatMap((name) =>
      name === undefined ? [] : [groupId({ subscriptionId: account ?? "" }, name)],
    ),
    tenantId,
    cliCloud,
    issuers: readIssuers(facts.issuer ?? documentIssuer, facts, publishing, identities),
    documentIssuer,
    identities,
    findings: unreadableFindings(identities, "managed-identity-unreadable", azureNames.identityNoun),
  };
}

// Azure has no providers: the credentials of the identities name the issuers. Only the cluster's own publishes documents here.
function readIssuers(
  url: string | undefined,
  { previousIssuers }: AzureFacts,
  publishing: RenderedBundle | undefined,
  identities: readonly RenderedManagedIdentity[],
): readonly RenderedIssuer[] {
  const own: RenderedIssuer = {
    ...issuerAt(url, identities),
    discovery: jsonIn(publishing, discoveryFile),
    keys: jsonIn(publishing, keysFile),
    ...publishedElsewhere(publishing?.files.has("storage-account.json") === false ? publishing : undefined),
  };
  return [own, ...previousIssuers.map((text) => issuerAt(text, identities))];
}

function issuerAt(url: string | undefined, identities: readonly RenderedManagedIdentity[]): RenderedIssuer {
  if (url === undefined) return unknownIssuer;
  const audiences = identities
    .flatMap(({ credentials = [] }) => credentials)
    .flatMap((credential) => (credential.issuer === url ? credential.audiences : []));
  return {
    ...unknownIssuer,
    url: url.replace(/^https:\/\//, ""),
    id: url,
    clientIds: audiences.length === 0 ? undefined : [...new Set(audiences)].sort(compareText),
  };
}
