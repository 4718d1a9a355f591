import { awsIdentity } from "../clouds/aws/cluster/platform.ts";
import { type RoleOverride, roleOverrides } from "../clouds/aws/identities/overrides.ts";
import { awsRequestIdentity, effectFindings } from "../clouds/aws/permissions/request-identity.ts";
import { azureRequestIdentity } from "../clouds/azure/request-identity.ts";
import { gcpRequestIdentity } from "../clouds/gcp/request-identity.ts";
import { type Finding, finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import type { ReleaseRules } from "../requests/gates.ts";
import { type SelectedRequest, selectRequests } from "../requests/select.ts";

/** Which requests count, and what a cluster's configuration says of them. */
export interface ClusterRules {
  readonly release: ReleaseRules;
  /** By `<secret namespace>/<secret name>`. */
  readonly overrides: ReadonlyMap<string, RoleOverride>;
  /** The cluster's cloud; undefined where nobody says it: then requests for any count. */
  readonly cloud: CloudIdentity["cloud"] | undefined;
  /** Where a component finds its token whose request leaves that to the cluster; undefined where nobody says it. */
  readonly tokenPath: string | undefined;
}

/** What a ClusterIdentity says. */
export function clusterRules(identity: Identity): ClusterRules {
  const { release, tokenPath } = identity;
  return { release, overrides: roleOverrides(awsIdentity(identity)), cloud: "AWS", tokenPath };
}

const clouds = [
  ["AWS", "AWSProviderSpec", awsRequestIdentity],
  ["Azure", "AzureProviderSpec", azureRequestIdentity],
  ["GCP", "GCPProviderSpec", gcpRequestIdentity],
] as const;

/** The identities that requests ask for, as far as they count for a cluster. */
export function requestedIdentities(
  items: readonly Resource[],
  { release, overrides, cloud, tokenPath = "" }: ClusterRules,
): { identities: readonly CloudIdentity[]; findings: readonly Finding[] } {
  const identities: CloudIdentity[] = [];
  const refused: Finding[] = [];
  const wanted = clouds.filter(([name]) => cloud === undefined || name === cloud);
  const said = wanted.map(([, kind, read]) => {
    const { requests, findings } = selectRequests(items, release, kind, { countUndecided: true });
    for (const one of requests) {
      if (one.secretKey === undefined) refused.push(namelessFinding(one));
      const override = overrides.get(one.secretKey ?? "");
      if (override?.skip === true) continue;
      if (kind === "AWSProviderSpec") refused.push(...effectFindings(one));
      const identity = read(one, override);
      identities.push({ ...identity, tokenPath: identity.tokenPath || tokenPath });
    }
    return findings;
  });
  return { identities, findings: [...onceForAll(said), ...refused] };
}

// Identities are paired by their Secrets.
function namelessFinding({ resource }: SelectedRequest): Finding {
  const message =
    'has no "spec.secretRef" with "namespace" and "name", so that nobody can tell whose permissions these are.';
  return finding("error", "request-missing-field", message, { resource, field: "spec.secretRef" });
}

// A request is another cloud's only where none of them took it.
function onceForAll(said: readonly (readonly Finding[])[]): Finding[] {
  const [first = [], ...others] = said;
  const left = (findings: readonly Finding[]) => findings.filter(({ code }) => code === "skipped-other-cloud");
  const nobodys = left(first).filter((one) =>
    others.every((findings) =>
      left(findings).some((other) => other.message === one.message && isSamePlace(other, one)),
    ),
  );
  return [...nobodys, ...said.flat().filter(({ code }) => code !== "skipped-other-cloud")];
}

function isSamePlace(a: Finding, b: Finding): boolean {
  return JSON.stringify([a.resource, a.file]) === JSON.stringify([b.resource, b.file]);
}
