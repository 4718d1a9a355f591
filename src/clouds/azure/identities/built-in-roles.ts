/**
 * Built-in roles that requests name, with their IDs: the same in every tenant and cloud (Azure documentation, "Azure
 * built-in roles", 2026-07-01).
 */
export const builtInRoles: Readonly<Record<string, string>> = {
  Contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  Reader: "acdd72a7-3385-48ef-bd42-f606fba81ae7",
  "Network Contributor": "4d97b98b-1d4f-4787-a291-c67834d212e7",
  "Virtual Machine Contributor": "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
  "DNS Zone Contributor": "befefa01-2a29-4197-83a8-272ff33ce314",
  "Private DNS Zone Contributor": "b12aa53e-6015-4669-85d0-8515ebb3ae7f",
  "Storage Account Contributor": "17d1049b-9a84-46fb-8f53-869881c3d3ab",
  "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
  "Storage Blob Data Reader": "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
  "Compute Gallery Artifacts Publisher": "85a2d0d9-2eba-4c9c-b355-11c2cc0788ab",
  "User Access Administrator": "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
  Owner: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
};

const unboundedRoles = ["User Access Administrator", "Owner"];

/** Whether the holder of a role can give itself every other role. */
export function isUnbounded(id: string): boolean {
  return unboundedRoles.some((name) => builtInRoles[name] === id.toLowerCase());
}
