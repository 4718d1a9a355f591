import { type Finding, finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { subscriptionOf } from "../cluster/resource-ids.ts";
import { maxAssignments, maxRoles } from "../limits.ts";
import type { AzureManagedIdentity } from "./identity.ts";

/**
 * Warns if the identities of one function alone exceed a limit of Azure. All clusters of a tenant or a subscription share it.
 *
 * @param environment as the config names it: `AzurePublicCloud`
 */
export function quotaFindings(
  identities: readonly Pick<AzureManagedIdentity, "roleDefinition" | "roleAssignments">[],
  environment: string,
  resource: Resource,
): Finding[] {
  const roles = identities.filter(({ roleDefinition }) => roleDefinition !== undefined).length;
  const assignments = new Map<string, number>();
  for (const { url } of identities.flatMap(({ roleAssignments }) => Object.values(roleAssignments)))
    assignments.set(subscriptionOf(url), (assignments.get(subscriptionOf(url)) ?? 0) + 1);
  const counts: [count: number, max: number, what: string][] = [
    [roles, maxRoles[environment as keyof typeof maxRoles], "custom roles; Azure allows MAX in a tenant"],
    ...[...assignments].map(([subscription, count]): [number, number, string] => [
      count,
      maxAssignments[environment as keyof typeof maxAssignments],
      `role assignments in ${quote(subscription)}; Azure allows MAX there`,
    ]),
  ];
  return counts
    .filter(([count, max]) => count > max)
    .map(([count, max, what]) => {
      const message = `the package needs ${count} ${what.replace("MAX", String(max))}. Request fewer roles, or name fewer scopes in the overrides.`;
      return finding("warning", "role-limit", message, { resource });
    });
}
