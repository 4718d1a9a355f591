import type { AzureCluster } from "../cluster/cluster.ts";
import { groupId, groupReference } from "../cluster/resource-ids.ts";
import type { AzureRequest } from "./request.ts";

/** Components that change the DNS zone, by Secret: kustomize renames requests, but not their Secrets. */
const ofDnsZone = new Set(["openshift-ingress-operator/cloud-credentials"]);

/** Components that use the virtual network (ccoctl azure, by the requests' names). */
const ofNetwork = new Set([
  "openshift-image-registry/installer-cloud-credentials",
  "openshift-ingress-operator/cloud-credentials",
  "openshift-machine-api/azure-cloud-credentials",
  "openshift-cluster-csi-drivers/azure-file-credentials",
  "openshift-cloud-network-config-controller/cloud-credentials",
  "openshift-cloud-controller-manager/azure-cloud-credentials",
]);

/** Where the roles of a request apply: IDs. The same ID twice, but for case, yields the same assignment. */
export function scopesOf(cluster: AzureCluster, { secretKey = "", override }: AzureRequest): readonly string[] {
  if (override.scopes !== undefined) return override.scopes.map((scope) => groupReference(cluster, scope));
  return [
    groupId(cluster, cluster.installResourceGroup),
    ...(ofDnsZone.has(secretKey) ? [cluster.dnsZoneGroupId] : []),
    ...(ofNetwork.has(secretKey) ? [cluster.networkGroupId] : []),
  ].filter((scope) => scope !== undefined);
}
