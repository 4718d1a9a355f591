import { ruleCode } from "../../../core/finding.ts";
import { matches } from "../../../permissions/glob.ts";
import { type ActionPart, atomsOf, type Permissions } from "../../../permissions/permissions.ts";
import { namedGrants, type RoleDefinitions } from "../../../permissions/terms.ts";
import { quotedList } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { findRisks, firstOf, type NamedPart } from "../../risky-permissions.ts";
import { actingAs, assigning, listingKeys, runningCommands } from "../permissions/steps.ts";
import { isWideScope, knownRoles } from "../permissions/terms.ts";

/*
 * Actions with which an identity can extend what it may do. A role applies to everything in its scopes, so each of them applies
 * to every identity, machine, or storage account there. The names are Microsoft's ("Azure permissions").
 */

/**
 * Built-in roles that give such actions, besides those in `src/clouds/azure/roles` (Azure documentation, "Azure built-in roles", read in
 * November 2026): those for access, identities, machines, and keys. By name and by UUID, because a rendered package contains only that.
 */
const administrative: readonly { readonly name: string; readonly id: string; readonly actions: readonly string[] }[] = [
  {
    name: "Managed Identity Contributor",
    id: "e40ec5ca-96e0-45a2-b4ff-59039f2c2b59",
    actions: ["Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write"],
  },
  {
    name: "Managed Identity Federated Identity Credential Contributor",
    id: "7e559ce2-48d7-4b27-9128-fa1b247f1308",
    actions: ["Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write"],
  },
  {
    name: "Managed Identity Operator",
    id: "f1a07417-d97a-45cb-824c-7a7467783830",
    actions: ["Microsoft.ManagedIdentity/userAssignedIdentities/assign/action"],
  },
  {
    name: "Reader and Data Access",
    id: "c12c1c16-33a1-487b-954d-41c89c60f349",
    actions: [
      "Microsoft.Storage/storageAccounts/listKeys/action",
      "Microsoft.Storage/storageAccounts/listAccountSas/action",
    ],
  },
  {
    name: "Role Based Access Control Administrator",
    id: "f58310d9-a9f6-439a-9e8d-f62e7b41a168",
    actions: ["Microsoft.Authorization/roleAssignments/write"],
  },
  {
    name: "Storage Account Key Operator Service Role",
    id: "81a9662b-bebf-436f-a333-f67b29880f12",
    actions: [
      "Microsoft.Storage/storageAccounts/listKeys/action",
      "Microsoft.Storage/storageAccounts/regenerateKey/action",
    ],
  },
  {
    name: "Virtual Machine Contributor",
    id: "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
    actions: [
      "Microsoft.Compute/virtualMachines/*",
      "Microsoft.Compute/virtualMachineScaleSets/*",
      "Microsoft.Storage/storageAccounts/listKeys/action",
    ],
  },
];

const administrativeGrants: ReadonlyMap<string, Permissions> = new Map(
  administrative.flatMap(({ name, id, actions }) => {
    const grants = namedGrants("permission", actions);
    return [name.toLowerCase(), id].map((key) => [key, grants] as const);
  }),
);

/** Whether the rules know what a role allows. */
export function isJudgedRole(role: string): boolean {
  const key = role.toLowerCase();
  return knownRoles().has(key) || administrativeGrants.has(key);
}

/**
 * Names actions that are granted by themselves, through a wildcard, or through a role whose definition is known.
 *
 * @param definitions those that the user passed.
 */
function naming(definitions: RoleDefinitions, actions: readonly string[]): (named: NamedPart) => string | undefined {
  const grantsOf = (role: string) => {
    const key = role.toLowerCase();
    const defined = (definitions.get(key) ?? knownRoles().get(key))?.grants ?? [];
    return [...defined, ...(administrativeGrants.get(key) ?? [])];
  };
  return ({ kind, name, part }) => {
    const parts = kind === "role" ? atomsOf(grantsOf(name), "Allow") : [part];
    const risks = actions.filter((action) => parts.some((one) => contains(one, action)));
    if (risks.length === 0) return undefined;
    const isItself = risks.length === 1 && risks[0]?.toLowerCase() === name.toLowerCase();
    return isItself ? firstOf(risks) : `${firstOf(risks)} through ${quotedList([name])}`;
  };
}

