import { type Finding, finding, hasError } from "../../../core/finding.ts";
import { textOf, type ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import type { GCPOverride, Override } from "../../../generated/cluster-identity.ts";
import { gcpProviderSpecWords, validateGcpProviderSpec } from "../../../generated/validate-gcp-provider-spec.js";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { Merged } from "../../../requests/transition.ts";
import {
  type CheckedRequest,
  type ReadSpec,
  type RequestForm,
  readRequest,
  readValidSpec,
  textsOf,
  unreadFields,
} from "../../request.ts";
import { type GcpIdentity, maxRoleBytes, maxRolePermissions, maxSubject } from "../cluster/cluster.ts";
import { bucketRoles } from "../workloads.ts";

/** `spec.providerSpec` of a CredentialsRequest for GCP, as written. */
export interface GcpSpec extends ReadSpec, Readonly<Record<ListField, readonly string[]>> {
  readonly skipServiceCheck: boolean;
  /** "" if the request does not name it; so is the audience. */
  readonly serviceAccountEmail: string;
  readonly audience: string;
}

/** The lists of what a request asks for, and what their entries are. */
export const listFields = [
  ["predefinedRoles", "role"],
  ["permissions", "permission"],
] as const;

type ListField = (typeof listFields)[number][0];

function readGcpSpec(fields: ValueMap): GcpSpec {
  const { predefinedRoles, permissions, skipServiceCheck, serviceAccountEmail, audience, ...others } = fields;
  const unread: string[] = [];
  return {
    predefinedRoles: textsOf(predefinedRoles, "roles", unread),
    permissions: textsOf(permissions, "permissions", unread),
    skipServiceCheck: skipServiceCheck === true,
    serviceAccountEmail: textOf(serviceAccountEmail),
    audience: textOf(audience),
    unread: [...unread, ...unreadFields(others)],
  };
}

/** A CredentialsRequest for GCP with every value checked. */
export interface GcpRequest extends CheckedRequest<GcpSpec> {
  /** As `system:serviceaccount:<namespace>:<name>`, in the order of the request. */
  readonly principals: readonly string[];
  /** Sorted, without duplicates. */
  readonly roles: readonly string[];
  /** Sorted, without duplicates. */
  readonly permissions: readonly string[];
  readonly override: AccountOverride;
}

/** Requests for GCP. */
export const gcpRequestForm: RequestForm<GcpSpec> = {
  validate: validateGcpProviderSpec,
  words: gcpProviderSpecWords,
  read: readGcpSpec,
  placeholders: /\$\{|^PROJECT_(?:ID|NUMBER)$/,
};

/**
 * Checks an included request, and applies the config's override for its Secret.
 *
 * @param written fields that a function will overwrite, so they may still contain placeholders.
 */
export function readGcpRequest(
  selected: SelectedRequest,
  override: AccountOverride,
  written?: ReadonlySet<string>,
): { request: GcpRequest | undefined; findings: readonly Finding[] } {
  const { request, findings } = readRequest(selected, gcpRequestForm, override, written);
  if (request === undefined) return { request, findings };
  const { providerSpec, subjects } = request;
  const principals = subjects.map(({ namespace, name }) => `system:serviceaccount:${namespace}:${name}`);
  const roles = sorted(providerSpec.predefinedRoles);
  const permissions = sorted(providerSpec.permissions);
  const wrong = [
    ...findings,
    ...roles.flatMap((role) => roleFindings(role, selected)),
    ...bucketRolesOf(selected).flatMap((role) => roleFindings(role, selected)),
    ...sizeFindings(permissions, selected),
    ...levelFindings(permissions, selected),
    ...principals.flatMap((subject) => subjectFindings(subject, selected)),
  ];
  if (roles.length === 0 && permissions.length === 0 && bucketRolesOf(selected).length === 0)
    wrong.push(nothingRequested(selected));
  if (hasError(wrong)) return { request: undefined, findings: wrong };
  return { request: { ...request, principals, roles, permissions, override }, findings: wrong };
}

function sorted(list: readonly string[]): readonly string[] {
  return [...new Set(list)].sort();
}

const rolesField = "spec.providerSpec.predefinedRoles";
const permissionsField = "spec.providerSpec.permissions";

function roleFindings(role: string, { resource }: SelectedRequest): Finding[] {
  const location = { resource, field: rolesField };
  if (basicRoles.has(role)) {
    const message = `requests the basic role ${quote(role)}, which applies to every resource of the project. Name predefined roles in "${rolesField}", or individual permissions in "${permissionsField}".`;
    return [finding("error", "basic-role", message, location)];
  }
  if (role.startsWith("roles/")) return [];
  const message = `requests ${quote(role)}, a custom role that this package does not define. Check that it exists and what it allows, or name its permissions in "${permissionsField}".`;
  return [finding("warning", "foreign-custom-role", message, location)];
}

function sizeFindings(permissions: readonly string[], { resource }: SelectedRequest): Finding[] {
  const bytes = permissions.reduce((sum, permission) => sum + permission.length, 0);
  if (permissions.length <= maxRolePermissions && bytes <= maxRoleBytes) return [];
  const message = `requests ${permissions.length} permissions with ${bytes} characters; a custom role may contain at most ${maxRolePermissions} permissions and ${maxRoleBytes} characters. Replace some in "${permissionsField}" with predefined roles in "${rolesField}".`;
  return [finding("error", "custom-role-too-large", message, { resource, field: permissionsField })];
}

// "Create and manage custom roles": a custom role of a project cannot contain permissions for folders and organizations.
const aboveProjects = /^resourcemanager\.(?:organizations|folders)\./;

function levelFindings(permissions: readonly string[], { resource }: SelectedRequest): Finding[] {
  const found = permissions.filter((permission) => aboveProjects.test(permission));
  if (found.length === 0) return [];
  const message = `requests ${found.map(quote).join(", ")}, but a custom role of a project cannot contain permissions for organizations or folders, and Google Cloud refuses it. Remove them from "${permissionsField}", and grant them outside the package with a role of the organization or the folder.`;
  return [finding("error", "permission-above-project", message, { resource, field: permissionsField })];
}

// Names of service accounts are ASCII.
function subjectFindings(subject: string, { resource }: SelectedRequest): Finding[] {
  if (subject.length <= maxSubject) return [];
  const field = "spec.serviceAccountNames";
  const message = `names a service account whose subject ${quote(subject)} has ${subject.length} bytes, but Google Cloud refuses a "google.subject" of more than ${maxSubject}: the namespace and the name of the service account may have ${maxSubject - "system:serviceaccount::".length} together. Use a service account with a shorter name.`;
  return [finding("error", "subject-too-long", message, { resource, field })];
}

function bucketRolesOf({ workload }: SelectedRequest): readonly string[] {
  return workload === undefined ? [] : [...bucketRoles(workload).values()].flat();
}

function nothingRequested({ resource }: SelectedRequest): Finding {
  const message = `requests neither a role nor a permission, so its service account could do nothing. Name roles in "${rolesField}" or permissions in "${permissionsField}".`;
  return finding("error", "request-without-permissions", message, { resource, field: "spec.providerSpec" });
}

/** The config's override for one request: the settings for every cloud and those for GCP alone. */
export type AccountOverride = Override & GCPOverride;

/** The config's override for a Secret, `<secret namespace>/<secret name>`; empty if it has none. */
export function overrideFor({ overrides, gcp }: GcpIdentity, key = ""): AccountOverride {
  return { ...overrides[key], ...gcp.overrides?.[key] };
}

/** Merges what requests of two releases ask for: the roles and permissions of both, by name. */
export function mergeGcp(newer: ValueMap, older: ValueMap): Merged | undefined {
  const [own, before] = [newer, older].map((one) => readValidSpec(one, gcpRequestForm));
  if (own === undefined || before === undefined) return undefined;
  const lists = listFields.map(([field]) => [field, [...new Set([...own[field], ...before[field]])]] as const);
  return { providerSpec: { ...newer, ...Object.fromEntries(lists.filter(([, names]) => names.length > 0)) } };
}

/**
 * Roles that allow nearly everything in a project, or the reading of it (Google Cloud documentation, "Roles and
 * permissions": basic roles, and legacy basic roles).
 */
export const basicRoles: ReadonlySet<string> = new Set([
  "roles/owner",
  "roles/editor",
  "roles/viewer",
  "roles/admin",
  "roles/writer",
  "roles/reader",
]);

/** The basic roles as code, for prose. */
export const basicRoleNames = Array.from(basicRoles, (role) => `\`${role}\``).join(", ");
