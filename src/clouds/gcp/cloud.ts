import type { Identity } from "../../identity/cluster-identity.ts";
import { bundleForms, type Cloud, type Cluster } from "../cloud.ts";
import { checkPlatform, type GcpCluster, gcpIdentity, gcpNames, keyLimits } from "./cluster/cluster.ts";
import { clusterBundle } from "./cluster/cluster-bundle.ts";
import { readGcpCluster } from "./cluster/read-cluster.ts";
import { serviceAccountsOf } from "./identities/identities.ts";
import { mergeGcp } from "./identities/request.ts";
import { issuerBundle, keepIssuer } from "./issuer/issuer-bundle.ts";
import { givenServiceAccount, operatorWords, ownVariable } from "./operators/operator.ts";
import { gcpBundles, nameOf, publishedBy } from "./rendered/facts.ts";
import { gcpWorkloads, platformForTeams } from "./workloads.ts";

/** Google Cloud: a service account for each request, and a workload identity pool with a provider for the issuer. */
export const gcp: Cloud = {
  ...gcpNames,
  merge: mergeGcp,
  renderer: {
    emits: bundleForms(gcpBundles),
    bundleName: gcpBundles.identityName,
    keys: keyLimits,
    operators: operatorWords,
    workloads: gcpWorkloads,
    checkPlatform,
    readCluster(identity, items) {
      const { value, findings } = readGcpCluster(gcpIdentity(identity), items);
      return { value: value === undefined ? undefined : clusterOf(identity, value), findings };
    },
    checkRequests: (identity, scope) => serviceAccountsOf(gcpIdentity(identity), undefined, scope).findings,
    nameOf,
    publishedBy,
  },
};

function clusterOf(identity: Identity, cluster: GcpCluster): Cluster {
  return {
    issuerUrl: cluster.issuerUrl,
    trustedIssuers: [cluster.issuerUrl],
    checked: cluster,
    issuer: (keys) => [issuerBundle(cluster, keys)],
    facts: () => clusterBundle(cluster, identity),
    platformForTeams: () => platformForTeams(cluster),
    identities: (scope) => serviceAccountsOf(gcpIdentity(identity), cluster, scope),
    keepIssuer,
    ownVariable: ownVariable(cluster),
    givenIdentity: (request) => givenServiceAccount(cluster, gcpIdentity(identity), request),
  };
}
