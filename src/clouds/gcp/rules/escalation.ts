import { ruleCode } from "../../../core/finding.ts";
import { entryOf } from "../../../core/resource.ts";
import { gcpRoleRisks } from "../../../generated/gcp-role-risks.ts";
import { namedAction } from "../../../permissions/permissions.ts";
import type { RoleDefinitions } from "../../../permissions/terms.ts";
import { quotedList } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { findRisks, firstOf, type NamedPart } from "../../risky-permissions.ts";
import { basicRoleNames, basicRoles } from "../identities/request.ts";
import { acting, changesPolicy, impersonating, unpacked } from "../permissions/terms.ts";

/*
 * Permissions with which an identity can extend what it may do. A request applies to the whole project, so each of them
 * applies to every service account, or to every resource, of the project.
 */

/**
 * Predefined roles that give such permissions, besides those in `src/clouds/gcp/roles` (Google Cloud documentation, "IAM roles and
 * permissions", read in August 2026): those that exist for it, and all others that can act as service accounts or create keys of them.
 */
const administrative: Readonly<Record<string, readonly string[]>> = {
  "roles/assuredoss.admin": ["iam.serviceAccountKeys.create"],
  "roles/backupdr.computeEngineOperator": ["iam.serviceAccounts.actAs"],
  "roles/dataproc.hubAgent": ["iam.serviceAccounts.actAs"],
  "roles/earthengine.appsPublisher": ["iam.serviceAccounts.setIamPolicy"],
  "roles/iam.admin": [
    "iam.roles.update",
    "iam.serviceAccountKeys.create",
    "iam.serviceAccounts.actAs",
    "iam.serviceAccounts.setIamPolicy",
  ],
  "roles/iam.dataScientist": ["iam.serviceAccounts.actAs"],
  "roles/iam.databasesAdmin": ["iam.serviceAccounts.actAs"],
  "roles/iam.devOps": ["iam.serviceAccounts.actAs", "iam.serviceAccounts.setIamPolicy"],
  "roles/iam.editor": ["iam.serviceAccountKeys.create", "iam.serviceAccounts.actAs"],
  "roles/iam.organizationRoleAdmin": ["iam.roles.update"],
  "roles/iam.roleAdmin": ["iam.roles.update"],
  "roles/iam.securityAdmin": ["resourcemanager.projects.setIamPolicy", "iam.serviceAccounts.setIamPolicy"],
  "roles/iam.serviceAccountAdmin": ["iam.serviceAccounts.setIamPolicy"],
  "roles/iam.serviceAccountKeyAdmin": ["iam.serviceAccountKeys.create"],
  "roles/iam.serviceAccountOpenIdTokenCreator": ["iam.serviceAccounts.getOpenIdToken"],
  "roles/iam.serviceAccountTokenCreator": [
    "iam.serviceAccounts.getAccessToken",
    "iam.serviceAccounts.getOpenIdToken",
    "iam.serviceAccounts.implicitDelegation",
    "iam.serviceAccounts.signBlob",
    "iam.serviceAccounts.signJwt",
  ],
  "roles/iam.workloadIdentityUser": ["iam.serviceAccounts.getAccessToken", "iam.serviceAccounts.getOpenIdToken"],
  "roles/resourcemanager.folderAdmin": [
    "resourcemanager.folders.setIamPolicy",
    "resourcemanager.projects.setIamPolicy",
  ],
  "roles/resourcemanager.folderIamAdmin": ["resourcemanager.folders.setIamPolicy"],
  "roles/resourcemanager.organizationAdmin": [
    "resourcemanager.folders.setIamPolicy",
    "resourcemanager.organizations.setIamPolicy",
    "resourcemanager.projects.setIamPolicy",
  ],
  "roles/resourcemanager.projectIamAdmin": ["resourcemanager.projects.setIamPolicy"],
  "roles/securitycenter.admin": ["iam.serviceAccountKeys.create"],
};

