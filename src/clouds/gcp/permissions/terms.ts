import { isMap, type Value } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";
import { gcpRoles, gcpRolesDate } from "../../../generated/gcp-roles.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { intersects, matches } from "../../../permissions/glob.ts";
import type { CloudIdentity } from "../../../permissions/identity.ts";
import { type Atom, namedAction } from "../../../permissions/permissions.ts";
import {
  literalGrants,
  type PermissionTerms,
  type RoleDefinitions,
  undecidedGrants,
} from "../../../permissions/terms.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { DescribedRole } from "../../inspector.ts";
import { requestedIdentity } from "../../permissions.ts";
import { readSpec } from "../../request.ts";
import { gcpServiceAccount } from "../cluster/cluster.ts";
import { gcpRequestForm, listFields } from "../identities/request.ts";

/**
 * Packs the names of permissions, `service.resource.verb`, into one string: a line for each service, a word for each of its
 * resources, with the verbs after a colon. The program contains thousands of such names.
 */
export function packed(permissions: readonly string[]): string {
  const services = new Map<string, Map<string, string[]>>();
  for (const permission of [...new Set(permissions)].sort(compareText)) {
    const [first, last] = [permission.indexOf("."), permission.lastIndexOf(".")];
    const [service, resource, verb] = [
      permission.slice(0, first),
      permission.slice(first + 1, last),
      permission.slice(last + 1),
    ];
    const resources = services.get(service) ?? new Map<string, string[]>();
    services.set(service, resources.set(resource, [...(resources.get(resource) ?? []), verb]));
  }
  const lines = [...services].map(([service, resources]) =>
    [service, ...[...resources].map(([resource, verbs]) => `${resource}:${verbs.join(",")}`)].join(" "),
  );
  return lines.join("\n");
}

/** The names of permissions that {@link packed} packed. */
export function unpacked(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [service, ...resources] = line.split(" ");
    return resources.flatMap((word) => {
      const [resource = "", verbs = ""] = word.split(":");
      return verbs.split(",").map((verb) => `${service}.${resource}.${verb}`);
    });
  });
}

/** Permissions with which an identity can act as another one. The names are Google's ("IAM permissions reference"). */
export const impersonating: readonly string[] = [
  "iam.serviceAccounts.getAccessToken",
  "iam.serviceAccounts.getOpenIdToken",
  "iam.serviceAccounts.implicitDelegation",
  "iam.serviceAccounts.signBlob",
  "iam.serviceAccounts.signJwt",
  "iam.serviceAccountKeys.create",
];

/** The permission to run a workload as a service account. */
export const acting = "iam.serviceAccounts.actAs";

/** Whether a permission changes who may do what: a policy of a resource, or the permissions in a custom role. */
export function changesPolicy(permission: string): boolean {
  return permission.endsWith(".setIamPolicy") || permission === "iam.roles.update";
}

/** Whether a rule looks for a permission. */
export function isRisk(permission: string): boolean {
  return permission === acting || impersonating.includes(permission) || changesPolicy(permission);
}

/**
 * How Google writes permissions (Google Cloud documentation, "IAM permissions reference", and "Full resource names"). A package
 * grants components roles on the project, without conditions, so all of them reach every resource of the project. A workload can
 * have a role on a bucket.
 */
export const gcpTerms: PermissionTerms = {
  example: "compute.disks.delete",
  separator: ".",
  actionsIgnoreCase: false,
  hasDenials: false,
  // service.resource.verb; services of partners have a domain and a slash: example.com/disks.get. Without a wildcard, two dots.
  actionForm:
    /^(?:\*|(?=.*(?:[*?]|\..*\.))(?:[a-z*?][-A-Za-z0-9_*?]*(?:\.[-A-Za-z0-9_*?]+)*(?:\/[A-Za-z0-9*?]+)?\.[A-Za-z0-9_.*?]+|[a-z][-a-z0-9.]*\.[a-z]+\/\*))$/,
  appliesTo: (own, named, { account }) => {
    if (/^\*+$/.test(named)) return true;
    if (own !== "*") return intersects(own, named);
    const project = /(?:^|\/)projects\/([^/]+)/.exec(named)?.[1];
    if (project === undefined || project === "_") return "the name of the resource does not contain its project";
    if (account === undefined) return "the project of the package is not known";
    if (matches(project, account)) return true;
    return /^[0-9*?]+$/.test(project) ? "the resource names its project by number" : false;
  },
  isKnownOperator: () => false,
  onlyReads: (action) => reading.test(action.slice(action.lastIndexOf(".") + 1)) && !impersonating.includes(action),
  isBeyond: (resource) => resource === "*",
  describeBeyond: (_, { account }) =>
    `its roles apply to the whole project${account === undefined ? "" : ` ${quote(account)}`}`,
};

