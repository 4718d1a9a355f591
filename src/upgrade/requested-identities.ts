import { awsRequestIdentity } from "../aws/request-identity.ts";
import { azureRequestIdentity } from "../azure/request-identity.ts";
import type { Finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { gcpRequestIdentity } from "../gcp/request-identity.ts";
import type { Override } from "../generated/cluster-identity.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import type { ReleaseRules } from "../requests/gates.ts";
import { selectRequests } from "../requests/select.ts";

/** Which requests count, and what a cluster's configuration says of them. */
export interface ClusterRules {
  readonly release: ReleaseRules;
  /** By `<secret namespace>/<secret name>`. */
  readonly overrides: Readonly<Record<string, Override>>;
}

const clouds = [
  ["AWSProviderSpec", awsRequestIdentity],
  ["AzureProviderSpec", azureRequestIdentity],
  ["GCPProviderSpec", gcpRequestIdentity],
] as const;

/** The identities that requests ask for, of whatever cloud, as far as they count for a cluster. */
export function requestedIdentities(
  items: readonly Resource[],
  { release, overrides }: ClusterRules,
): { identities: readonly CloudIdentity[]; findings: readonly Finding[] } {
  const identities: CloudIdentity[] = [];
  const findings: Finding[] = [];
  for (const [kind, read] of clouds) {
    const { requests, findings: said } = selectRequests(items, release, kind);
    for (const one of requests) {
      const override = Object.hasOwn(overrides, one.secretKey ?? "") ? overrides[one.secretKey ?? ""] : undefined;
      if (override?.skip !== true) identities.push(read(one, override));
    }
    findings.push(...said.filter(({ code }) => code !== "skipped-other-cloud"));
  }
  return { identities, findings };
}
