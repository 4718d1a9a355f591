import { base32Hash } from "../../../core/hash.ts";
import { maxAccountId } from "../limits.ts";

/** The characters of a hash in a name. */
export const hashLength = 7;
const maxPrefix = 10;
const maxNamespace = maxAccountId - maxPrefix - hashLength - "--".length;

/**
 * The ID of a request's service account: `<prefix>-<namespace>-<hash>`, of lowercase letters, digits and hyphens
 * that begin with a letter (IAM v1 reference, CreateServiceAccountRequest.accountId). The parts are truncated, and the hash of the whole prefix and Secret keeps the IDs distinct.
 */
export function accountId(prefix: string, secretNamespace: string, secretName: string): string {
  const namespace = cut(secretNamespace.replace(/^openshift-(?=.)/, ""), maxNamespace);
  return `${accountIdStart(prefix)}${namespace}-${identityHash(prefix, secretNamespace, secretName)}`;
}

/** What the IDs of a prefix begin with. An ID begins with a letter. */
export function accountIdStart(prefix: string): string {
  return `${cut(/^[0-9]/.test(prefix) ? `c${prefix}` : prefix, maxPrefix)}-`;
}

/** The hash that distinguishes the identities of all clusters: 35 bits of the SHA-256 of the prefix and the Secret. */
export function identityHash(prefix: string, secretNamespace: string, secretName: string): string {
  return base32Hash(`${prefix}\n${secretNamespace}/${secretName}`, hashLength);
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/-+$/, "");
}
