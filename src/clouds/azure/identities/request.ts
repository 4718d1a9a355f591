import { type Finding, finding, hasError } from "../../../core/finding.ts";
import { compactJson } from "../../../core/json.ts";
import { isMap, textAt, textOf, type Value, type ValueMap } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";
import { didYouMean } from "../../../core/words.ts";
import { azureRoleIds } from "../../../generated/azure-role-ids.ts";
import type { AzureOverride, Override } from "../../../generated/cluster-identity.ts";
import { azureProviderSpecWords, validateAzureProviderSpec } from "../../../generated/validate-azure-provider-spec.js";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { Merged } from "../../../requests/transition.ts";
import {
  type CheckedRequest,
  fewerAccounts,
  isTexts,
  type ReadSpec,
  type RequestForm,
  readRequest,
  readValidSpec,
  unreadFields,
} from "../../request.ts";
import { type AzureIdentity, isUnbounded, maxCredentials } from "../cluster/cluster.ts";

/** `spec.providerSpec` of a CredentialsRequest for Azure, as written. */
interface AzureSpec extends ReadSpec, Readonly<Record<ListField, readonly string[]>> {
  /** The names of the roles in `roleBindings`. */
  readonly roles: readonly string[];
  /** "" if the request does not name it; so are the others. */
  readonly azureClientID: string;
  readonly azureTenantID: string;
  readonly azureSubscriptionID: string;
  readonly azureRegion: string;
}

/** The lists of actions, and of the exceptions from each. */
const listFields = ["permissions", "notActions", "dataPermissions", "notDataActions"] as const;

/** The name of one of {@link listFields}. */
type ListField = (typeof listFields)[number];

function readAzureSpec({ roleBindings, ...others }: ValueMap): AzureSpec {
  const { azureClientID, azureTenantID, azureSubscriptionID, azureRegion, ...fields } = others;
  const { permissions, notActions, dataPermissions, notDataActions, ...rest } = fields;
  const unread: string[] = [];
  return {
    roles: readRoles(roleBindings, unread),
    ...readLists({ permissions, notActions, dataPermissions, notDataActions }, unread),
    azureClientID: textOf(azureClientID),
    azureTenantID: textOf(azureTenantID),
    azureSubscriptionID: textOf(azureSubscriptionID),
    azureRegion: textOf(azureRegion),
    unread: [...unread, ...unreadFields(rest)],
  };
}

// A binding names its role. Its other fields may limit the role.
function readRoles(bindings: Value = null, unread: string[]): string[] {
  const whole = bindings === null ? [] : [bindings];
  const list = Array.isArray(bindings) ? (bindings as readonly Value[]) : whole;
  const roles = list.map((binding) => textAt(binding, ["role"]));
  if (roles.includes("")) {
    unread.push(`its list of roles has an unknown form: ${compactJson(bindings)}`);
    return [];
  }
  for (const binding of list) {
    const { role: _, ...others } = isMap(binding) ? binding : {};
    unread.push(...unreadFields(others));
  }
  return roles;
}

// Each exception limits a list, so without one list the others say nothing.
function readLists(
  given: Readonly<Record<ListField, Value | undefined>>,
  unread: string[],
): Record<ListField, readonly string[]> {
  const written = Object.entries(given).flatMap(([field, list = null]) => (list === null ? [] : [[field, list]]));
  const isRead = written.every(([, list]) => isTexts(list));
  if (!isRead)
    unread.push(`its lists of actions have an unknown form: ${compactJson(Object.fromEntries(written) as ValueMap)}`);
  return {
    permissions: [],
    notActions: [],
    dataPermissions: [],
    notDataActions: [],
    ...Object.fromEntries(isRead ? written : []),
  };
}

/** A CredentialsRequest for Azure with every value checked. */
export interface AzureRequest extends CheckedRequest<AzureSpec> {
  /** As `system:serviceaccount:<namespace>:<name>`, in the order of the request. */
  readonly tokenSubjects: readonly TokenSubject[];
  /** IDs of built-in roles, sorted by name. */
  readonly roles: readonly BuiltInRole[];
  /** What the custom role allows; undefined if the request lists no permissions. */
  readonly customRole: RolePermissions | undefined;
  readonly override: IdentityOverride;
}

/** A service account, as tokens name it. */
interface TokenSubject {
  /** The name of the service account. */
  readonly name: string;
  /** `system:serviceaccount:<namespace>:<name>` */
  readonly subject: string;
}

/** A built-in role. */
interface BuiltInRole {
  readonly name: string;
  /** A UUID. */
  readonly id: string;
}

