import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import { clusterFile } from "../../rendered.ts";
import { clusterBundlePath } from "../rendered/bundle-paths.ts";
import { adminRole } from "./admin-role.ts";
import type { GcpCluster } from "./cluster.ts";
import { ownerDescription } from "./resource-names.ts";

/**
 * The bundle with the facts about the whole cluster: `cluster.json` contains the facts that the scripts read, and
 * `admin-role.json` the permissions that the administrator needs to run them. It depends only on the config, so another
 * request does not change it.
 */
export function clusterBundle(cluster: GcpCluster): GeneratedObject {
  const values = { [clusterFile]: clusterFacts(cluster), "admin-role.json": adminRole(cluster) };
  return bundle(clusterBundlePath, "gcp-cluster", jsonFiles(values));
}

function clusterFacts(cluster: GcpCluster): ValueMap {
  return {
    projectID: cluster.projectId,
    projectNumber: cluster.projectNumber,
    region: cluster.region,
    universeDomain: cluster.universeDomain,
    resourcePrefix: cluster.prefix,
    owner: ownerDescription(cluster.prefix),
    keyStorage: cluster.keyStorage,
    issuer: cluster.issuerUrl,
    pool: cluster.poolId,
    provider: cluster.providerId,
    ...(cluster.bucket === undefined ? {} : { bucket: cluster.bucket }),
  };
}
