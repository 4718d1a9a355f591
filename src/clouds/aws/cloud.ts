import type { Identity } from "../../identity/cluster-identity.ts";
import { bundleForms, type Cloud, type Cluster } from "../cloud.ts";
import { type AwsCluster, awsIdentity, awsNames, checkPlatform, keyLimits, trustedIssuers } from "./cluster/cluster.ts";
import { clusterBundle } from "./cluster/cluster-bundle.ts";
import { readAwsCluster } from "./cluster/read-cluster.ts";
import { rolesOf } from "./identities/identities.ts";
import { mergeAws, roleOverrides } from "./identities/request.ts";
import { issuerBundle, keepIssuer } from "./issuer/issuer-bundle.ts";
import { givenRole, operatorWords, ownVariable } from "./operators/operator.ts";
import { awsBundles, nameOf, publishedBy } from "./rendered/facts.ts";
import { awsWorkloads, platformForTeams } from "./workloads.ts";

/** Amazon Web Services: an IAM role for each request, and a provider in IAM for the issuer. */
export const aws: Cloud = {
  ...awsNames,
  merge: mergeAws,
  renderer: {
    emits: bundleForms(awsBundles),
    keys: keyLimits,
    bundleName: awsBundles.identityName,
    operators: operatorWords,
    workloads: awsWorkloads,
    checkPlatform,
    readCluster(identity, items) {
      const { value, findings } = readAwsCluster(awsIdentity(identity), items);
      return { value: value === undefined ? undefined : clusterOf(identity, value), findings };
    },
    checkRequests: (identity, scope) => rolesOf(awsIdentity(identity), undefined, scope).findings,
    nameOf,
    publishedBy,
  },
};

function clusterOf(identity: Identity, cluster: AwsCluster): Cluster {
  return {
    issuerUrl: cluster.issuer?.url,
    trustedIssuers: trustedIssuers(cluster).map(({ url }) => url),
    checked: cluster,
    issuer: (keys) => [issuerBundle(cluster, keys)],
    facts: () => clusterBundle(cluster, identity),
    platformForTeams: () => platformForTeams(cluster),
    identities: (scope) => rolesOf(awsIdentity(identity), cluster, scope),
    keepIssuer: (issuer) => keepIssuer(cluster, issuer),
    ownVariable: ownVariable(cluster),
    givenIdentity: (request) => givenRole(cluster, roleOverrides(awsIdentity(identity)), request),
  };
}
