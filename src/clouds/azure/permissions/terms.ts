import { isUuid } from "../../../core/hash.ts";
import { entryOf, isMap, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { azureRoleIds } from "../../../generated/azure-role-ids.ts";
import { azureRoles } from "../../../generated/azure-roles.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { type Glob, intersects } from "../../../permissions/glob.ts";
import type { CloudIdentity } from "../../../permissions/identity.ts";
import { type Atom, type Grant, namedAction, type Permissions } from "../../../permissions/permissions.ts";
import {
  type Decided,
  type OwnCluster,
  type PermissionTerms,
  type RoleDefinition,
  type RoleDefinitions,
  undecidedGrants,
} from "../../../permissions/terms.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { DescribedRole } from "../../inspector.ts";
import { requestedIdentity } from "../../permissions.ts";
import { readSpec, unreadFields } from "../../request.ts";
import { azureIdentity, azureManagedIdentity } from "../cluster/cluster.ts";
import { azureRequestForm } from "../identities/request.ts";

/**
 * How Azure writes permissions (Azure documentation, "Understand Azure role definitions", "Understand scope for Azure RBAC").
 * Whether an action is one of `actions` or of `dataActions` cannot be seen from its name, so both are compared with it.
 */
export const azureTerms: PermissionTerms = {
  example: "Microsoft.Compute/disks/delete",
  separator: "/",
  actionsIgnoreCase: true,
  hasDenials: false,
  // Provider/type/type/operation. A type of an extension names its provider, too: …/providers/Microsoft.Insights/metrics/read.
  actionForm: /^(?:\*|[A-Za-z*?][-\w.*?]*(?:\/[-\w.$*?]+)*\/[-\w*?]+|Microsoft\.[-\w./*?$]*\*)$/i,
  appliesTo: (scope, named) => {
    const [own, text] = [plain(scope), plain(named)];
    if (own === "*" || intersects(own, text) || intersects(`${own}/*`, text)) return true;
    return intersects("/*", text) ? false : "the name of the resource is not a resource ID";
  },
  isKnownOperator: () => false,
  onlyReads: (action) => /\/read$/i.test(action),
  isBeyond: isBeyondGroups,
  describeBeyond: (scopes) => `it has roles on ${scopes}, which is more than the cluster's resource groups`,
};

function plain(id: Glob): Glob {
  return id.toLowerCase().replace(/\/+$/, "");
}

// A scope below a resource group is one resource, which is limited by its name.
function isBeyondGroups(scope: Glob, { scopes }: OwnCluster): Decided {
  if (isWideScope(scope)) return true;
  const isGroup = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/?$/i.test(scope);
  if (!isGroup || scopes.some((own) => plain(own) === plain(scope))) return false;
  return scopes.length > 0 || "the package does not name the resource groups of the cluster";
}

/**
 * A scope as a set of resources: Azure applies a role to the scope and to everything below it, and compares IDs without case
 * (Azure documentation, "Understand scope for Azure RBAC"). Undefined if the scope contains a wildcard, which has no meaning.
 */
export function scopeGlob(scope: string): string | undefined {
  return /[*?]/.test(scope) ? undefined : `${scope.toLowerCase().replace(/\/+$/, "")}/*`;
}

/** Whether a scope is a subscription, or contains subscriptions. */
export function isWideScope(scope: string): boolean {
  return !/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.test(scope);
}

/**
 * The resource provider of an action: the first part of its name (Microsoft Learn, "Azure resource provider operations"). The name
 * of a role does not say which resource providers it is for, so the role itself is named.
 */
export function serviceOf(action: string): string | undefined {
  const { kind, name = "" } = namedAction(action) ?? {};
  if (kind === "role") return name;
  return name.includes("/") ? name.split("/", 1)[0] : "every service";
}

/**
 * What Microsoft says about the built-in roles that requests may name (Azure documentation, "Azure built-in roles"): the files in
 * `src/clouds/azure/roles/`. A role that changes often is missing. By name and by UUID, in lowercase.
 */
export function knownRoles(): RoleDefinitions {
  known ??= new Map(
    azureRoles.flatMap(({ name, id, date, permissions }) => {
      const definition = { ...definitionOf(permissionGrants(permissions as readonly ValueMap[])), date };
      return [name.toLowerCase(), id].map((key) => [key, definition] as const);
    }),
  );
  return known;
}

let known: RoleDefinitions | undefined;

/** The definition of a role that allows something. */
function definitionOf(grants: Permissions): Required<Pick<RoleDefinition, "permissions" | "grants">> {
  const names = grants.flatMap(({ actions }) => actions.map((action) => namedAction(action)?.name ?? action));
  return { permissions: [...new Set(names)], grants };
}

/**
 * Reads the output of `az role definition list --name ROLE --output json`: a list with one role. A text says what is wrong with it.
 * Undefined if it is something else.
 */
export function readRole(answer: Value): DescribedRole | string | undefined {
  if (Array.isArray(answer) && answer.length !== 1) return "must contain one role";
  const role: Value = Array.isArray(answer) ? ((answer as readonly Value[])[0] as Value) : answer;
  if (!isMap(role) || role["roleName"] === undefined)
    return Array.isArray(answer) ? "must contain one role" : undefined;
  const [name, id] = [textAt(role, ["roleName"]), textAt(role, ["name"])];
  if (name === "" || !isUuid(id)) return 'must have a "roleName" such as "Reader", and a UUID as "name"';
  const permissions = readPermissions(role["permissions"]);
  const grants = permissionGrants(permissions ?? []);
  if (grants.length === 0) return `describes ${quote(name)} without actions in "permissions"`;
  return { names: [name.toLowerCase(), id.toLowerCase()], ...definitionOf(grants) };
}

const byId = new Map(Object.entries(azureRoleIds).map(([name, id]) => [id, name] as const));
const byName = new Map(Object.keys(azureRoleIds).map((name) => [name.toLowerCase(), name] as const));

/** The name under which comparisons know a role: that of a built-in role; otherwise its UUID. */
export function nameOfRole(id: string): string {
  return byId.get(id.toLowerCase()) ?? id.toLowerCase();
}

/**
 * The name under which comparisons know a role that a request names. A rendered package contains only its UUID, so a role that
 * the config adds is known by that.
 *
 * @param added UUIDs of roles by name, from the config.
 */
function nameOfRequestedRole(name: string, added: Readonly<Record<string, string>> = {}): string {
  const key = name.toLowerCase();
  const id = Object.entries(added).find(([other]) => other.toLowerCase() === key)?.[1];
  return id === undefined ? (byName.get(key) ?? name) : nameOfRole(id);
}

/**
 * What the `permissions` of a role definition allow: everything that one of them allows (Azure REST API, Role Definitions,
 * Permission). A condition limits a permission in a way that is not compared, so it is undecided.
 *
 * @param resources where the role applies.
 */
export function permissionGrants(permissions: readonly ValueMap[], resources?: readonly string[]): Grant[] {
  return permissions.flatMap((permission) => {
    const { actions, notActions, dataActions, notDataActions, ...rest } = permission;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isNothing(value)));
    return [
      ...listGrants({ actions, notActions, dataActions, notDataActions }, resources),
      ...unreadFields(given).flatMap(undecidedGrants),
    ];
  });
}

// The Azure CLI writes fields without a value as null or {}.
function isNothing(value: Value | undefined): boolean {
  return value === null || (isMap(value) && Object.keys(value).length === 0);
}

/** The permissions of a role definition; undefined if the value is something else. */
export function readPermissions(permissions: Value | undefined): readonly ValueMap[] | undefined {
  return Array.isArray(permissions) && permissions.every(isMap) ? (permissions as readonly ValueMap[]) : undefined;
}

/** The four lists of a role, as they are written. A missing list is empty. */
export interface RoleLists {
  readonly actions: Value | undefined;
  readonly notActions: Value | undefined;
  readonly dataActions: Value | undefined;
  readonly notDataActions: Value | undefined;
}

/**
 * What a role allows: its actions without its `notActions`, and its data actions without its `notDataActions`, in all of which
 * `*` matches any text. The exceptions limit only this role: another one may allow what they contain (Azure documentation,
 * "Understand Azure role definitions"). A list of an unknown form is undecided.
 *
 * @param resources where the role applies.
 */
export function listGrants(lists: RoleLists, resources: readonly string[] = ["*"]): Grant[] {
  const [actions, notActions, dataActions, notDataActions] = (
    ["actions", "notActions", "dataActions", "notDataActions"] as const
  ).map((name) => textsOf(lists[name]));
  if (!actions || !notActions || !dataActions || !notDataActions)
    return undecidedGrants(`its lists of actions have an unknown form: ${JSON.stringify(lists)}`);
  if (actions.length * notActions.length + dataActions.length * notDataActions.length > maxPairs)
    return undecidedGrants("its lists of actions are too long to compare");
  return [
    ...grant("permission", actions, notActions, resources),
    ...grant("data permission", dataActions, notDataActions, resources),
  ];
}

/** The most pairs of an action and an exception. A custom role of Azure has at most some thousand actions. */
const maxPairs = 100_000;

function grant(
  kind: "permission" | "data permission",
  actions: readonly string[],
  except: readonly string[],
  resources: readonly string[],
): Grant[] {
  if (actions.length === 0) return [];
  const named = (list: readonly string[]) => list.map((text) => `${kind} ${text}`);
  const exceptions = except.length === 0 ? {} : { except: named(except) };
  return [{ effect: "Allow", principals: [""], actions: named(actions), ...exceptions, resources, condition: [] }];
}

// A "?" is not a wildcard in Azure, and no action contains one.
function textsOf(list: Value | undefined): readonly string[] | undefined {
  if (list === undefined || list === null) return [];
  const isList = Array.isArray(list) && list.every((text) => typeof text === "string" && !text.includes("?"));
  return isList ? (list as readonly string[]) : undefined;
}

/**
 * What the assignment of roles grants: the roles by their names, because Azure defines them and may change them.
 *
 * @param resources where the roles apply.
 */
export function assignedGrants(names: readonly string[], resources: readonly string[] = ["*"]): Grant[] {
  const strange = names.filter((name) => /[*?]/.test(name));
  if (strange.length > 0) return undecidedGrants(`a role has a wildcard in its name: ${JSON.stringify(strange)}`);
  if (names.length === 0) return [];
  const actions = names.map((name) => `role ${name}`);
  return [{ effect: "Allow", principals: [""], actions, resources, condition: [] }];
}

/**
 * What a CredentialsRequest for Azure requests: built-in roles, by name, and the permissions of a custom role. The cluster's
 * configuration decides on which scopes. Azure defines a built-in role and may change it, so it is named here; a comparison
 * replaces it with its definition.
 */
export function azureRequestIdentity(request: SelectedRequest, config?: Identity): CloudIdentity {
  const { roles, permissions, notActions, dataPermissions, notDataActions, unread } = readSpec(
    request.value,
    azureRequestForm,
  );
  const added = config?.platform.name === "azure" ? azureIdentity(config).azure.roles : undefined;
  const grants = [
    ...assignedGrants(roles.map((name) => nameOfRequestedRole(name, added))),
    ...listGrants({ actions: permissions, notActions, dataActions: dataPermissions, notDataActions }),
    ...unread.flatMap(undecidedGrants),
  ];
  const accounts = config?.overrides[request.secretKey ?? ""]?.serviceAccountNames;
  return { ...requestedIdentity(azureManagedIdentity, request, grants, accounts), areScopesKnown: false };
}

const fields: Readonly<Record<string, "permissions" | "dataPermissions">> = {
  permission: "permissions",
  "data permission": "dataPermissions",
};

/** The field of a request that requests a role or an action; without it, the field that contains all of them. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const base = "spec.providerSpec";
  const spec = readSpec(request, azureRequestForm);
  const { kind = "", name = "" } = namedAction(part?.action ?? "") ?? {};
  if (kind === "role") {
    const index = spec.roles.map((role) => nameOfRequestedRole(role)).indexOf(name);
    return index < 0 ? base : `${base}.roleBindings[${index}].role`;
  }
  const field = entryOf(fields, kind);
  const index = field === undefined ? -1 : spec[field].indexOf(name);
  return index < 0 ? base : `${base}.${field}[${index}]`;
}
