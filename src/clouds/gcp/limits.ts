import type { KeyLimits } from "../../oidc/limits.ts";

/** The limits of Google Cloud that several files need. Each is written here only. */

/** The keys that Google Cloud accepts (Security Token Service API, method token, subjectToken). */
export const keyLimits: KeyLimits = { reader: "Google Cloud", algorithms: ["RS256", "ES256"] };

/** The bytes of a mapped subject ("Workload Identity Federation", attribute mappings; measured 2026-09). */
export const maxSubject = 127;

/** The characters of a service account's ID (IAM v1 reference, CreateServiceAccountRequest.accountId). */
export const maxAccountId = 30;

/** The individual permissions of a custom role, and their characters ("Understanding IAM custom roles"). */
export const maxRolePermissions = 3000;
export const maxRoleBytes = 64 * 1024;
