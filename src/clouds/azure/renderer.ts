import type { Finding } from "../../core/finding.ts";
import type { Resource, Value } from "../../core/resource.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { Cluster, Published, Reading, Scope } from "../cloud.ts";
import { type AzureCluster, trustedIssuers } from "./cluster/cluster.ts";
import { clusterBundle } from "./cluster/cluster-bundle.ts";
import { azureIdentity, checkPlatform } from "./cluster/platform.ts";
import { readAzureCluster } from "./cluster/read-cluster.ts";
import { managedIdentitiesOf } from "./identities/identities.ts";
import { issuerBundle } from "./issuer/issuer-bundle.ts";
import { keepIssuer } from "./issuer/keep-issuer.ts";
import { webhookSecret } from "./issuer/webhook-config.ts";
import { ownVariable } from "./operators/operator.ts";
import { nameOf, publishedBy } from "./rendered/facts.ts";

/*
 * What a render for Azure calls. The program loads this module, with its imports, when one of the functions is called
 * (tools/bundle.mjs), so a render for another cloud does not pay for it.
 */

/** Checks `spec.platform.azure` of a ClusterIdentity. */
export function checkAzurePlatform(spec: Value, resource: Resource): readonly Finding[] {
  return checkPlatform(spec, resource);
}

/** Narrows a ClusterIdentity for Azure to a cluster that needs no further checks. */
export function readCluster(identity: Identity, items: readonly Resource[]): Reading<Cluster> {
  const { value, findings } = readAzureCluster(azureIdentity(identity), items);
  return { value: value === undefined ? undefined : clusterOf(identity, value), findings };
}

/** Checks the requests of a cluster that could not be read. */
export function checkAzureRequests(identity: Identity, scope: Scope): readonly Finding[] {
  return managedIdentitiesOf(azureIdentity(identity), undefined, scope).findings;
}

/** The name of the identity in a bundle. */
export function nameOfAzure(bundle: Resource): string {
  return nameOf(bundle);
}

/** Reads what generated items publish. */
export function publishedByAzure(items: readonly Resource[]): Published {
  return publishedBy(items);
}

function clusterOf(identity: Identity, cluster: AzureCluster): Cluster {
  return {
    issuerUrl: cluster.issuerUrl,
    trustedIssuers: trustedIssuers(cluster),
    issuer: (keys) => [issuerBundle(cluster, keys), clusterBundle(cluster), webhookSecret(cluster)],
    identities: (scope) => managedIdentitiesOf(azureIdentity(identity), cluster, scope),
    keepIssuer,
    ownVariable: ownVariable(cluster),
  };
}
