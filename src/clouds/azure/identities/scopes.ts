import { type Finding, finding } from "../../../core/finding.ts";
import type { AzureCluster } from "../cluster/cluster.ts";
import { groupId, groupReference } from "../cluster/resource-names.ts";
import { scopesOfWorkload } from "../workloads.ts";
import type { AzureRequest } from "./request.ts";

/** Components of OpenShift that change the DNS zone, by Secret: kustomize renames requests, but not their Secrets. */
const ofDnsZone = new Set(["openshift-ingress-operator/cloud-credentials"]);

/**
 * Whether a request asks for nothing but DNS zones, such as that of cert-manager or of an operator for external DNS. A request that
 * also asks for something else must not get that in the group of the zone.
 */
function isOnlyForDns({ roles, customRole }: AzureRequest): boolean {
  const { actions = [], dataActions = [] } = customRole ?? {};
  const dns = [
    ...roles.map(({ name }) => dnsRoles.has(name.toLowerCase())),
    ...actions.map((one) => dnsAction.test(one)),
  ];
  return dataActions.length === 0 && dns.length > 0 && dns.every((isDns) => isDns);
}

const dnsRoles = new Set(["dns zone contributor", "private dns zone contributor"]);
const dnsAction = /^microsoft\.network\/(?:private)?dnszones\//i;

/** Components that use the virtual network (ccoctl azure, by the requests' names). */
const ofNetwork = new Set([
  "openshift-image-registry/installer-cloud-credentials",
  "openshift-ingress-operator/cloud-credentials",
  "openshift-machine-api/azure-cloud-credentials",
  "openshift-cluster-csi-drivers/azure-file-credentials",
  "openshift-cloud-network-config-controller/cloud-credentials",
  "openshift-cloud-controller-manager/azure-cloud-credentials",
]);

/** Where roles apply: IDs. The same ID twice, but for case, yields the same assignment. */
export interface Scopes {
  /** Those of a built-in role. */
  of(role: string): readonly string[];
  /** Those of the custom role. */
  readonly custom: readonly string[];
}

/** Where the roles of a request, or of a workload, apply. */
export function scopesOf(cluster: AzureCluster, request: AzureRequest): Scopes {
  if (request.workload === undefined) {
    const all = scopesOfRequest(cluster, request);
    return { of: () => all, custom: all };
  }
  const { roles, custom } = scopesOfWorkload(request.workload);
  return { of: (role) => roles.get(role.toLowerCase()) ?? [], custom };
}

/** The error that a custom role of a workload has no scope, so that it would be assigned nowhere, or that scopes have no custom role. */
export function withoutScope({ customRole, workload, resource }: AzureRequest, scopes: readonly string[]): Finding[] {
  if (workload === undefined || (customRole === undefined) === (scopes.length === 0)) return [];
  const field = "spec.azure.scopes";
  const message =
    customRole === undefined
      ? `"${field}" is where the custom role applies, but neither "spec.azure.permissions" nor "spec.azure.dataPermissions" lists anything for it. Remove the field, or list the permissions.`
      : `lists permissions without a scope. Set "${field}" to the IDs of the resources or resource groups where they apply.`;
  return [finding("error", "workload-missing-field", message, { resource, field })];
}

function scopesOfRequest(cluster: AzureCluster, request: AzureRequest): readonly string[] {
  const { secretKey = "", override } = request;
  if (override.scopes !== undefined) return override.scopes.map((scope) => groupReference(cluster, scope));
  return [
    groupId(cluster, cluster.installResourceGroup),
    ...(ofDnsZone.has(secretKey) || isOnlyForDns(request) ? [cluster.dnsZoneGroupId] : []),
    ...(ofNetwork.has(secretKey) ? [cluster.networkGroupId] : []),
  ].filter((scope) => scope !== undefined);
}
