import type { Operations } from "../../../permissions/vocabulary.ts";

const blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs";
const containers = "Microsoft.Storage/storageAccounts/blobServices/containers";

/**
 * Operations of REST APIs and what authorizes them (Azure documentation, "Authorize with Microsoft Entra ID" of the Blob service, and
 * "Azure permissions", read in November 2026). The names of operations of the Resource Manager are those of its clients.
 */
export const azureOperations: Operations = {
  "Delete Blob": [`${blobs}/delete`],
  "Delete Container": [`${containers}/delete`],
  "Get Blob": [`${blobs}/read`],
  "Get Blob Properties": [`${blobs}/read`],
  "Get User Delegation Key": ["Microsoft.Storage/storageAccounts/blobServices/generateUserDelegationKey/action"],
  "List Blobs": [`${blobs}/read`],
  "List Containers": [`${containers}/read`],
  "Put Blob": [`${blobs}/add/action`, `${blobs}/write`],
  "Put Block": [`${blobs}/write`],
  "Put Block List": [`${blobs}/write`],
  Disks_CreateOrUpdate: ["Microsoft.Compute/disks/write"],
  Disks_Delete: ["Microsoft.Compute/disks/delete"],
  RoleAssignments_Create: ["Microsoft.Authorization/roleAssignments/write"],
  StorageAccounts_ListKeys: ["Microsoft.Storage/storageAccounts/listKeys/action"],
  StorageAccounts_RegenerateKey: ["Microsoft.Storage/storageAccounts/regenerateKey/action"],
  VirtualMachines_CreateOrUpdate: ["Microsoft.Compute/virtualMachines/write"],
  VirtualMachines_Delete: ["Microsoft.Compute/virtualMachines/delete"],
  VirtualMachines_RunCommand: ["Microsoft.Compute/virtualMachines/runCommand/action"],
};
