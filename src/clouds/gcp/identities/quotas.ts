import { type Finding, finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import type { GcpServiceAccount } from "./service-account.ts";

// "IAM quotas and limits": per project, and per allow policy. All clusters of a project share them.
const maxAccounts = 100;
const maxRoles = 300;
const maxPrincipals = 1500;

/** Warns if the identities of one function alone exceed a limit of a project. */
export function quotaFindings(accounts: readonly GcpServiceAccount[], resource: Resource): Finding[] {
  const counts = [
    ["service accounts", accounts.length, maxAccounts],
    ["custom roles", accounts.filter(({ role }) => role !== undefined).length, maxRoles],
    [
      "principals in the project's allow policy",
      accounts.reduce((sum, { projectRoles }) => sum + projectRoles.length, 0),
      maxPrincipals,
    ],
  ] as const;
  return counts
    .filter(([, count, max]) => count > max)
    .map(([noun, count, max]) => {
      const message = `the package needs ${count} ${noun}; Google Cloud allows ${max} in a project by default. Request an increase of the quota before you apply.`;
      return finding("warning", "project-quota", message, { resource });
    });
}
