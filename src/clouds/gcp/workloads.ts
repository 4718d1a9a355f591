import { type Finding, finding } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { SelectedRequest, WorkloadTerms } from "../../requests/select.ts";
import { mapsIn, namesOutside, type Rail, railAmong, textsIn, type WorkloadRenderer } from "../workloads.ts";
import { defaultUniverse, type GcpCluster } from "./cluster/cluster.ts";
import { providerName } from "./cluster/resource-names.ts";

/** Workloads on GCP: a service account for each, which OpenShift's webhook for workload identity federation offers to pods. */
export const gcpWorkloads: WorkloadRenderer = {
  providerSpec: ({ predefinedRoles, permissions }) => ({
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "GCPProviderSpec",
    ...(predefinedRoles === undefined ? {} : { predefinedRoles }),
    ...(permissions === undefined ? {} : { permissions }),
  }),
  fields: {},
  names: ["serviceAccountID", "customRoleID"],
  outside: (section, rails) => [
    ...namesOutside(section, "predefinedRoles", "the role", railOf(rails, "allowedRoles")),
    ...namesOutside(section, "permissions", "the permission", railOf(rails, "allowedPermissions")),
    ...mapsIn(section, "resources").flatMap((one, at) =>
      namesOutside(one, "roles", "the role", railOf(rails, "allowedRoles"), `resources[${at}].`),
    ),
  ],
};

const lists = ["allowedRoles", "allowedPermissions"] as const;

function railOf(rails: ValueMap, list: (typeof lists)[number]): Rail {
  return railAmong(rails, list, lists, { base: "spec.workloads.gcp", ignoresCase: false });
}

/** The roles of a workload on buckets, by bucket; sorted. */
export function bucketRoles({ section }: WorkloadTerms): ReadonlyMap<string, readonly string[]> {
  const roles = new Map<string, Set<string>>();
  for (const one of mapsIn(section, "resources")) {
    const bucket = String(one["bucket"]);
    roles.set(bucket, new Set([...(roles.get(bucket) ?? []), ...(textsIn(one, "roles") ?? [])]));
  }
  return new Map([...roles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([bucket, all]) => [bucket, [...all].sort()]));
}

/** The finding that the webhook does not work in the universe of the cluster: it writes a configuration for `googleapis.com`. */
export function universeFindings(
  { universeDomain }: GcpCluster,
  { resource, workload }: SelectedRequest,
): readonly Finding[] {
  if (universeDomain === defaultUniverse || workload === undefined || workload.delivery === "Secret") return [];
  const message = `has the delivery ${quote(workload.delivery)}, but the webhook writes a configuration for "${defaultUniverse}" only, and the cluster is in the universe ${quote(universeDomain)}. Set "spec.delivery" to "Secret".`;
  return [finding("error", "workload-universe", message, { resource, field: "spec.delivery" })];
}

/**
 * The annotations of a ServiceAccount with which the webhook gives its pods a service account of Google Cloud
 * (openshift/gcp-workload-identity-federation-webhook, README). The mode `direct` needs no image of Google. The audience is one that the
 * provider accepts: the webhook's own default is another.
 */
export function accountAnnotations(
  cluster: GcpCluster,
  { email }: { readonly email: string },
): Readonly<Record<string, string>> {
  return {
    "cloud.google.com/audience": cluster.audiences[0] ?? "",
    "cloud.google.com/injection-mode": "direct",
    "cloud.google.com/service-account-email": email,
    "cloud.google.com/workload-identity-provider": providerName(cluster),
  };
}

/** The part of a team's ClusterIdentity about GCP. The pool and the provider belong to the cluster. */
export function platformForTeams(cluster: GcpCluster): ValueMap {
  const { projectId, projectNumber, region, universeDomain, poolId, providerId, attributeCondition } = cluster;
  return {
    projectID: projectId,
    projectNumber,
    region,
    universeDomain,
    keyStorage: "External",
    pool: poolId,
    provider: providerId,
    ...(attributeCondition === "" ? {} : { attributeCondition }),
  };
}
