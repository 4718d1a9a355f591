import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import { clusterFile } from "../../rendered.ts";
import { clusterBundlePath } from "../rendered/bundle-paths.ts";
import { adminRole } from "./admin-role.ts";
import type { AzureCluster } from "./cluster.ts";
import { environmentNamed } from "./environments.ts";
import { groupId, resourceUrl } from "./resource-ids.ts";
import { ownerTagKey } from "./tags.ts";

/**
 * The bundle with the facts about the whole cluster: `cluster.json` contains the facts that the scripts read, two files the
 * requests that create the resource groups, and `admin-role.json` the permissions that the administrator needs to run the
 * scripts. It depends only on the config, so another request does not change it.
 */
export function clusterBundle(cluster: AzureCluster): GeneratedObject {
  const { oidcResourceGroup, installResourceGroup } = cluster;
  return bundle(
    clusterBundlePath,
    "azure-cluster",
    jsonFiles({
      [clusterFile]: clusterFacts(cluster),
      "oidc-resource-group.json": resourceGroup(cluster, oidcResourceGroup),
      "install-resource-group.json": resourceGroup(cluster, installResourceGroup),
      "admin-role.json": adminRole(cluster),
    }),
  );
}

// Azure REST API, Resource Groups - Create Or Update.
function resourceGroup(cluster: AzureCluster, name: string): ValueMap {
  return {
    url: resourceUrl(groupId(cluster, name), "groups"),
    body: { location: cluster.region, tags: cluster.tags },
  };
}

function clusterFacts(cluster: AzureCluster): ValueMap {
  const { hosting } = cluster;
  const { cliName, blobDomain } = environmentNamed(cluster.environment);
  const blobs =
    hosting.type === "External"
      ? {}
      : {
          storageAccount: hosting.storageAccount,
          container: hosting.container,
          blobEndpoint: `https://${hosting.storageAccount}.${blobDomain}`,
          uploadAuth: hosting.uploadAuth,
        };
  return {
    subscriptionID: cluster.subscriptionId,
    tenantID: cluster.tenantId,
    cloud: cluster.environment,
    cliCloud: cliName,
    region: cluster.region,
    resourcePrefix: cluster.prefix,
    ownerTag: ownerTagKey(cluster.prefix),
    oidcResourceGroup: cluster.oidcResourceGroup,
    installResourceGroup: cluster.installResourceGroup,
    issuer: cluster.issuerUrl,
    ...(cluster.previousIssuers.length === 0 ? {} : { previousIssuers: cluster.previousIssuers }),
    ...blobs,
  };
}