const reading = /^(?:get|list|search|read|view|fetch|show|useReadOnly)(?![a-z])/;

/**
 * The service of a permission or of a predefined role: the first part of its name (IAM documentation, "Permissions reference" and
 * "Roles overview"). A basic role concerns every service, and the name of a custom role says nothing.
 */
export function serviceOf(action: string): string | undefined {
  const { kind, name = "" } = namedAction(action) ?? {};
  const rest = kind === "role" ? /^roles\/(.+)$/s.exec(name)?.[1] : name;
  if (rest === undefined) return "custom roles";
  return rest.includes(".") ? rest.split(".", 1)[0] : "every service";
}

/**
 * What Google says about the predefined roles that requests of OpenShift's releases and operators name: the output of
 * `gcloud iam roles describe` in `src/clouds/gcp/roles/`. Only comparisons load this module, because it is large.
 */
export function predefinedRoles(): RoleDefinitions {
  known ??= new Map(
    Object.entries(gcpRoles).map(([name, text]) => [name, { permissions: unpacked(text), date: gcpRolesDate }]),
  );
  return known;
}

let known: RoleDefinitions | undefined;

/** The full name of a predefined or a custom role (Google Cloud IAM API reference, "roles.get"). */
const roleName = /^(?:(?:projects|organizations)\/[a-z0-9][-:.a-z0-9]*\/)?roles\/[A-Za-z0-9_.]+$/;

/** The name of a permission, with its service and its resource (IAM API reference, "includedPermissions"). */
const permissionName = /^[a-z][-A-Za-z0-9.]*(?:\/[A-Za-z0-9]+)?(?:\.[A-Za-z0-9_]+)+$/;

/** Reads the output of `gcloud iam roles describe ROLE --format=json`; a text says what is wrong with it. */
export function readRole(answer: Value): DescribedRole | string {
  if (!isMap(answer)) return "must contain one role";
  const { name, includedPermissions: permissions, deleted } = answer;
  if (typeof name !== "string" || !roleName.test(name))
    return 'must have a "name" such as "roles/dns.admin" or "projects/my-project/roles/disks"';
  if (deleted === true) return `describes ${quote(name)}, which is deleted`;
  // The output of "gcloud iam roles list" lacks the permissions: a role would seem to allow nothing.
  if (!Array.isArray(permissions) || permissions.length === 0) return 'has no "includedPermissions"';
  const list = permissions as readonly Value[];
  const wrong = list.find((permission) => typeof permission !== "string" || !permissionName.test(permission));
  return wrong === undefined
    ? { names: [name], permissions: list as readonly string[] }
    : `contains ${quote(wrong)} in "includedPermissions", which is not a permission`;
}

/**
 * What a CredentialsRequest for GCP requests: predefined roles and individual permissions, on the project. Google defines a
 * predefined role and may change it, so it is named here; a comparison replaces it with its definition.
 */
export function gcpRequestIdentity(request: SelectedRequest, config?: Identity): CloudIdentity {
  const spec = readSpec(request.value, gcpRequestForm);
  const permissions = [
    ...listFields.flatMap(([field, kind]) => literalGrants(kind, spec[field])),
    ...spec.unread.flatMap(undecidedGrants),
  ];
  const accounts = config?.overrides[request.secretKey ?? ""]?.serviceAccountNames;
  return requestedIdentity(gcpServiceAccount, request, permissions, accounts);
}

/** The field of a request that requests a role or a permission; without it, the field that contains all of them. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const { kind, name = "" } = namedAction(part?.action ?? "") ?? {};
  const spec = readSpec(request, gcpRequestForm);
  for (const [field, one] of listFields) {
    const index = one === kind ? spec[field].indexOf(name) : -1;
    if (index >= 0) return `spec.providerSpec.${field}[${index}]`;
  }
  return "spec.providerSpec";
}
