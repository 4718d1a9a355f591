import type { Finding } from "../../core/finding.ts";
import type { Resource, Value } from "../../core/resource.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { Cluster, Published, Reading, Scope } from "../cloud.ts";
import type { GcpCluster } from "./cluster/cluster.ts";
import { clusterBundle } from "./cluster/cluster-bundle.ts";
import { checkPlatform, gcpIdentity } from "./cluster/platform.ts";
import { readGcpCluster } from "./cluster/read-cluster.ts";
import { serviceAccountsOf } from "./identities/service-accounts.ts";
import { issuerBundle } from "./issuer/issuer-bundle.ts";
import { keepIssuer } from "./issuer/keep-issuer.ts";
import { ownVariable } from "./operators/operator.ts";
import { nameOf, publishedBy } from "./rendered/facts.ts";

/*
 * What a render for GCP calls. The program loads this module, with its imports, when one of the functions is called
 * (tools/bundle.mjs), so a render for another cloud does not pay for it.
 */

/** Checks `spec.platform.gcp` of a ClusterIdentity. */
export function checkGcpPlatform(spec: Value, resource: Resource): readonly Finding[] {
  return checkPlatform(spec, resource);
}

/** Narrows a ClusterIdentity for GCP to a cluster that needs no further checks. */
export function readCluster(identity: Identity, items: readonly Resource[]): Reading<Cluster> {
  const { value, findings } = readGcpCluster(gcpIdentity(identity), items);
  return { value: value === undefined ? undefined : clusterOf(identity, value), findings };
}

/** Checks the requests of a cluster that could not be read. */
export function checkGcpRequests(identity: Identity, scope: Scope): readonly Finding[] {
  return serviceAccountsOf(gcpIdentity(identity), undefined, scope).findings;
}

/** The name of the identity in a bundle. */
export function nameOfGcp(bundle: Resource): string {
  return nameOf(bundle);
}

/** Reads what generated items publish. */
export function publishedByGcp(items: readonly Resource[]): Published {
  return publishedBy(items);
}

function clusterOf(identity: Identity, cluster: GcpCluster): Cluster {
  return {
    issuerUrl: cluster.issuerUrl,
    trustedIssuers: [cluster.issuerUrl],
    issuer: (keys) => [issuerBundle(cluster, keys), clusterBundle(cluster)],
    identities: (scope) => serviceAccountsOf(gcpIdentity(identity), cluster, scope),
    keepIssuer,
    ownVariable: ownVariable(cluster),
  };
}
