import { exactly } from "../../core/generated-object.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import { bundleForms, type Cloud, type Cluster } from "../cloud.ts";
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
import { azureBundles, nameOf, publishedBy, webhookSecretPath } from "./rendered/facts.ts";
import { azureWorkloads, platformForTeams } from "./workloads.ts";

const forms = bundleForms(azureBundles);

/** Microsoft Azure: a managed identity for each request, with a federated credential for each of its service accounts. */
export const azure: Cloud = {
  ...azureNames,
  merge: mergeAzure,
  renderer: {
    emits: {
      ...forms,
      issuer: [...forms.issuer, { apiVersion: "v1", kind: "Secret", path: exactly(webhookSecretPath) }],
    },
    bundleName: azureBundles.identityName,
    keys: keyLimits,
    operators: operatorWords,
    workloads: azureWorkloads,
    checkPlatform,
    readCluster(identity, items) {
      const { value, findings } = readAzureCluster(azureIdentity(identity), items);
      return { value: value === undefined ? undefined : clusterOf(identity, value), findings };
    },
    checkRequests: (identity, scope) => managedIdentitiesOf(azureIdentity(identity), undefined, scope).findings,
    nameOf,
    publishedBy,
  },
};

function clusterOf(identity: Identity, cluster: AzureCluster): Cluster {
  return {
    issuerUrl: cluster.issuerUrl,
    trustedIssuers: trustedIssuers(cluster),
    checked: cluster,
    issuer: (keys) => [issuerBundle(cluster, keys), webhookSecret(cluster)],
    facts: () => clusterBundle(cluster, identity),
    platformForTeams: () => platformForTeams(cluster),
    identities: (scope) => managedIdentitiesOf(azureIdentity(identity), cluster, scope),
    keepIssuer,
    ownVariable: ownVariable(cluster),
    givenIdentity: (request) => givenClientId(cluster, request),
  };
}
