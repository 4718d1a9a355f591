import type { Finding } from "../../core/finding.ts";
import { exactly, type OutputForm } from "../../core/generated-object.ts";
import type { Resource, Value } from "../../core/resource.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { Cloud, Cluster, Published, Reading, Scope } from "../cloud.ts";
import { checkPlatform, type GcpCluster, gcpIdentity, gcpNames, keyLimits } from "./cluster/cluster.ts";
import { clusterBundle } from "./cluster/cluster-bundle.ts";
import { readGcpCluster } from "./cluster/read-cluster.ts";
import { serviceAccountsOf } from "./identities/identities.ts";
import { mergeGcp } from "./identities/request.ts";
import { issuerBundle, keepIssuer } from "./issuer/issuer-bundle.ts";
import { givenServiceAccount, operatorWords, ownVariable } from "./operators/operator.ts";
import {
  clusterBundlePath,
  identityBundleName,
  identityBundlePath,
  issuerBundlePath,
  nameOf,
  publishedBy,
} from "./rendered/facts.ts";

/** Google Cloud: a service account for each request, and a workload identity pool with a provider for the issuer. */
export const gcp: Cloud = {
  ...gcpNames,
  merge: mergeGcp,
  renderer: {
    emits: {
      issuer: [exactly(issuerBundlePath), exactly(clusterBundlePath)].map(bundleForm),
      identities: [bundleForm(identityBundlePath)],
    },
    bundleName: identityBundleName,
    keys: keyLimits,
    operators: operatorWords,
    checkPlatform: checkGcpPlatform,
    readCluster,
    checkRequests: checkGcpRequests,
    nameOf: nameOfGcp,
    publishedBy: publishedByGcp,
  },
};

function bundleForm(path: RegExp): OutputForm {
  return { apiVersion: "v1", kind: "ConfigMap", path };
}

/*
 * What a render for GCP calls. The program loads this module, with its imports, when one of the functions is called
 * (tools/bundle.mjs), so a render for another cloud does not pay for it.
 */

/** Checks `spec.platform.gcp` of a ClusterIdentity. */
function checkGcpPlatform(spec: Value, resource: Resource): readonly Finding[] {
  return checkPlatform(spec, resource);
}

/** Narrows a ClusterIdentity for GCP to a cluster that needs no further checks. */
function readCluster(identity: Identity, items: readonly Resource[]): Reading<Cluster> {
  const { value, findings } = readGcpCluster(gcpIdentity(identity), items);
  return { value: value === undefined ? undefined : clusterOf(identity, value), findings };
}

/** Checks the requests of a cluster that could not be read. */
function checkGcpRequests(identity: Identity, scope: Scope): readonly Finding[] {
  return serviceAccountsOf(gcpIdentity(identity), undefined, scope).findings;
}

/** The name of the identity in a bundle. */
function nameOfGcp(bundle: Resource): string {
  return nameOf(bundle);
}

/** Reads what generated items publish. */
function publishedByGcp(items: readonly Resource[]): Published {
  return publishedBy(items);
}

function clusterOf(identity: Identity, cluster: GcpCluster): Cluster {
  return {
    issuerUrl: cluster.issuerUrl,
    trustedIssuers: [cluster.issuerUrl],
    issuer: (keys) => [issuerBundle(cluster, keys), clusterBundle(cluster, identity)],
    identities: (scope) => serviceAccountsOf(gcpIdentity(identity), cluster, scope),
    keepIssuer,
    ownVariable: ownVariable(cluster),
    givenIdentity: (request) => givenServiceAccount(cluster, gcpIdentity(identity), request),
  };
}
