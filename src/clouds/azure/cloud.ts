import type { Finding } from "../../core/finding.ts";
import { exactly, type OutputForm } from "../../core/generated-object.ts";
import type { Resource, Value } from "../../core/resource.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { Cloud, Cluster, Published, Reading, Scope } from "../cloud.ts";
import {
  type AzureCluster,
  azureIdentity,
  azureNames,
  checkPlatform,
  keyLimits,
  trustedIssuers,
} from "./cluster/cluster.ts";
import { clusterBundle } from "./cluster/cluster-bundle.ts";
import { readAzureCluster } from "./cluster/read-cluster.ts";
import { managedIdentitiesOf } from "./identities/identities.ts";
import { mergeAzure } from "./identities/request.ts";
import { issuerBundle, keepIssuer, webhookSecret } from "./issuer/issuer-bundle.ts";
import { givenClientId, operatorWords, ownVariable } from "./operators/operator.ts";
import {
  clusterBundlePath,
  identityBundleName,
  identityBundlePath,
  issuerBundlePath,
  nameOf,
  publishedBy,
  webhookSecretPath,
} from "./rendered/facts.ts";

/** Microsoft Azure: a managed identity for each request, with a federated credential for each of its service accounts. */
export const azure: Cloud = {
  ...azureNames,
  merge: mergeAzure,
  renderer: {
    emits: {
      issuer: [
        ...[exactly(issuerBundlePath), exactly(clusterBundlePath)].map(bundleForm),
        { apiVersion: "v1", kind: "Secret", path: exactly(webhookSecretPath) },
      ],
      identities: [bundleForm(identityBundlePath)],
    },
    bundleName: identityBundleName,
    keys: keyLimits,
    operators: operatorWords,
    checkPlatform: checkAzurePlatform,
    readCluster,
    checkRequests: checkAzureRequests,
    nameOf: nameOfAzure,
    publishedBy: publishedByAzure,
  },
};

function bundleForm(path: RegExp): OutputForm {
  return { apiVersion: "v1", kind: "ConfigMap", path };
}

/*
 * What a render for Azure calls. The program loads this module, with its imports, when one of the functions is called
 * (tools/bundle.mjs), so a render for another cloud does not pay for it.
 */

/** Checks `spec.platform.azure` of a ClusterIdentity. */
function checkAzurePlatform(spec: Value, resource: Resource): readonly Finding[] {
  return checkPlatform(spec, resource);
}

/** Narrows a ClusterIdentity for Azure to a cluster that needs no further checks. */
function readCluster(identity: Identity, items: readonly Resource[]): Reading<Cluster> {
  const { value, findings } = readAzureCluster(azureIdentity(identity), items);
  return { value: value === undefined ? undefined : clusterOf(identity, value), findings };
}

/** Checks the requests of a cluster that could not be read. */
function checkAzureRequests(identity: Identity, scope: Scope): readonly Finding[] {
  return managedIdentitiesOf(azureIdentity(identity), undefined, scope).findings;
}

/** The name of the identity in a bundle. */
function nameOfAzure(bundle: Resource): string {
  return nameOf(bundle);
}

/** Reads what generated items publish. */
function publishedByAzure(items: readonly Resource[]): Published {
  return publishedBy(items);
}

function clusterOf(identity: Identity, cluster: AzureCluster): Cluster {
  return {
    issuerUrl: cluster.issuerUrl,
    trustedIssuers: trustedIssuers(cluster),
    issuer: (keys) => [issuerBundle(cluster, keys), clusterBundle(cluster, identity), webhookSecret(cluster)],
    identities: (scope) => managedIdentitiesOf(azureIdentity(identity), cluster, scope),
    keepIssuer,
    ownVariable: ownVariable(cluster),
    givenIdentity: (request) => givenClientId(cluster, request),
  };
}
