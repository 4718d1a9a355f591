import type { Way } from "../../../permissions/steps.ts";

/*
 * Actions with which a managed identity can get more permissions than its own. A role applies to everything in its scopes, so each of
 * them applies to every identity, machine, or storage account there. The names are Microsoft's ("Azure permissions"). The rules judge
 * them in a package, and answers to questions name them as steps.
 */

const changingRoles = "Microsoft.Authorization/roleDefinitions/write";

/** Actions that change who may do what, those first that say the most. */
export const assigning: readonly string[] = [
  "Microsoft.Authorization/roleAssignments/write",
  changingRoles,
  "Microsoft.Authorization/roleAssignmentScheduleRequests/write",
  "Microsoft.Authorization/elevateAccess/action",
];

/** Actions that give a role to someone. */
const givingRoles: readonly string[] = assigning.filter((action) => action !== changingRoles);

const federating = "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write";
const attaching = "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action";

/** Actions with which an identity can act as another managed identity. */
export const actingAs: readonly string[] = [federating, attaching];

/** Actions that return keys of a storage account, or tokens that are made from keys. */
const listingStorageKeys: readonly string[] = [
  "Microsoft.Storage/storageAccounts/listKeys/action",
  "Microsoft.Storage/storageAccounts/regenerateKey/action",
  "Microsoft.Storage/storageAccounts/listAccountSas/action",
  "Microsoft.Storage/storageAccounts/listServiceSas/action",
];

const listingRegistryKeys = "Microsoft.ContainerRegistry/registries/listCredentials/action";

/** Actions that return keys, or tokens that are made from keys. */
export const listingKeys: readonly string[] = [...listingStorageKeys, listingRegistryKeys];

/** Actions that run commands in virtual machines. */
export const runningCommands: readonly string[] = [
  "Microsoft.Compute/virtualMachines/runCommand/action",
  "Microsoft.Compute/virtualMachines/runCommands/write",
  "Microsoft.Compute/virtualMachines/extensions/write",
  "Microsoft.Compute/virtualMachineScaleSets/extensions/write",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/runCommand/action",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/runCommands/write",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/extensions/write",
];

/** What a key of a storage account gives: its data (Azure documentation, "Manage storage account access keys"). */
const storageData = ["blob", "file", "queue", "table"].map(
  (kind) => `Microsoft.Storage/storageAccounts/${kind}Services/*`,
);

/** The steps of a managed identity, those first that lead the furthest. */
export const managedIdentityWays: readonly Way[] = [
  ...givingRoles.map(
    (action): Way => ({
      by: "assigning a role",
      needs: [action],
      how: "it can give itself any role in its scopes",
      isScoped: true,
    }),
  ),
  {
    by: "changing a role",
    needs: [changingRoles],
    how: "it can add actions to its own custom role",
    isScoped: true,
    changesRole: true,
  },
  {
    by: "acting as another managed identity",
    needs: [federating],
    how: "tokens of its choice can act as any managed identity in its scopes",
  },
  {
    by: "acting as another managed identity",
    needs: [attaching],
    how: "it can start a machine with any managed identity in its scopes",
  },
  ...runningCommands.map(
    (action): Way => ({
      by: "running commands in a virtual machine",
      needs: [action],
      how: "the commands can act as the managed identities of the machine",
    }),
  ),
  ...listingStorageKeys.map(
    (action): Way => ({
      by: "reading keys",
      needs: [action],
      how: "a key gives full access to the data of a storage account",
      gives: storageData,
      isScoped: true,
    }),
  ),
  {
    by: "reading keys",
    needs: [listingRegistryKeys],
    how: "the credentials give full access to the images of a registry",
    gives: ["Microsoft.ContainerRegistry/*"],
    isScoped: true,
  },
];
