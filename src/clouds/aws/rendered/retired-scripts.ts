import { clusterBundlePath } from "../cluster/cluster-bundle.ts";

/*
 * Earlier versions put the scripts and the facts about the cluster into one ConfigMap, which every generator wrote. A render
 * removes it. In that run the package has no other facts about its last rendering, so they are read from this ConfigMap.
 */

const previousPath = "aws/scripts.yaml";

/** The ConfigMap that contained the scripts, written by any of the functions. */
export const retiredScripts = {
  apiVersion: "v1",
  kind: "ConfigMap",
  name: "aws-scripts",
  path: /^aws\/scripts\.yaml$/,
  makers: ["shared", "generate-oidc-issuer", "generate-cloud-credentials", "configure-operators"],
};

/** The files that can contain `cluster.json`, the current one first. */
export const clusterFactsPaths: readonly string[] = [clusterBundlePath, previousPath];
