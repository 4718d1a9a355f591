import { ruleCode } from "../../../core/finding.ts";
import { matches } from "../../../permissions/glob.ts";
import { type ActionPart, atomsOf } from "../../../permissions/permissions.ts";
import { quotedList } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { findRisks, firstOf, type NamedPart } from "../../risky-permissions.ts";
import { isWideScope, knownRoles } from "../permissions/terms.ts";

/*
 * Actions with which an identity can extend what it may do. A role applies to everything in its scopes, so each of them applies
 * to every identity, machine, or storage account there. The names are Microsoft's ("Azure permissions").
 */

/** Actions that change who may do what. */
const assigning: readonly string[] = [
  "Microsoft.Authorization/roleAssignments/write",
  "Microsoft.Authorization/roleDefinitions/write",
  "Microsoft.Authorization/roleAssignmentScheduleRequests/write",
  "Microsoft.Authorization/elevateAccess/action",
];

/** Actions with which an identity can act as another managed identity. */
const actingAs: readonly string[] = [
  "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write",
  "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
];

/** Actions that return keys, or tokens that are made from keys. */
const listingKeys: readonly string[] = [
  "Microsoft.Storage/storageAccounts/listKeys/action",
  "Microsoft.Storage/storageAccounts/regenerateKey/action",
  "Microsoft.Storage/storageAccounts/listAccountSas/action",
  "Microsoft.Storage/storageAccounts/listServiceSas/action",
  "Microsoft.ContainerRegistry/registries/listCredentials/action",
];

/** Actions that run commands in virtual machines. */
const runningCommands: readonly string[] = [
  "Microsoft.Compute/virtualMachines/runCommand/action",
  "Microsoft.Compute/virtualMachines/runCommands/write",
  "Microsoft.Compute/virtualMachines/extensions/write",
  "Microsoft.Compute/virtualMachineScaleSets/extensions/write",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/runCommand/action",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/runCommands/write",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/extensions/write",
];

/** Names actions that are granted by themselves, through a wildcard, or through a role whose definition is known. */
function naming(actions: readonly string[]): (named: NamedPart) => string | undefined {
  return ({ kind, name, part }) => {
    const parts = kind === "role" ? atomsOf(knownRoles().get(name.toLowerCase())?.grants ?? [], "Allow") : [part];
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
  check: ({ granted }) => findRisks(granted, naming(actingAs), "can act as any managed identity in its scopes"),
};

export const assignRoleAny: Rule = {
  code: ruleCode("assign-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can assign roles, or change them.",
  why: "With `roleAssignments/write`, the component can give itself every role in its scopes, including `Owner`. With `roleDefinitions/write`, it can add every missing action to its custom role. The roles `Owner` and `User Access Administrator` contain these actions.",
  cure: "Remove the action, or the role with it. If the request is part of a release, such as the request of the cluster API in 4.19 and later, assign the roles with a condition outside the package, or accept the finding with the reason.",
  escalates: true,
  check: ({ granted }) => findRisks(granted, naming(assigning), "can assign or change roles in its scopes"),
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
  check: ({ granted }) =>
    findRisks(granted, naming(listingKeys), "can read keys in its scopes", "use data permissions instead"),
};

export const runCommandAny: Rule = {
  code: ruleCode("run-command-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can run commands in every virtual machine in its scopes.",
  why: "The commands run as the administrator of the machine. They can read its disks and memory, and act as its managed identities. A virtual machine extension does the same.",
  cure: "Remove the action, or the role with it. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted }) =>
    findRisks(granted, naming(runningCommands), "can run commands in any virtual machine in its scopes"),
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