/** The four lists of a role definition, sorted, without duplicates; Azure ignores case. */
interface RolePermissions {
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  readonly dataActions: readonly string[];
  readonly notDataActions: readonly string[];
}

/** Requests for Azure. */
export const azureRequestForm: RequestForm<AzureSpec> = {
  validate: validateAzureProviderSpec,
  words: azureProviderSpecWords,
  read: readAzureSpec,
  placeholders: /\$\{/,
};

/**
 * Checks an included request, and applies the config's override for its Secret.
 *
 * @param known IDs of built-in roles that the config adds, by name in lowercase
 * @param written fields that a function will overwrite, so they may still contain placeholders
 */
export function readAzureRequest(
  selected: SelectedRequest,
  override: IdentityOverride,
  known: ReadonlyMap<string, string>,
  written?: ReadonlySet<string>,
): { request: AzureRequest | undefined; findings: readonly Finding[] } {
  const { request, findings: said } = readRequest(selected, azureRequestForm, override, written);
  if (request === undefined) return { request, findings: said };
  const { providerSpec } = request;
  const findings = [...said];
  const tokenSubjects = request.subjects.map(({ namespace, name }) => ({
    name,
    subject: `system:serviceaccount:${namespace}:${name}`,
  }));
  const names = distinct(providerSpec.roles);
  const roles = names.flatMap((name) => readRole(name, known, selected, findings));
  const customRole = readPermissions(providerSpec);
  findings.push(...withoutLimited(providerSpec, selected), ...dataActionsAmong(providerSpec, selected));
  if (names.length === 0 && customRole === undefined) findings.push(nothingRequested(selected));
  if (hasError(findings)) return { request: undefined, findings };
  return { request: { ...request, tokenSubjects, roles, customRole, override }, findings };
}

// Azure compares names of roles and actions without case.
function distinct(list: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const text of [...list].sort(compareText)) {
    if (!found.has(text.toLowerCase())) found.set(text.toLowerCase(), text);
  }
  return [...found.values()];
}

function readPermissions(spec: AzureSpec): RolePermissions | undefined {
  const lists = {
    actions: distinct(spec.permissions),
    notActions: distinct(spec.notActions),
    dataActions: distinct(spec.dataPermissions),
    notDataActions: distinct(spec.notDataActions),
  };
  return lists.actions.length + lists.dataActions.length === 0 ? undefined : lists;
}

// An exception narrows a custom role. Without one, it would be lost: a built-in role cannot be narrowed.
function withoutLimited(spec: AzureSpec, { resource }: SelectedRequest): Finding[] {
  const pairs = [
    ["notActions", "permissions"],
    ["notDataActions", "dataPermissions"],
  ] as const;
  return pairs.flatMap(([exceptions, allowed]) => {
    if (spec[exceptions].length === 0 || spec[allowed].length > 0) return [];
    const field = `spec.providerSpec.${exceptions}`;
    const message = `"${field}" lists exceptions, but "spec.providerSpec.${allowed}" lists nothing that they could limit: they do not limit roles. List the permissions instead of the roles, or remove the exceptions.`;
    return [finding("error", "request-invalid-field", message, { resource, field })];
  });
}

/** Actions on data, which Azure accepts only as data actions ("Azure permissions for Storage", "for Security", DataActions). */
const dataAction = new RegExp(
  [
    "^microsoft\\.storage/storageaccounts/(?:blobservices/containers/blobs|fileservices/fileshares/files|queueservices/queues/messages|tableservices/tables/entities)/",
    "^microsoft\\.keyvault/vaults/(?:secrets/(?:getsecret|setsecret)|keys/(?:encrypt|decrypt|wrap|unwrap|sign|verify))/",
  ].join("|"),
  "i",
);

function dataActionsAmong(spec: AzureSpec, { resource }: SelectedRequest): Finding[] {
  return (["permissions", "notActions"] as const).flatMap((name) => {
    const found = spec[name].filter((action) => dataAction.test(action));
    if (found.length === 0) return [];
    const field = `spec.providerSpec.${name}`;
    const right = name === "permissions" ? "dataPermissions" : "notDataActions";
    const message = `"${field}" contains ${found.map((action) => quote(action)).join(", ")}, which Azure accepts only as data actions; move them to "spec.providerSpec.${right}".`;
    return [finding("error", "data-action-misplaced", message, { resource, field })];
  });
}

const rolesField = "spec.providerSpec.roleBindings";