/** The permissions of a predefined role that rules look for, as far as they are known. */
function risksOf(role: string): readonly string[] {
  return entryOf(administrative, role) ?? unpacked(entryOf(gcpRoleRisks, role) ?? "");
}

/** Whether the rules know what a role allows. A basic role has a rule of its own. */
export function isJudgedRole(role: string): boolean {
  return (
    basicRoles.has(role) || entryOf(administrative, role) !== undefined || entryOf(gcpRoleRisks, role) !== undefined
  );
}

/**
 * Names the permissions of a part that a rule looks for.
 *
 * @param definitions those that the user passed.
 * @param is whether the rule looks for a permission.
 */
function naming(
  definitions: RoleDefinitions,
  is: (permission: string) => boolean,
): (named: NamedPart) => string | undefined {
  return ({ kind, name }) => {
    if (kind === "permission") return is(name) ? quotedList([name]) : undefined;
    const permissions = (definitions.get(name)?.permissions ?? risksOf(name)).filter(is);
    return permissions.length === 0 ? undefined : `${firstOf(permissions)} through ${quotedList([name])}`;
  };
}

export const actAsAny: Rule = {
  code: ruleCode("act-as-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered service account allows iam.serviceAccounts.actAs in the whole project.",
  why: "With this permission, a component can start a workload, such as an instance, as a service account. Requests apply to the whole project, so the component can choose any service account of the project, including one with more permissions than the component has, and the workload can use all of its permissions.",
  cure: "Remove the permission, or the role with it, if the component starts no workloads. If the request is part of a release, keep service accounts with more permissions in other projects, and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted, definitions }) =>
    findRisks(
      granted,
      naming(definitions, (permission) => permission === acting),
      "can run workloads as any service account of the project",
    ),
};

export const basicRoleBound: Rule = {
  code: ruleCode("basic-role-bound"),
  severity: "error",
  reads: "package",
  summary: "A rendered service account is bound to a basic role.",
  why: `Basic roles (${basicRoleNames}) apply to every resource of the project. A render refuses a request that names one (\`basic-role\`), so the file was edited.`,
  cure: "Render again. If the component needs more, name predefined roles or permissions in its request.",
  escalates: true,
  check: ({ rendered }) =>
    rendered.flatMap(({ resource, permissionFiles }) => {
      for (const { field, permissions } of permissionFiles) {
        const roles = permissions.flatMap(({ actions }) =>
          actions.flatMap((action) => namedAction(action)?.name ?? []),
        );
        const found = roles.filter((role) => basicRoles.has(role));
        if (found.length === 0 || resource === undefined) continue;
        return [{ message: `"${field}" binds the basic role ${quotedList(found)}; render again.`, resource, field }];
      }
      return [];
    }),
};

export const impersonateAny: Rule = {
  code: ruleCode("impersonate-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered service account can get credentials of every service account in the project.",
  why: "Requests apply to the whole project. With `getAccessToken`, `implicitDelegation`, `signBlob`, `signJwt`, or `getOpenIdToken`, the component can get tokens for any service account of the project, or sign them. With `iam.serviceAccountKeys.create`, it can create a key that works until the key is deleted, even outside the cluster.",
  cure: "Remove the permission, or the role with it. If the component must impersonate one service account, bind the role on that account, outside the package. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted, definitions }) =>
    findRisks(
      granted,
      naming(definitions, (permission) => impersonating.includes(permission)),
      "can get credentials of any service account of the project",
    ),
};

export const setPolicyAny: Rule = {
  code: ruleCode("set-policy-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered service account can change policies or custom roles.",
  why: "With `setIamPolicy` on a kind of resource, the component decides who can use these resources in the whole project. With that permission for projects or service accounts, it can give itself every role. With that permission for instances, it can let anyone log in and act as the instance's service account. With `iam.roles.update`, it can add permissions to its own custom role.",
  cure: "Name the permissions that the component calls instead of a role that includes `setIamPolicy`. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted, definitions }) =>
    findRisks(granted, naming(definitions, changesPolicy), "can change policies or roles in the whole project"),
};