function contains({ action, except = [] }: ActionPart, name: string): boolean {
  const text = `permission ${name}`.toLowerCase();
  const isIn = (set: string) => matches(set.toLowerCase(), text);
  return isIn(action) && !except.some(isIn);
}

export const actAsIdentityAny: Rule = {
  code: ruleCode("act-as-identity-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can act as every managed identity in its scopes.",
  why: "With `federatedIdentityCredentials/write`, the component lets tokens of its choice act as any managed identity in its scopes. With `userAssignedIdentities/assign/action`, it starts a machine with any of them. These identities might have more permissions than the component has.",
  cure: "Remove the action, or the role with it. If the request is part of a release, keep the managed identities in a resource group that is not a scope of the component, and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted, definitions }) =>
    findRisks(granted, naming(definitions, actingAs), "can act as any managed identity in its scopes"),
};

export const assignRoleAny: Rule = {
  code: ruleCode("assign-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can assign roles, or change them.",
  why: "With `roleAssignments/write`, the component can give itself every role in its scopes, including `Owner`. With `roleDefinitions/write`, it can add every missing action to its custom role. The roles `Owner` and `User Access Administrator` contain these actions.",
  cure: "Remove the action, or the role with it. If the request is part of a release, such as the request of the cluster API in 4.19 and later, assign the roles with a condition outside the package, or accept the finding with the reason.",
  escalates: true,
  check: ({ granted, definitions }) =>
    findRisks(granted, naming(definitions, assigning), "can assign or change roles in its scopes"),
};

export const listKeysAny: Rule = {
  code: ruleCode("list-keys-any"),
  severity: "warning",
  reads: "package",
  summary:
    "A request or a rendered managed identity can read the keys of every storage account or registry in its scopes.",
  why: "A key gives full access to the data, and no role limits it. It works until it is replaced, even outside the cluster. If the storage account of the issuer is in a scope, a key with write access lets the component publish signing keys of its own.",
  cure: "Use data permissions, such as those of `Storage Blob Data Contributor`, instead of keys. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted, definitions }) =>
    findRisks(granted, naming(definitions, listingKeys), "can read keys in its scopes", "use data permissions instead"),
};

export const runCommandAny: Rule = {
  code: ruleCode("run-command-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can run commands in every virtual machine in its scopes.",
  why: "The commands run as the administrator of the machine. They can read its disks and memory, and act as its managed identities. A virtual machine extension does the same.",
  cure: "Remove the action, or the role with it. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted, definitions }) =>
    findRisks(granted, naming(definitions, runningCommands), "can run commands in any virtual machine in its scopes"),
};

export const roleScopeSubscription: Rule = {
  code: ruleCode("role-scope-subscription"),
  severity: "warning",
  reads: "package",
  summary: "A rendered managed identity has a role on a whole subscription, or on a larger scope.",
  why: "A role applies to everything below its scope. On a subscription, it applies to all resource groups, including those of other clusters, and to the managed identities of this cluster. The scopes that a render computes are resource groups.",
  cure: "Name resource groups in `scopes` of the override. If the component needs the whole subscription, accept the finding with the reason.",
  check: ({ rendered }) =>
    rendered.flatMap(({ resource, permissions }) => {
      const scopes = permissions.flatMap(({ resources, undecided }) => (undecided === undefined ? resources : []));
      const wide = scopes.filter(isWideScope);
      if (wide.length === 0 || resource === undefined) return [];
      const message = `has roles on ${quotedList(wide)}, which is more than a resource group; name resource groups in "scopes" of its override, or accept the finding with the reason.`;
      return [{ message, resource }];
    }),
};