function readRole(
  name: string,
  known: ReadonlyMap<string, string>,
  { resource }: SelectedRequest,
  findings: Finding[],
): BuiltInRole[] {
  const location = { resource, field: rolesField };
  const key = name.toLowerCase();
  const builtIn = Object.keys(azureRoleIds).find((text) => text.toLowerCase() === key);
  const id = known.get(key) ?? (builtIn === undefined ? undefined : azureRoleIds[builtIn]);
  if (id === undefined) {
    const message = `requests the role ${quote(name)}, whose ID is not known${didYouMean(name, [...Object.keys(azureRoleIds), ...known.keys()])}. If it is a built-in role, add its name and ID to "spec.platform.azure.roles".`;
    findings.push(finding("error", "role-unknown", message, location));
    return [];
  }
  if (isUnbounded(id)) {
    const message = `requests the role ${quote(name)}, with which a component can give itself every other role. Check that this is intended.`;
    findings.push(finding("warning", "unbounded-role", message, location));
  }
  return [{ name: builtIn ?? name, id }];
}

/**
 * Reports more credentials than a managed identity may have: one for each service account and issuer. The lengths of issuers
 * and subjects cannot exceed their limit, `maxIssuerUrl`: both are shorter by the rules of Kubernetes and the config.
 */
export function credentialFindings(count: number, issuers: number, request: SelectedRequest): Finding[] {
  if (count <= maxCredentials) return [];
  const message = `needs ${count} federated credentials (service accounts: ${count / issuers}, issuers: ${issuers}), but a managed identity may have at most ${maxCredentials}. ${fewerAccounts(request)}, or end the move from a previous issuer.`;
  return [
    finding("error", "too-many-credentials", message, {
      resource: request.resource,
      field: "spec.serviceAccountNames",
    }),
  ];
}

function nothingRequested({ resource }: SelectedRequest): Finding {
  const message = `requests neither a role nor a permission, so its managed identity could do nothing. Name roles in "${rolesField}" or actions in "spec.providerSpec.permissions" or "spec.providerSpec.dataPermissions".`;
  return finding("error", "request-without-permissions", message, { resource, field: "spec.providerSpec" });
}

/** The config's override for one request: the settings for every cloud and those for Azure alone. */
export type IdentityOverride = Override & AzureOverride;

/** The config's override for a Secret, `<secret namespace>/<secret name>`; empty if it has none. */
export function overrideFor({ overrides, azure }: AzureIdentity, key = ""): IdentityOverride {
  return { ...overrides[key], ...azure.overrides?.[key] };
}

/**
 * Merges what requests of two releases ask for: the roles and permissions of both. Azure ignores the case of their names.
 *
 * Exceptions are subtracted from all actions of a custom role (Azure RBAC documentation, "Understand Azure role definitions"),
 * and an identity has one custom role. So exceptions that only one request has would take away what the other asks for.
 */
export function mergeAzure(newer: ValueMap, older: ValueMap): Merged | undefined {
  const [own, before] = [newer, older].map((one) => readValidSpec(one, azureRequestForm));
  if (own === undefined || before === undefined) return undefined;
  const wrong = (
    [
      ["permissions", "notActions"],
      ["dataPermissions", "notDataActions"],
    ] as const
  ).find(([allowed, exceptions]) => !areExact(own, before, allowed, exceptions));
  if (wrong !== undefined)
    return {
      remedy: `write "spec.providerSpec.${wrong[1]}" of this request like that of the new one, if each release is then allowed what it needs`,
      conflict: `"spec.providerSpec.${wrong[1]}" lists exceptions, which would count for both releases`,
    };
  const roles = distinctBy([...own.roles, ...before.roles]).map((role) => ({ role }));
  const lists = listFields.map((field) => [field, distinctBy([...own[field], ...before[field]])] as const);
  const filled = [["roleBindings", roles] as const, ...lists].filter(([, list]) => list.length > 0);
  return { providerSpec: { ...newer, ...(Object.fromEntries(filled) as ValueMap) } };
}

// The exceptions of both are those of each, or only one of them has anything to except.
function areExact(newer: AzureSpec, older: AzureSpec, allowed: ListField, field: ListField): boolean {
  const [own, before] = [newer, older].map((spec) => new Set(spec[field].map((name) => name.toLowerCase())));
  const isSame = own?.size === before?.size && [...(own ?? [])].every((name) => before?.has(name));
  const isNone = (spec: AzureSpec) => spec[allowed].length + spec[field].length === 0;
  return isSame || isNone(newer) || isNone(older);
}

// The first spelling of each name.
function distinctBy(names: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const name of names) if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
  return [...found.values()];
}
