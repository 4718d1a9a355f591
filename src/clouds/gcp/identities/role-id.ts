import { hashLength, identityHash } from "./account-id.ts";

/** The characters of an ID (IAM v1 reference, CreateRoleRequest.roleId). */
const maxRoleId = 64;

/**
 * The ID of the custom role for a request's single permissions: `<prefix>_<namespace>_<secret>_<hash>`. ccoctl's custom
 * roles are shared by the clusters of a project; this one belongs to one cluster.
 */
export function customRoleId(prefix: string, secretNamespace: string, secretName: string): string {
  const base = [prefix, secretNamespace, secretName].join("_").replace(/[^A-Za-z0-9_.]/g, "_");
  return `${base.slice(0, maxRoleId - hashLength - 1)}_${identityHash(prefix, secretNamespace, secretName)}`;
}
