import { identityHash } from "./account-id.ts";

/** The characters before the hash: an ID has at most 64 (IAM v1 reference, CreateRoleRequest.roleId). */
const maxBase = 56;

/**
 * The ID of the custom role for a request's single permissions: `<prefix>_<namespace>_<secret>_<hash>`. ccoctl's custom
 * roles are shared by the clusters of a project; this one belongs to one cluster.
 */
export function customRoleId(prefix: string, secretNamespace: string, secretName: string): string {
  const base = [prefix, secretNamespace, secretName].join("_").replace(/[^A-Za-z0-9_.]/g, "_");
  return `${base.slice(0, maxBase)}_${identityHash(prefix, secretNamespace, secretName)}`;
}
